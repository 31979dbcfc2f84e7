// Live: a model of a running service, as it learns.
import { useEffect, useRef, useState } from "preact/hooks";
import { useActions } from "./actions";
import { go, link, useAddress } from "./address";
import { Errors, Mistakes } from "./live_charts";
import { announce, Card, copy, Lines, Trouble, Waiting } from "./pieces";
import { answers, ask, url, useAnswer, useEvents } from "./server";
import type { LiveFrame, LiveState, Start } from "./types";
import { about, count, percent, short } from "./words";

const recorded = (answers?.live ?? null) as LiveFrame | null;

export function Live(props: { start: Start | null }) {
  const live = props.start?.live ?? null;
  if (recorded) return <Watched model={recorded.model} names={[]} address={null} />;
  if (!live)
    return (
      <main class="page narrow">
        <div class="heading"><h1>Live</h1></div>
        <p>The lab shows a model of a service as it learns, if it is started with the address, and talks to no other:</p>
        <pre class="commands">thresher lab --live http://127.0.0.1:8080</pre>
      </main>
    );
  return <Chosen address={live.address} first={live.model} />;
}

/** The model that the address names, or the first of the service. */
function Chosen(props: { address: string; first: string | null }) {
  const { params } = useAddress();
  const [tries, again] = useState(0);
  const { value, error } = useAnswer<{ models: string[] }>(`${tries}`, (signal) => ask("live/models", {}, signal));
  const names = value?.models ?? [];
  const model = params.get("model") ?? props.first ?? names[0];
  if (model) return <Watched model={model} names={names} address={props.address} />;
  return (
    <main class="page narrow">
      <div class="heading"><h1>Live</h1><p class="facts">{props.address}</p></div>
      {error ? <Trouble error={error} again={() => again(tries + 1)} />
        : value ? <p>The service has no model yet. <button type="button" class="plain" onClick={() => again(tries + 1)}>Look again</button></p>
        : <Waiting>The service is asked.</Waiting>}
    </main>
  );
}

function Watched(props: { model: string; names: string[]; address: string | null }) {
  const { model, address } = props;
  const [frame, take] = useState<LiveFrame | null>(recorded);
  const [held, hold] = useState(false);
  const still = useRef(held);
  still.current = held;
  const { error } = useEvents<LiveFrame>(recorded ? null : url("live", { model }), (next) => {
    if (!still.current || next.model !== model) take(next);
  });
  const shown = frame?.model === model ? frame : null;
  const state = shown?.state ?? null;
  useActions(
    [
      { name: "Copy link", act: () => copy(link(), "Link") },
      { name: "Copy as command", act: () => copy(`thresher lab --live ${address},${model}`, "Command") },
      { name: "Save as HTML", href: url("live/page", { model, view: `#live?model=${model}` }) },
    ],
    `${address},${model}`,
  );
  useEffect(() => {
    if (shown) announce(shown.connected ? "The service is connected." : `The service is away: ${shown.said}`);
  }, [shown?.connected]);
  useEffect(() => {
    const last = state?.alarms.at(-1);
    if (last) announce(told(last));
  }, [state?.alarms.at(-1)?.sequence]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== " " || (event.target as Element).closest("button, a, select, input, [tabindex]")) return;
      event.preventDefault();
      hold((old) => !old);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  return (
    <main class="page live">
      <div class="heading">
        <h1>Live</h1>
        {props.names.length > 1 ? (
          <select aria-label="Model" value={model} onChange={(event) => go({ model: event.currentTarget.value })}>
            {[...new Set([model, ...props.names])].sort().map((name) => <option key={name}>{name}</option>)}
          </select>
        ) : <strong>{model}</strong>}
        <p class="facts">{state && state.learner.replaceAll("_", " ")}{address && ` · ${address}`}</p>
        <span class={`state ${shown?.connected && !recorded ? "on" : ""}`}>{recorded ? "recorded" : error ? "stopped" : held ? "held" : shown?.connected ? "connected" : shown ? "waiting for the service" : "on the way"}</span>
        <span class="push" />
        {!recorded && <button type="button" class="plain small" aria-pressed={held} title="space" onClick={() => hold(!held)}>Hold</button>}
      </div>
      {error && <Trouble error={error} />}
      {shown && !shown.connected && <p class="trouble away-note">The service does not answer: {shown.said} The lab tries again every second{state && "; this is the last that was heard"}.</p>}
      {state?.refuted_at != null && <p class="trouble away-note" data-field="refuted"><strong>✕ The claim {state.claim} is refuted</strong> by event {count(state.refuted_at)}.</p>}
      {!state ? !shown && !error && <Waiting>The service is asked.</Waiting> : (
        <div class="live-grid">
          <Card title="Mistakes so far" note={state.claim ? <>dashed: what the claim {state.claim} allows</> : "since the service began, or this learner to predict"} class="span-2">
            <Mistakes state={state} />
          </Card>
          <Now state={state} rate={shown!.rate} />
          <Card title="Errors, stretch by stretch" note="shares of the rounds between two points" class="span-2">
            <Errors frame={shown!} />
          </Card>
          <Beside state={state} />
          <Rounds state={state} />
          <Card title="What happened" note="since the service began">
            {state.alarms.length ? (
              <ul class="happened">{[...state.alarms].reverse().map((one, i) => <li key={i}><span class="number">{count(one.sequence)}</span> <span class={one.event === "refuted" || one.event === "drift" ? "cross" : ""}>{told(one)}</span></li>)}</ul>
            ) : <p class="waiting">No alarm, and nobody changed the model.</p>}
          </Card>
        </div>
      )}
    </main>
  );
}

