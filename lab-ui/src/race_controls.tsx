// The stream of a race as sliders.
import { useState } from "preact/hooks";
import { Card } from "./pieces";
import { line, parsed, settings } from "./stream";
import type { Kind } from "./types";
import { count } from "./words";

export const PRESETS = [
  { name: "Sparse or dense?", why: "Move r: few relevant features suit Winnow, many the Perceptron.", stream: "disjunctions:n_features=200,r=10,active=5,rows=4000,seed=1", learners: ["perceptron", "winnow"] },
  { name: "Many features", why: "Winnow pays for the logarithm of n, the Perceptron for n.", stream: "disjunctions:n_features=1000,r=3,active=100,rows=4000,seed=1", learners: ["perceptron", "winnow", "elimination"] },
  { name: "Noise", why: "Who never forgives is lost.", stream: "disjunctions:noise=0.05,rows=5000,seed=1", learners: ["perceptron", "winnow", "elimination", "arow:bias=yes"] },
  { name: "Margin", why: "The smaller the margin, the more mistakes.", stream: "separators:n_features=50,margin=0.1,rows=5000,seed=1", learners: ["perceptron", "signed_winnow", "passive_aggressive"] },
  { name: "Adversary", why: "It answers the learner, and no learner does better than the bound.", stream: "lower-bound:margin=1/8", learners: ["perceptron", "signed_winnow"] },
  { name: "Worst for Winnow", why: "As many mistakes as its theorem allows.", stream: "greedy-winnow:n_features=64,r=1", learners: ["winnow", "perceptron"] },
];

interface Range {
  lo: number;
  hi: number;
  step: number;
  log?: boolean;
  fraction?: boolean;
}

/** Between what a slider moves; what has no range here is typed. */
const RANGES: Record<string, Range> = {
  n_features: { lo: 4, hi: 4000, step: 1, log: true },
  n: { lo: 2, hi: 200, step: 1, log: true },
  r: { lo: 1, hi: 60, step: 1 },
  k: { lo: 1, hi: 60, step: 1 },
  active: { lo: 1, hi: 200, step: 1, log: true },
  rows: { lo: 100, hi: 10_000_000, step: 1, log: true },
  seed: { lo: 0, hi: 99, step: 1 },
  order: { lo: 0, hi: 99, step: 1 },
  noise: { lo: 0, hi: 0.3, step: 0.01 },
  margin: { lo: 0.02, hi: 0.6, step: 0.01, fraction: true },
  error_rate: { lo: 0, hi: 0.9, step: 0.05, fraction: true },
  repeats: { lo: 1, hi: 500, step: 1, log: true },
  rounds: { lo: 10, hi: 1000, step: 1, log: true },
  n_experts: { lo: 2, hi: 64, step: 1 },
  m: { lo: 1, hi: 8, step: 1 },
  negated: { lo: 0, hi: 20, step: 1 },
  surplus: { lo: 0, hi: 10, step: 1 },
};
const ANSWERS = ["lower-bound", "sign-patterns", "binary-search"];

function value(text: string): number {
  const [over = "", under] = text.split("/");
  return under ? Number(over) / Number(under) : Number(text);
}

export function Controls(props: { kinds: Kind[]; learners: string[]; stream: string; onStream: (text: string) => void }) {
  const now = parsed(props.stream);
  const kind = props.kinds.find((one) => one.kind === now.kind);
  const [typed, type] = useState<Record<string, string>>({});
  const set = (name: string, text: string) => props.onStream(line({ kind: now.kind, given: { ...now.given, [name]: text } }));
  const fields = kind ? settings(kind) : {};
  return (
    <Card title="Stream" note={kind ? undefined : "a file"}>
      <div class="form">
        <label>
          <span class="away">Kind of stream</span>
          <select aria-label="Kind of stream" value={now.kind} onChange={(event) => props.onStream(event.currentTarget.value)}>
            {!kind && <option value={now.kind}>your file</option>}
            {props.kinds.map((one) => <option key={one.kind} value={one.kind}>{one.kind}</option>)}
          </select>
        </label>
        {kind && <p class="hint">{kind.summary}</p>}
        {Object.entries(fields).map(([name, usual]) => {
          const usualRange = RANGES[name];
          const range = usualRange && { ...usualRange, hi: Math.min(usualRange.hi, kind?.most[name] ?? Infinity) };
          const text = now.given[name] ?? usual;
          if (!range || !text || !Number.isFinite(value(text)))
            return (
              <label key={name}>
                {name.replaceAll("_", " ")}
                <input value={typed[name] ?? now.given[name] ?? ""} placeholder={usual || "none"} onInput={(event) => type({ ...typed, [name]: event.currentTarget.value })} onChange={(event) => set(name, event.currentTarget.value)} />
              </label>
            );
          const at = value(text);
          const to = (v: number) => (range.log ? Math.log(v) : v);
          return (
            <label key={name} class="slider">
              <span>{name === "n_features" ? "features n" : name === "r" ? "relevant r" : name.replaceAll("_", " ")}</span>
              <output>{range.step >= 1 ? count(at) : text}</output>
              <input
                type="range"
                aria-label={name.replaceAll("_", " ")}
                aria-valuetext={text}
                min={to(range.lo)} max={to(range.hi)} step={range.log ? (to(range.hi) - to(range.lo)) / 200 : range.step}
                value={to(Math.min(Math.max(at, range.lo), range.hi))}
                onInput={(event) => {
                  const raw = Number(event.currentTarget.value);
                  const next = range.log ? rounded(Math.exp(raw)) : raw;
                  set(name, range.step >= 1 ? String(Math.round(next)) : String(+next.toFixed(3)));
                }}
              />
            </label>
          );
        })}
        {ANSWERS.includes(now.kind) && (
          <label>
            it answers
            <select value={now.given.against ?? "perceptron"} onChange={(event) => set("against", event.currentTarget.value)}>
              {props.learners.map((one) => <option key={one} value={one}>{one.replaceAll("_", " ")}</option>)}
            </select>
          </label>
        )}
      </div>
    </Card>
  );
}

/** Two digits are enough for large numbers. */
function rounded(v: number): number {
  return v < 100 ? Math.round(v) : Number(v.toPrecision(2));
}
