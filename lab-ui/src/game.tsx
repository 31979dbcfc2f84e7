// Game: you against a learner, or against an adversary; the moves are in the address.
import { useActions } from "./actions";
import { go, link, useAddress } from "./address";
import { AdversaryGame } from "./game_adversary";
import { ExpertsGame } from "./game_experts";
import { HalvingGame } from "./game_halving";
import { LearnerGame } from "./game_learner";
import { copy, Switch } from "./pieces";
import type { Start } from "./types";

const GAMES = [
  ["adversary", "You are the adversary"],
  ["learner", "You are the learner"],
  ["halving", "Halving’s tree"],
  ["experts", "Experts"],
] as const;

export interface Playing {
  params: URLSearchParams;
  moves: string[];
  move: (one: string) => void;
  back: () => void;
  anew: (settings?: Record<string, string | null>) => void;
}

export function Game(props: { start: Start }) {
  const { params } = useAddress();
  const which = GAMES.find(([name]) => name === params.get("play"))?.[0] ?? "adversary";
  const moves = (params.get("moves") ?? "").split(".").filter(Boolean);
  const playing: Playing = {
    params,
    moves,
    move: (one) => go({ moves: [...moves, one].join(".") }),
    back: () => go({ moves: moves.slice(0, -1).join(".") || null }),
    anew: (settings = {}) => go({ ...settings, moves: null }),
  };
  useActions([{ name: "Copy link", act: () => copy(link(), "Link") }], `${which}|${moves}`);
  const one = { adversary: AdversaryGame, learner: LearnerGame, halving: HalvingGame, experts: ExpertsGame }[which];
  const Shown = one;
  return (
    <main class="page game">
      <div class="heading">
        <h1>Game</h1>
        <span class="push" />
        <Switch label="Game" class="learners" value={which} options={GAMES} onChange={(name) => go({ play: name, moves: null, learner: null, kind: null, setting: null })} />
      </div>
      <Shown key={which} playing={playing} start={props.start} />
    </main>
  );
}

export function Bottom(props: { playing: Playing }) {
  const { moves, back, anew } = props.playing;
  return (
    <div class="game-buttons">
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
      <p><span class="big" data-field="made">{props.made}</span> <span class="of">{props.words} {props.bound !== null && <>of <span data-field="bound">{props.bound}</span> {props.after}</>}</span></p>
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
