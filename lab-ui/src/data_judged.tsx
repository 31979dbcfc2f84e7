// How well a file can be learned: errors, calibration, ROC, weights, one row, and the verdict.
import { useState } from "preact/hooks";
import { useActions } from "./actions";
import { go, link } from "./address";
import { Bar } from "./bars";
import { Card, Charted, copy, Switch, Trouble, Waiting } from "./pieces";
import { linear, path, Plot } from "./plot";
import { RaceChart } from "./race_chart";
import { ask, url, useAnswer, useEvents } from "./server";
import { EvidenceCard } from "./step/evidence";
import type { Elsewhere, Evidence, Explained, History, Look, Quality, RaceFrame, Weighty } from "./types";
import { count, percent, short } from "./words";

const LEARNERS = ["committee", "arow:bias=yes", "perceptron:bias=yes", "perceptron"];

export function Judged(props: { file: string; look: Look; version: number; params: URLSearchParams }) {
  const stream = `file:${props.file}`;
  const learner = props.params.get("learner") ?? LEARNERS[0]!;
  const [race, take] = useState<RaceFrame | null>(null);
  const key = `${stream}|${learner}|${props.version}`;
  const { running, error: raceError } = useEvents<RaceFrame>(`${url("race", { stream, learner: LEARNERS })}#${props.version}`, take);
  const { value: quality, error } = useAnswer(key, (signal) => ask<Quality>("data/quality", { stream, learner }, signal));
  const { value: evidence, error: noEvidence } = useAnswer(key, (signal) => ask<Evidence>("step/evidence", { stream, learner }, signal));
  const { value: elsewhere } = useAnswer(key, (signal) => ask<Elsewhere>("data/elsewhere", { key: props.file, learner }, signal));
  const copies = elsewhere
    ? [
        { name: "Copy as command", act: () => copy(elsewhere.commands.join("\n"), "Commands") },
        { name: "Copy as Python", act: () => copy(elsewhere.python, "Program") },
      ]
    : [];
  useActions([{ name: "Copy link", act: () => copy(link(), "Link") }, ...copies], `${key}|${elsewhere?.python}`);
  return (
    <div class="judged own-0">
      <div class="heading">
        <h2 class="section">How well can it be learned?</h2>
        <p class="facts">every row is predicted before its label is seen</p>
        <span class="push" />
        <Switch label="Learner" class="learners" value={learner} options={LEARNERS.map((one) => [one, one.replace(":bias=yes", " + bias")] as const)} onChange={(one) => go({ key: props.file, learner: one })} />
      </div>
      <div class="judged-grid">
        <Card title="Mistakes by learner" note={race?.phase === "searching" ? "searching for comparators" : running ? "running" : "a click opens that round"} class="span-2">
          {raceError ? <Trouble error={raceError} /> : race ? <RaceChart frame={race} log={false} stale={false} onOpen={(one, t) => go({ stream, learner: [one], t: Math.max(1, Math.round(t)) }, "step")} /> : <Waiting>The learners run.</Waiting>}
          {race && (
            <ul class="errors">
              {race.lines.map((one) => <li key={one.learner}><span>{one.learner}</span> <strong>{one.out ? "out" : percent(one.made / Math.max(1, race.rounds))}</strong> <small>{one.out ?? (one.last !== null && `${percent(one.last)} in the last quarter`)}</small></li>)}
            </ul>
          )}
        </Card>
        <div class="stack">
          <EvidenceCard evidence={evidence} error={noEvidence} />
          <Card title="Take it home">
            <ul class="take">
              <li><a class="plain" href={url("data/model", { key: props.file, learner })} download="model.thr">Model</a> what <code>thresher train</code> writes</li>
              <li><a class="plain" href={url("data/certificate", { stream, learner })} download="run.cert.json">Certificate</a> what <code>thresher verify</code> checks</li>
              <li><a class="plain" href={url("data/report", { key: props.file, learner })} download="report.html">Report</a> one page that opens anywhere</li>
              {copies.map((one) => <li key={one.name}><button type="button" class="plain" onClick={one.act}>{one.name}</button> to make it elsewhere</li>)}
            </ul>
          </Card>
        </div>
        {error && <Card title="Figures"><Trouble error={error} /></Card>}
        {quality && (
          <>
            <Calibration quality={quality} />
            <Roc quality={quality} />
            <Confusion quality={quality} look={props.look} />
            <Top quality={quality} stream={stream} look={props.look} />
            <Row stream={stream} learner={learner} rounds={quality.rounds} version={props.version} />
          </>
        )}
        {!quality && !error && <Card title="Figures"><Waiting>The figures are on their way.</Waiting></Card>}
      </div>
    </div>
  );
}

