// What the lab says. A page that was saved holds the answers itself, and asks nobody.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Evidence, Frame, Overview, RaceFrame } from "./types";

export interface Recorded {
  /** What the page showed when it was saved, as an address says it. */
  view: string;
  overview: Overview;
  frames: Frame[][];
  evidence: Evidence[];
}

export interface RecordedRace {
  view: string;
  race: RaceFrame;
}

/** Of the other screens, every answer that the page asked for: of a game, by its moves. */
export interface RecordedAnswers {
  view: string;
  answers: Record<string, unknown>;
}

const kept: Recorded | RecordedRace | RecordedAnswers | null = JSON.parse(
  document.getElementById("recorded")?.textContent ?? "null",
);
export const savedView = kept?.view;
export const recordedRace = kept && "race" in kept ? kept : null;
export const recorded = kept && "overview" in kept ? kept : null;
export const answers = kept && "answers" in kept ? kept.answers : null;

export type Query = Record<string, string | number | string[] | undefined>;

export function url(path: string, query: Query = {}): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [String(value)]) words.append(name, one);
  }
  return `api/${path}?${words}`;
}

export class Problem extends Error {
  constructor(message: string, readonly code: string, readonly fields: Record<string, unknown>) {
    super(message);
  }
}

async function answer<T>(response: Response): Promise<T> {
  const body = await response.json().catch(() => null);
  if (response.ok) return body as T;
  throw new Problem(body?.error ?? "The lab does not answer.", body?.code ?? "", body?.fields ?? {});
}

export async function ask<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  if (answers) {
    const found = answers[path.startsWith("game/") ? String(query.moves) : path];
    if (found !== undefined) return found as T;
    throw new Problem("This is a recording: the lab itself can tell.", "recorded", {});
  }
  let response: Response;
  try {
    response = await fetch(url(path, query), { signal: signal ?? null });
  } catch (error) {
    if ((error as Error).name === "AbortError") throw error;
    throw new Problem("The lab has been closed. Start it again: thresher lab", "closed", {});
  }
  return answer<T>(response);
}

export async function send<T>(path: string, query: Query, body: BodyInit): Promise<T> {
  return answer<T>(await fetch(url(path, query), { method: "POST", body }));
}

export interface Answer<T> {
  value: T | null;
  error: Problem | null;
  loading: boolean;
}

/** The answer to a question; while the next one is on its way, the last one stays. */
export function useAnswer<T>(key: string | null, make: (signal: AbortSignal) => Promise<T>): Answer<T> {
  const [state, set] = useState<Answer<T>>({ value: null, error: null, loading: key !== null });
  useEffect(() => {
    if (key === null) return;
    const stop = new AbortController();
    set((old) => ({ ...old, loading: true }));
    make(stop.signal).then(
      (value) => !stop.signal.aborted && set({ value, error: null, loading: false }),
      (error) =>
        !stop.signal.aborted && set((old) => ({ value: old.value, error, loading: false })),
    );
    return () => stop.abort();
  }, [key]);
  return state;
}

/** Events of a long run; when the question changes, the run that is on its way is given up. */
export function useEvents<T>(address: string | null, take: (frame: T) => void) {
  const [state, set] = useState<{ running: boolean; error: Problem | null }>({
    running: address !== null,
    error: null,
  });
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    if (answers?.race) latest.current(answers.race as T);
    if (address === null || answers) return set({ running: false, error: null });
    set({ running: true, error: null });
    const source = new EventSource(address);
    source.onmessage = (event) => latest.current(JSON.parse(event.data) as T);
    source.addEventListener("done", () => {
      source.close();
      set({ running: false, error: null });
    });
    source.addEventListener("problem", (event) => {
      source.close();
      const told = JSON.parse((event as MessageEvent<string>).data);
      set({ running: false, error: new Problem(told.error, told.code, told.fields) });
    });
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED) source.close();
      set((old) =>
        old.running ? { running: false, error: new Problem("The lab has stopped this run.", "", {}) } : old,
      );
    };
    return () => source.close();
  }, [address]);
  return state;
}
