// Game: you against a learner, or against an adversary; the moves are in the address.
import { useEffect, useState } from "preact/hooks";
import { useActions } from "./actions";
import { go, link, useAddress } from "./address";
import { AdversaryGame } from "./game_adversary";
import { ExpertsGame } from "./game_experts";
import { HalvingGame } from "./game_halving";
import { LearnerGame } from "./game_learner";
import { copy, Switch } from "./pieces";
import { answers, ask, type Query, savedView, url, useAnswer } from "./server";
import type { Elsewhere, Start } from "./types";

const GAMES = [
  ["adversary", "You are the adversary"],
  ["learner", "You are the learner"],
  ["halving", "Halving’s tree"],
  ["experts", "Experts"],
] as const;

export interface Playing {
  params: URLSearchParams;
  moves: string[];
  /** Null in a recording, where no other move can be made. */
  move: ((one: string) => void) | null;
  back: () => void;
  anew: (settings?: Record<string, string | null>) => void;
}

/** What a game is asked with beside its moves, as its screen does. */
export interface Asked {
  path: string;
  query: Query;
}

let asked: Asked | null = null;
let tell: ((how: Elsewhere | null) => void) | null = null;

/** The state of a game after some moves; the screen that asks can also be saved. */
export function useGame<T>(path: string, query: Query, moves: string[]) {
  asked = { path, query };
  const answer = useAnswer(JSON.stringify([path, query, moves]), (signal) => ask<T & Elsewhere>(path, { ...query, moves: moves.join(".") }, signal));
  useEffect(() => tell?.(answer.value), [answer.value]);
  return answer;
}

export function Game(props: { start: Start | null }) {
  const { params } = useAddress();
  const which = GAMES.find(([name]) => name === params.get("play"))?.[0] ?? "adversary";
  const moves = (params.get("moves") ?? "").split(".").filter(Boolean);
  const playing: Playing = {
    params,
    moves,
    move: answers ? null : (one) => go({ moves: [...moves, one].join(".") }),
    back: () => go({ moves: moves.slice(0, -1).join(".") || null }),
    anew: (settings = {}) => go({ ...settings, moves: null }),
  };
  const [page, save] = useState("");
  const [how, learn] = useState<Elsewhere | null>(null);
  tell = learn;
  useEffect(() => {
    if (asked) save(url("game/page", { ...asked.query, moves: moves.join("."), which, view: link().replace(/^[^#]*/, "") }));
  }, [link()]);
  const copies = how?.python
    ? [
        { name: "Copy as command", act: () => copy(how.commands.join("\n"), "Commands") },
        { name: "Copy as Python", act: () => copy(how.python, "Program") },
      ]
    : [];
  useActions([{ name: "Copy link", act: () => copy(link(), "Link") }, ...copies, { name: "Save as HTML", href: page }], `${page}|${how?.python}`);
  const Shown = { adversary: AdversaryGame, learner: LearnerGame, halving: HalvingGame, experts: ExpertsGame }[which];
  return (
    <main class="page game">
      <div class="heading">
        <h1>Game</h1>
        <span class="push" />
        {!answers && <Switch label="Game" class="learners" value={which} options={GAMES} onChange={(name) => go({ play: name, moves: null, learner: null, kind: null, setting: null })} />}
      </div>
      {answers && <p class="secret">A recorded game: go back and forth through its moves.</p>}
      <Shown key={which} playing={playing} start={props.start} />
    </main>
  );
}

export function Bottom(props: { playing: Playing }) {
  const { moves, back, anew } = props.playing;
  const all = (new URLSearchParams(savedView?.split("?")[1] ?? "").get("moves") ?? "").split(".").filter(Boolean);
  return (
    <div class="game-buttons">
      {answers && <button type="button" class="plain" disabled={moves.length >= all.length} onClick={() => go({ moves: all.slice(0, moves.length + 1).join(".") })}>Next move</button>}
      <button type="button" class="plain" disabled={!moves.length} onClick={back}>Take back</button>
      <button type="button" class="plain" disabled={!moves.length} onClick={() => anew()}>Start again</button>
    </div>
  );
}

/** The count that the game is about, on its way to the bound. */
export function Meter(props: { made: number; bound: number | null; words: string; after?: string; statement: string }) {
  const bound = props.bound ?? 0;
  return (
    <div class="meter">
      <p><span class="big" data-field="made">{props.made}</span> <span class="of">{props.made === 1 ? props.words.replace("mistakes", "mistake") : props.words} {props.bound !== null && <>of <span data-field="bound">{props.bound}</span> {props.after}</>}</span></p>
      {bound > 0 && bound <= 64 && (
        <div class="pips" aria-hidden="true">{Array.from({ length: bound }, (_, i) => <i key={i} class={i < props.made ? "on" : ""} />)}</div>
      )}
      {props.statement && <p class="hint wide-hint">{props.statement}</p>}
    </div>
  );
}

export function sign(label: number): string {
  return label > 0 ? "+1" : "−1";
}