function Calibration({ quality }: { quality: Quality }) {
  if (!quality.calibration.length)
    return <Card title="Calibration"><p class="waiting">{quality.learner.split(":")[0]} says scores, not probabilities; the committee says both.</p></Card>;
  return (
    <Card title="Calibration" note="ten bins of equal counts">
      <Charted title="calibration" heads={["said", "came true", "rows"]} rows={() => quality.calibration.map((one) => [percent(one.said), percent(one.came), count(one.rows)])}>
        <Plot name="Probability that was said, against the share that came true" height={228} margin={[8, 12, 26, 44]} x={(box) => linear(0, 1, box.left, box.right, 4)} y={(box) => linear(0, 1, box.bottom, box.top, 4)} xName="said" xText={(v) => `${Math.round(100 * v)} %`} yText={(v) => `${Math.round(100 * v)} %`}>
          {(x, y) => (
            <>
              <line class="bound" style={{ stroke: "var(--muted)" }} x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
              <path class="curve strong hue-0" d={path(quality.calibration.map((one) => [one.said, one.came] as const), x, y)} />
              {quality.calibration.map((one, i) => <circle key={i} class="dot hue-0" cx={x(one.said)} cy={y(one.came)} r={4.5}><title>{`said ${percent(one.said)}, came true ${percent(one.came)}, ${one.rows} rows`}</title></circle>)}
            </>
          )}
        </Plot>
      </Charted>
    </Card>
  );
}

function Roc({ quality }: { quality: Quality }) {
  return (
    <Card title="ROC" note={quality.area === null ? undefined : <>area <strong data-field="area">{quality.area.toFixed(4)}</strong></>}>
      {quality.roc.length ? (
        <Charted title="the ROC curve" heads={["false alarms", "found"]} rows={() => quality.roc.filter((_, i) => i % 10 === 0).map(([a, b]) => [percent(a), percent(b)])}>
          <Plot name={`Found against false alarms, area ${quality.area?.toFixed(4)}`} height={228} margin={[8, 12, 26, 44]} x={(box) => linear(0, 1, box.left, box.right, 4)} y={(box) => linear(0, 1, box.bottom, box.top, 4)} xName="false alarms" xText={(v) => `${Math.round(100 * v)} %`} yText={(v) => `${Math.round(100 * v)} %`}>
            {(x, y, box) => (
              <>
                <path class="room hue-0" d={`${path(quality.roc, x, y)}V${box.bottom}H${box.left}Z`} />
                <line class="bound" style={{ stroke: "var(--muted)" }} x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
                <path class="curve strong hue-0" d={path(quality.roc, x, y)} />
              </>
            )}
          </Plot>
        </Charted>
      ) : <p class="waiting">There is one label only: nothing to tell apart.</p>}
    </Card>
  );
}

