// The whole state of the page is in its address, so that a link shows the same again.
import { useEffect, useState } from "preact/hooks";
import { savedView } from "./server";

export type Patch = Record<string, string | string[] | number | null | undefined>;

const SCREENS = ["step", "race", "data", "game", "live"] as const;
export type Screen = (typeof SCREENS)[number];

let screen: Screen = "step";
let params = new URLSearchParams();
const listeners = new Set<() => void>();
let timer = 0;

function read() {
  const [name, query] = (location.hash || savedView || "").slice(1).split("?");
  screen = SCREENS.find((one) => one === name) ?? "step";
  params = new URLSearchParams(query ?? "");
}

function written(): string {
  const query = params.toString().replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%2F", "/");
  return `#${screen}${query ? `?${query}` : ""}`;
}

export function link(): string {
  return location.href.split("#")[0] + written();
}

/** Change some of the state; a number of changes in a row is one entry in the address. */
export function go(patch: Patch, to: Screen = screen): void {
  const moved = to !== screen;
  const next = moved ? new URLSearchParams() : new URLSearchParams(params);
  for (const [name, value] of Object.entries(patch)) {
    next.delete(name);
    if (value === null || value === undefined || value === "") continue;
    for (const one of Array.isArray(value) ? value : [String(value)]) next.append(name, one);
  }
  if (!moved && next.toString() === params.toString()) return;
  screen = to;
  params = next;
  clearTimeout(timer);
  if (moved) history.pushState(null, "", written());
  // Browsers refuse too many changes of the address in a second.
  else timer = window.setTimeout(() => history.replaceState(null, "", written()), 150);
  for (const tell of [...listeners]) tell();
}

export function useAddress(): { screen: Screen; params: URLSearchParams } {
  const [, again] = useState(0);
  useEffect(() => {
    const tell = () => again((n) => n + 1);
    listeners.add(tell);
    return () => void listeners.delete(tell);
  }, []);
  return { screen, params };
}

read();
window.addEventListener("popstate", () => {
  read();
  for (const tell of [...listeners]) tell();
});
