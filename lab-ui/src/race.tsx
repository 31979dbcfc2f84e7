// Race: several learners over one stream; a moved slider starts it anew.
import { useEffect, useRef, useState } from "preact/hooks";
import { useActions } from "./actions";
import { go, link, useAddress } from "./address";
import { announce, Card, copy, Lines, Menu, Switch, Trouble } from "./pieces";
import { Controls, PRESETS } from "./race_controls";
import { type Open, RaceChart } from "./race_chart";
import { recordedRace, url, useEvents } from "./server";
import { LearnerForm, parsed } from "./stream";
import type { RaceFrame, Start } from "./types";
import { about, count, percent } from "./words";

/** A value that settles before it counts: a slider says many on its way. */
function useSettled(value: string, wait: number): string {
  const [settled, set] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => set(value), wait);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

export function Race(props: { start: Start | null }) {
  const { start } = props;
  const { params } = useAddress();
  const preset = PRESETS[0]!;
  const stream = params.get("stream") ?? preset.stream;
  const given = params.getAll("learner");
  const learners = given.length ? given : preset.learners;
  const seeds = Number(params.get("seeds") ?? 1) || 1;
  const log = params.get("scale") === "log";
  const query = { stream, learner: learners, seeds: seeds > 1 ? seeds : undefined };
  const address = useSettled(url("race", query), 90);
  const [frame, take] = useState<RaceFrame | null>(recordedRace?.race ?? null);
  const fresh = useRef(address);
  const { running, error } = useEvents<RaceFrame>(recordedRace ? null : address, (next) => {
    fresh.current = address;
    take(next);
  });
  const kind = start?.kinds.find((one) => one.kind === parsed(stream).kind);
  useActions(
    [
      { name: "Copy link", act: () => copy(link(), "Link") },
      { name: "Copy as command", act: () => copy((frame?.commands ?? []).join("\n"), "Commands") },
      ...(frame?.python ? [{ name: "Copy as Python", act: () => copy(frame.python, "Program") }] : []),
      { name: "Save as HTML", href: url("race/page", { ...query, view: link().replace(/^[^#]*/, "") }) },
    ],
    `${link()}|${frame?.commands?.join()}`,
  );
  useEffect(() => {
    if (frame?.phase === "done")
      announce(`Race over after ${count(frame.rounds)} rounds. ${frame.lines.map((one) => `${one.learner}: ${count(one.made)} mistakes`).join(", ")}`);
  }, [frame?.phase, frame?.rounds]);
  const open: Open | null = recordedRace || seeds > 1 || frame?.several ? null : (learner, t) => {
    const on = learners.indexOf(learner);
    if (on >= 0) go({ stream, learner: learners, on: on + 1, t: Math.max(1, Math.round(t)) }, "step");
  };
  const note = given.length ? "a click on a curve opens that round" : preset.why;
  return (
    <main class="page race">
      <div class="heading">
        <h1>Race</h1>
        <p class="facts">
          {frame ? <>{frame.title} · {count(frame.rounds)}{frame.total && frame.rounds < frame.total ? ` of ${count(frame.total)}` : ""} rounds{seeds > 1 ? ` · ${frame.seeds} of ${seeds} seeds` : ""}</> : "on the way"}
        </p>
        <span class={`state ${running ? "on" : ""}`}>{error ? "stopped" : !running ? "finished" : frame?.phase === "searching" ? "searching for comparators" : "running"}</span>
        <span class="push" />
        {start && <div class="presets" role="group" aria-label="Presets">
          {PRESETS.map((one) => (
            <button key={one.name} type="button" class="plain small" aria-pressed={(params.get("preset") ?? (given.length ? "" : preset.name)) === one.name} title={one.why} onClick={() => go({ stream: one.stream, learner: one.learners, seeds: null, preset: one.name })}>
              {one.name}
            </button>
          ))}
        </div>}
      </div>
      <div class={start ? "race-grid" : ""}>
        {start && <div class="race-side">
          <Controls kinds={start.kinds} learners={start.learners} stream={stream} onStream={(text) => go({ stream: text, learner: learners })} />
          <Card title="Learners" note="with their settings">
            <ul class="runners">
              {learners.map((text, i) => (
                <li key={text} class={`hue-${i}`}>
                  <span class="spot" aria-hidden="true" />
                  <span class="name">{text.replaceAll("_", " ")}</span>
                  {text.split(":")[0] === "winnow" && (
                    <label class="beta">β <input type="range" min={0.05} max={2} step={0.05} aria-label="Beta of Winnow" value={Number(/beta=([\d.]+)/.exec(text)?.[1] ?? 1)}
                      onInput={(event) => { const beta = event.currentTarget.value; go({ stream, learner: learners.map((one) => (one === text ? (beta === "1" ? "winnow" : `winnow:beta=${beta}`) : one)) }); }} /></label>
                  )}
                  {learners.length > 1 && (
                    <button type="button" class="drop" aria-label={`Take ${text} away`} onClick={() => go({ stream, learner: learners.filter((one) => one !== text) })}>✕</button>
                  )}
                </li>
              ))}
            </ul>
            {learners.length < 6 && (
              <Menu label="+ Add a learner" class="quiet">
                {(close) => <LearnerForm learners={[...start.learners, ...(frame?.several ? start.several : [])]} onDone={(text) => { close(); if (!learners.includes(text)) go({ stream, learner: [...learners, text] }); }} />}
              </Menu>
            )}
          </Card>
        </div>}
        <div class="race-main">
          <Card
            title="Mistakes" note={seeds > 1 ? "median of the seeds; shaded: eight in ten" : frame?.several ? "two-class learners run once for each class" : open ? (PRESETS.find((one) => one.name === params.get("preset"))?.why ?? note) : "a recorded race"}
            side={
              <>
                {kind?.random && <Switch label="Seeds" value={seeds > 1 ? "20" : "1"} options={[["1", "one seed"], ["20", "20 seeds"]]} onChange={(n) => go({ stream, learner: learners, seeds: n === "1" ? null : n })} />}{" "}
                <Switch label="Scale of rounds" value={log ? "log" : "linear"} options={[["log", "log"], ["linear", "linear"]]} onChange={(scale) => go({ scale: scale === "log" ? "log" : null })} />
              </>
            }
          >
            {error ? <Trouble error={error} /> : frame ? <RaceChart frame={frame} log={log} stale={fresh.current !== address} onOpen={open} /> : <p class="waiting">The learners line up.</p>}
          </Card>
          {frame && !error && <Standings frame={frame} learners={learners} many={seeds > 1} onOpen={open} />}
          {frame?.secret && !error && <p class="secret below">Behind the stream: {frame.secret}</p>}
        </div>
      </div>
    </main>
  );
}

function Standings(props: { frame: RaceFrame; learners: string[]; many: boolean; onOpen: Open | null }) {
  const { frame, learners, onOpen } = props;
  return (
    <Card title="Standings" note={props.many ? "medians; the bound is that of every seed" : undefined}>
      <Lines name="Standings" heads={["learner", "made", "allowed", "missed", "alarms", "last quarter", "rounds/s"]}>
        {[...frame.lines].sort((a, b) => Number(!!a.out) - Number(!!b.out) || a.made - b.made).map((one) => (
          <tr key={one.learner}>
            <th scope="row" class={`hue-${learners.indexOf(one.learner)}`}>
              <span class="spot" aria-hidden="true" />{" "}
              {learners.includes(one.learner) && onOpen ? <button type="button" class="link own" onClick={() => onOpen(one.learner, 1)}>{one.learner.replaceAll("_", " ")}</button> : one.learner.replaceAll("_", " ")}
            </th>
            {one.out ? <td colSpan={6} class="out">out: {one.out}</td> : (
              <>
                <td data-field="made"><strong>{count(one.made)}</strong></td>
                <td title={one.theorem ?? ""}>{one.allowed === null ? "–" : <><span data-field="allowed">{count(one.allowed)}</span> <small>{one.known}</small></>}{one.refuted_in !== null && <small class="cross"> refuted in round {count(one.refuted_in)}</small>}</td>
                <td>{one.missed === null ? "–" : count(one.missed)}</td>
                <td>{one.alarms === null ? "–" : count(one.alarms)}</td>
                <td>{one.last === null ? "–" : percent(one.last)}</td>
                <td>{one.speed === null ? "–" : about(one.speed)}</td>
              </>
            )}
          </tr>
        ))}
      </Lines>
    </Card>
  );
}