function Confusion({ quality, look }: { quality: Quality; look: Look }) {
  const plus = look.positive ?? "+1";
  const minus = Object.keys(look.counts).find((one) => one !== plus) ?? "−1";
  const [[a, b], [c, d]] = quality.confusion;
  return (
    <Card title="Said and true" note={`${count(quality.mistakes)} mistakes, ${percent(quality.mistakes / quality.rounds)}`}>
      <table class="confusion">
        <thead><tr><th scope="col">true</th><th scope="col">said {minus}</th><th scope="col">said {plus}</th></tr></thead>
        <tbody>
          <tr><th scope="row">{minus}</th><td>{count(a)}</td><td class="cross">✕ {count(b)}</td></tr>
          <tr><th scope="row">{plus}</th><td class="cross">✕ {count(c)}</td><td>{count(d)}</td></tr>
        </tbody>
      </table>
    </Card>
  );
}

function Top({ quality, stream, look }: { quality: Quality; stream: string; look: Look }) {
  const [column, choose] = useState<number | null>(null);
  const most = Math.max(...[...quality.for_, ...quality.against].map((one) => Math.abs(one.adds)), 0);
  const list = (title: string, rows: Weighty[], hue: number) => (
    <div class={`hue-${hue}`}>
      <h3>{title}</h3>
      {rows.length === 0 && <p class="waiting">none</p>}
      {rows.map((one) => (
        <button key={one.column} type="button" class="part top-part" disabled={!quality.journal} onClick={() => choose(one.column)} title={`${count(one.rows)} rows`}>
          <span class="name">{one.name}</span><Bar value={Math.abs(one.adds)} most={most} signed={false} /><span class="number">{short(one.adds)}</span>
        </button>
      ))}
    </div>
  );
  return (
    <Card title="What weighs most" note={quality.journal ? "a click tells which rows made it" : "this learner keeps no journal; the Perceptron tells which rows made a weight"} class="span-2">
      <div class="two-lists own-none">{list(`for ${look.positive ?? "+1"}`, quality.for_, 0)}{list("against", quality.against, 1)}</div>
      {column !== null && <BlameOf stream={stream} learner={quality.learner} column={column} />}
    </Card>
  );
}

function BlameOf(props: { stream: string; learner: string; column: number }) {
  const { value: told, error } = useAnswer(`${props.stream}|${props.learner}|${props.column}`, (signal) => ask<History>("step/weight", { ...props }, signal));
  if (error) return <Trouble error={error} />;
  if (!told) return <Waiting>The journal is played again.</Waiting>;
  return (
    <p class="said blame-line"><strong>{told.name}</strong> was moved in {count(told.updates)} rounds:{" "}
      {told.entries.slice(-12).map((one) => <button key={one.t} type="button" class="link" onClick={() => go({ stream: props.stream, learner: [props.learner], t: one.t }, "step")}>{count(one.t)}</button>).reduce<preact.ComponentChild[]>((all, one, i) => (i ? [...all, ", ", one] : [one]), [])}
      {told.matches === true && <> <span class="tick">✓</span> played again, they end at {short(told.weight)}</>}
    </p>
  );
}

function Row(props: { stream: string; learner: string; rounds: number; version: number }) {
  const [t, set] = useState(props.rounds);
  const { value: why, error } = useAnswer(`${props.stream}|${props.learner}|${t}|${props.version}`, (signal) => ask<Explained>("data/row", { stream: props.stream, learner: props.learner, t }, signal));
  const most = Math.max(...(why?.parts ?? []).map((one) => Math.abs(one.adds)), 0);
  return (
    <Card title="Why, of one row" side={<label class="row-number">row <input type="text" inputMode="numeric" value={t} onChange={(event) => set(Math.min(props.rounds, Math.max(1, Number(event.currentTarget.value) || 1)))} /></label>}>
      {error ? <Trouble error={error} /> : !why ? <Waiting>The row is taken apart.</Waiting> : (
        <>
          <p class="said">It said <strong>{why.said}</strong>{why.probability !== null && ` (${percent(why.probability)} for +1)`}; it was <strong>{why.label}</strong>.</p>
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