function told(one: LiveState["alarms"][number]): string {
  if (one.event === "refuted") return `✕ The claim ${one.claim} is refuted.`;
  if (one.event === "drift") return `✕ Errors became more: ${percent(one.recent ?? 0)} of the last ${count(one.window ?? 0)} rounds, ${percent(one.before ?? 0)} before.`;
  if (one.event === "rollback") return `Rolled back to event ${count(one.to ?? 0)}.`;
  if (one.event === "swap") return "The shadow predicts now.";
  return "Another learner learns along, or none.";
}

const or = (value: number | null, words: (value: number) => string) => (value === null ? "–" : words(value));
const kind = (what: string, made: number | null, most?: number | null) => (most == null ? "" : `; ${what} ${count(made ?? 0)} of ${count(most)}`);
const share = (part: number, whole: number) => or(whole ? part / whole : null, percent);

function Now(props: { state: LiveState; rate: number | null }) {
  const { state } = props;
  const figures: [string, string, string][] = [
    ["sequence", count(state.sequence), "last event"],
    ["rate", or(props.rate, about), "events a second"],
    ["mistakes", count(state.mistakes), `mistakes in ${count(state.n_rounds)} rounds`],
    ["allowed", or(state.allowed?.mistakes ?? null, count), state.claim ? `allowed, claimed${kind("missed", state.false_negatives, state.allowed?.false_negatives)}${kind("false alarms", state.false_positives, state.allowed?.false_positives)}` : "allowed: nothing is claimed"],
    ["error", share(state.mistakes, state.n_rounds), "error in all rounds"],
    ["recent", or(state.recent_error, percent), "error in the last 1,000"],
  ];
  return (
    <Card title="Now">
      <ul class="figures live-figures">{figures.map(([name, value, said]) => <li key={name}><strong data-field={name}>{value}</strong><span>{said}</span></li>)}</ul>
    </Card>
  );
}

function Beside({ state }: { state: LiveState }) {
  const { shadow } = state;
  const line = (name: string, role: string, hue: number, made: number, recent: number | null) => (
    <tr>
      <th scope="row" class={`hue-${hue}`}><span class="spot" aria-hidden="true" /> {name.replaceAll("_", " ")} <small>{role}</small></th>
      <td data-field={`${role}-mistakes`}><strong>{count(made)}</strong></td>
      <td>{share(made, shadow!.both_played)}</td>
      <td>{or(recent, percent)}</td>
    </tr>
  );
  return (
    <Card title="Shadow against champion" note={shadow ? `over the ${count(shadow.both_played)} rounds that both played` : undefined}>
      {shadow ? (
        <Lines name="Shadow against champion" heads={["learner", "mistakes", "error", "last 1,000"]}>
          {line(state.learner, "champion", 0, shadow.champion_mistakes, state.recent_error)}
          {line(shadow.learner, "shadow", 1, shadow.mistakes, shadow.recent_error)}
        </Lines>
      ) : <p class="waiting">Nobody learns along.</p>}
    </Card>
  );
}

function Rounds({ state }: { state: LiveState }) {
  return (
    <Card title="Recent rounds" note="newest first; each was predicted before its label was used" class="span-2">
      {state.rounds.length ? (
        <Lines name="Recent rounds" class="live-rounds" heads={["event", "said", "was", "score", "mistake"]}>
          {[...state.rounds].reverse().map((one) => (
            <tr key={one.sequence}>
              <td>{count(one.sequence)}</td>
              <td>{one.prediction ?? "–"}</td>
              <td>{one.label ?? "–"}</td>
              <td>{or(one.score, short)}</td>
              <td>{one.mistake === null ? "refused" : one.mistake ? <span class="cross">✕</span> : <span class="tick">✓</span>}</td>
            </tr>
          ))}
        </Lines>
      ) : <p class="waiting">The next events appear here.</p>}
    </Card>
  );
}
