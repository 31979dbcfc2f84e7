// How well a file can be learned: who errs how often, what is certified, and what can be kept.
import { useState } from "preact/hooks";
import { useActions } from "./actions";
import { go, link } from "./address";
import { Calibration, Confusion, Roc } from "./data_figures";
import { Row, Top } from "./data_reasons";
import { Card, copy, Switch, Trouble, Waiting } from "./pieces";
import { RaceChart } from "./race_chart";
import { answers, ask, url, useAnswer, useEvents } from "./server";
import { EvidenceCard } from "./step/evidence";
import type { Elsewhere, Evidence, Look, Quality, RaceFrame } from "./types";
import { percent } from "./words";

export function Judged(props: { file: string; look: Look; version: number; params: URLSearchParams }) {
  const { look, params } = props;
  const stream = `file:${props.file}`;
  const given = params.get("learner");
  const learner = given !== null && look.learners.includes(given) ? given : look.learners[0]!;
  const [race, take] = useState<RaceFrame | null>(null);
  const key = `${stream}|${learner}|${props.version}`;
  const { running, error: raceError } = useEvents<RaceFrame>(`${url("race", { stream, learner: look.learners })}#${props.version}`, take);
  const { value: quality, error } = useAnswer(key, (signal) => ask<Quality>("data/quality", { stream, learner }, signal));
  const { value: evidence, error: noEvidence } = useAnswer(key, (signal) => ask<Evidence>("step/evidence", { stream, learner }, signal));
  const { value: elsewhere } = useAnswer(key, (signal) => ask<Elsewhere>("data/elsewhere", { key: props.file, learner }, signal));
  const copies = elsewhere
    ? [
        { name: "Copy as command", act: () => copy(elsewhere.commands.join("\n"), "Commands") },
        { name: "Copy as Python", act: () => copy(elsewhere.python, "Program") },
      ]
    : [];
  const row = Number(params.get("row")) || quality?.rounds || 1;
  const page = url("data/page", { key: props.file, learner, row, view: link().replace(/^[^#]*/, "") });
  useActions([{ name: "Copy link", act: () => copy(link(), "Link") }, ...copies, { name: "Save as HTML", href: page }], `${page}|${elsewhere?.python}`);
  const opens = !answers && !look.several;
  return (
    <div class="judged own-0">
      <div class="heading">
        <h2 class="section">How well can it be learned?</h2>
        <p class="facts">every row is predicted before its label is seen{answers ? ` · ${learner}` : ""}</p>
        <span class="push" />
        {!answers && <Switch label="Learner" class="learners" value={learner} options={look.learners.map((one) => [one, one.replace(":bias=yes", " + bias").replaceAll("_", " ")] as const)} onChange={(one) => go({ key: props.file, learner: one })} />}
      </div>
      <div class="judged-grid">
        <Card title="Mistakes by learner" note={race?.phase === "searching" ? "searching for comparators" : running ? "running" : opens ? "a click opens that round" : look.several ? "two-class learners run once for each class" : undefined} class="span-2"
          side={!answers && <button type="button" class="plain small" onClick={() => go({ stream, learner: look.learners }, "race")}>Open in Race</button>}>
          {raceError ? <Trouble error={raceError} /> : race ? <RaceChart frame={race} log={false} stale={false} onOpen={opens ? (one, t) => go({ stream, learner: [one], t: Math.max(1, Math.round(t)) }, "step") : null} /> : <Waiting>The learners run.</Waiting>}
          {race && (
            <ul class="errors">
              {race.lines.map((one) => <li key={one.learner}><span>{one.learner.replaceAll("_", " ")}</span> <strong>{one.out ? "out" : percent(one.made / Math.max(1, race.rounds))}</strong> <small>{one.out ?? (one.last !== null && `${percent(one.last)} in the last quarter`)}</small></li>)}
            </ul>
          )}
        </Card>
        <div class="stack">
          <EvidenceCard evidence={evidence} error={noEvidence} />
          <Card title="Take it home">
            {answers ? <pre class="commands"><code>{elsewhere?.commands.join("\n")}</code></pre> : (
              <ul class="take">
                <li><a class="plain" href={url("data/model", { key: props.file, learner })} download="model.thr">Model</a><span>what <code>thresher train</code> writes</span></li>
                {evidence?.replayed && <li><a class="plain" href={url("data/certificate", { stream, learner })} download="run.cert.json">Certificate</a><span>what <code>thresher verify</code> checks</span></li>}
                <li><a class="plain" href={url("data/report", { key: props.file, learner })} download="report.html">Report</a><span>one page that opens anywhere</span></li>
                {copies.map((one) => <li key={one.name}><button type="button" class="plain" onClick={one.act}>{one.name}</button><span>to make it elsewhere</span></li>)}
              </ul>
            )}
          </Card>
        </div>
        {error && <Card title="Figures"><Trouble error={error} /></Card>}
        {quality && (
          <>
            {look.several ? <Confusion quality={quality} wide /> : <><Calibration quality={quality} /><Roc quality={quality} /><Confusion quality={quality} /></>}
            {look.several && <Calibration quality={quality} />}
            <Top quality={quality} stream={stream} params={params} />
            <Row stream={stream} learner={learner} t={Math.min(row, quality.rounds)} rounds={quality.rounds} version={props.version} />
          </>
        )}
        {!quality && !error && <Card title="Figures"><Waiting>The figures are on their way.</Waiting></Card>}
      </div>
    </div>
  );
}
