// Reasons: what weighs most, which rows made a weight, and why one row was predicted as it was.
import { useState } from "preact/hooks";
import { go } from "./address";
import { Bar } from "./bars";
import { Card, Trouble, Waiting } from "./pieces";
import { answers, ask, useAnswer } from "./server";
import type { Explained, History, Quality, Weighty } from "./types";
import { count, percent, short } from "./words";

export function Top({ quality, stream, params }: { quality: Quality; stream: string; params: URLSearchParams }) {
  const [column, choose] = useState<number | null>(null);
  const several = quality.weights.length > 1;
  const shown = quality.weights.find((one) => one.label === params.get("of")) ?? quality.weights[0];
  const blames = quality.journal && !answers;
  if (!shown) return <Card title="What weighs most" class="span-2"><p class="waiting">This learner has no weights that a feature could have alone.</p></Card>;
  const most = Math.max(...[...shown.for_, ...shown.against].map((one) => Math.abs(one.adds)), 0);
  const list = (title: string, rows: Weighty[], hue: number) => (
    <div class={`hue-${hue}`}>
      <h3>{title}</h3>
      {rows.length === 0 && <p class="waiting">none</p>}
      {rows.map((one) => (
        <button key={one.column} type="button" class="part top-part" disabled={!blames} onClick={() => choose(one.column)} title={`${one.name}: in ${count(one.rows)} rows`}>
          <span class="name">{one.name}</span><Bar value={Math.abs(one.adds)} most={most} signed={false} /><span class="number">{short(one.adds)}</span>
        </button>
      ))}
    </div>
  );
  return (
    <Card title="What weighs most" note={`first what many rows have${blames ? "; a click tells which rows made it" : answers ? "" : "; the Perceptron can tell which rows made a weight"}`} class="span-2"
      side={several && <label class="row-number">for <select value={shown.label} onChange={(event) => { choose(null); go({ of: event.currentTarget.value }); }}>{quality.weights.map((one) => <option key={one.label} value={one.label}>{one.label}</option>)}</select></label>}>
      <div class="two-lists own-none">{list(`for ${shown.label}`, shown.for_, 0)}{list("against", shown.against, 1)}</div>
      {column !== null && <BlameOf stream={stream} learner={quality.learner} column={column} label={several ? shown.label : undefined} />}
    </Card>
  );
}

function BlameOf(props: { stream: string; learner: string; column: number; label: string | undefined }) {
  const { value: told, error } = useAnswer(`${props.stream}|${props.learner}|${props.column}|${props.label}`, (signal) => ask<History>("step/weight", { ...props }, signal));
  if (error) return <Trouble error={error} />;
  if (!told) return <Waiting>The journal is played again.</Waiting>;
  const show = (t: number) => (props.label === undefined ? go({ stream: props.stream, learner: [props.learner], t }, "step") : go({ row: t }));
  return (
    <p class="said blame-line"><strong>{told.name}</strong> was moved in {count(told.updates)} rounds:{" "}
      {told.entries.slice(-12).map((one) => <button key={one.t} type="button" class="link" onClick={() => show(one.t)}>{count(one.t)}</button>).reduce<preact.ComponentChild[]>((all, one, i) => (i ? [...all, ", ", one] : [one]), [])}
      {told.matches === true && <> <span class="tick">✓</span> played again, they end at {short(told.weight)}</>}
    </p>
  );
}

export function Row(props: { stream: string; learner: string; t: number; rounds: number; version: number }) {
  const { t } = props;
  const { value: why, error } = useAnswer(`${props.stream}|${props.learner}|${t}|${props.version}`, (signal) => ask<Explained>("data/row", { stream: props.stream, learner: props.learner, t }, signal));
  const most = Math.max(...(why?.parts ?? []).map((one) => Math.abs(one.adds)), 0);
  // What is being typed: an answer that arrives meanwhile draws the card again, and must not wipe it.
  const [typed, type] = useState<string | null>(null);
  return (
    <Card title="Why, of one row" side={answers ? <span class="note">row {count(t)}</span> : <label class="row-number">row <input type="text" inputMode="numeric" value={typed ?? t} onInput={(event) => type(event.currentTarget.value)} onChange={() => { type(null); go({ row: Math.min(props.rounds, Math.max(1, Math.round(+typed!) || 1)) }); }} /></label>}>
      {error ? <Trouble error={error} /> : !why ? <Waiting>The row is taken apart.</Waiting> : (
        <>
          <p class="said">It said <strong>{why.said}</strong>{why.probability !== null && ` (${percent(why.probability)} for ${why.of})`}; it was <strong>{why.label}</strong>.</p>
          <div class="parts">
            <div class="parts-head"><span>what it added to the {why.unit}</span><span class="push" /><span>{short(why.total)} in all</span></div>
            {why.parts.map((part) => <div class="part" key={part.name}><span class="name" title={part.name}>{part.name}</span><Bar value={part.adds} most={most} signed /><span class="number">{short(part.adds)}</span></div>)}
            {why.constant !== 0 && <div class="part rest"><span class="name">every row</span><span /><span class="number">{short(why.constant)}</span></div>}
            {why.more > 0 && <div class="part rest"><span class="name">{count(why.more)} more</span></div>}
          </div>
        </>
      )}
    </Card>
  );
}
