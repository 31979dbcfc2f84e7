// Step: one stream, a few learners, and any round of theirs.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { go, link, useAddress } from "../address";
import { useActions } from "../actions";
import { announce, Card, copy, Menu, Switch, Trouble, Waiting } from "../pieces";
import { ask, recorded, url, useAnswer } from "../server";
import { LearnerForm, StreamForm } from "../stream";
import type { Evidence, Frame, Overview, Start } from "../types";
import { EvidenceCard } from "./evidence";
import { Mistakes, type Runner } from "./mistakes";
import { PotentialCard } from "./potential";
import { Round } from "./round";
import { Transport } from "./transport";
import { Weights } from "./weights";
import { count } from "../words";

export const USUAL = ["perceptron", "winnow", "elimination"];
const WINDOW = 32;
const frames = new Map<string, Promise<Frame[]>>();

function frameAt(stream: string, learner: string, on: number, t: number): Promise<Frame | undefined> {
  if (recorded) {
    const kept = recorded.frames[on] ?? [];
    return Promise.resolve(kept.findLast((one) => one.t <= t) ?? kept[0]);
  }
  const first = Math.floor((t - 1) / WINDOW) * WINDOW + 1;
  const key = `${stream}|${learner}|${first}`;
  if (!frames.has(key)) {
    if (frames.size > 200) frames.clear();
    const answer = ask<Frame[]>("step/rounds", { stream, learner, first, count: WINDOW });
    answer.catch(() => frames.delete(key));
    frames.set(key, answer);
  }
  return frames.get(key)!.then((list) => list[t - first]);
}

/** The next mistake: from the curve if that has all of them, from the lab otherwise. */
async function mistakeFrom(overview: Overview, on: number, t: number, direction: number): Promise<number> {
  const runner = overview.learners[on]!;
  if (!runner.all) {
    const answer = await ask<{ t: number }>("step/mistake", { stream: overview.stream, learner: runner.text, t, direction });
    return answer.t;
  }
  const wrong = runner.curve.filter(([, made], i) => i > 0 && made > runner.curve[i - 1]![1]).map(([round]) => round);
  return (direction > 0 ? wrong.find((one) => one > t) : wrong.findLast((one) => one < t)) ?? t;
}

export function Step(props: { start: Start | null }) {
  const { params } = useAddress();
  const stream = recorded?.overview.stream ?? params.get("stream") ?? props.start?.stream ?? "mushrooms:order=1";
  const given = params.getAll("learner");
  const learners = recorded ? recorded.overview.learners.map((one) => one.text) : given.length ? given : USUAL;
  const { value: overview, error, loading } = useAnswer(`${stream}|${learners.join("|")}`, (signal) =>
    recorded ? Promise.resolve(recorded.overview) : ask<Overview>("step", { stream, learner: learners }, signal),
  );
  if (error) return <main class="page"><Trouble error={error} again={() => go({ stream: null, learner: null, on: null, t: null })} /></main>;
  if (!overview || (loading && overview.stream !== stream))
    return <main class="page"><Waiting>The learners run over the stream.</Waiting></main>;
  return <Shown key={overview.stream} overview={overview} start={props.start} params={params} />;
}

function Shown(props: { overview: Overview; start: Start | null; params: URLSearchParams }) {
  const { overview, params } = props;
  const { rounds, stream } = overview;
  const texts = overview.learners.map((one) => one.text);
  const on = Math.min(Math.max(Number(params.get("on") ?? (texts.length > 1 ? 2 : 1)) - 1 || 0, 0), texts.length - 1);
  const learner = overview.learners[on]!;
  const t = Math.min(Math.max(Math.round(Number(params.get("t") ?? 1)) || 1, 1), rounds);
  const log = params.get("scale") !== "linear";
  const [playing, play] = useState(false);
  const [evidence, setEvidence] = useState<Record<string, Evidence>>({});
  const [troubles, setTroubles] = useState<Record<string, Error>>({});

  // The learner that is looked at comes first; a search may take seconds.
  useEffect(() => {
    const stop = new AbortController();
    const order = [on, ...texts.keys()].filter((one, i, all) => all.indexOf(one) === i);
    for (const i of order) {
      const text = texts[i]!;
      if (evidence[text]) continue;
      const answer = recorded ? Promise.resolve(recorded.evidence[i]!) : ask<Evidence>("step/evidence", { stream, learner: text }, stop.signal);
      answer.then(
        (told) => setEvidence((old) => ({ ...old, [text]: told })),
        (error) => !stop.signal.aborted && setTroubles((old) => ({ ...old, [text]: error })),
      );
    }
    return () => stop.abort();
  }, [texts.join("|")]);

  const { value: found, error } = useAnswer(`${stream}|${learner.text}|${t}`, () => frameAt(stream, learner.text, on, t));
  const frame = found ?? null;
  const goTo = (next: number) => {
    let to = Math.min(Math.max(next, 1), rounds);
    if (recorded) {
      // Only some rounds are in the file: the next one of them in the direction of the wish.
      const kept = recorded.frames[on] ?? [];
      to = (to >= t ? kept.find((one) => one.t >= to) : kept.findLast((one) => one.t <= to))?.t ?? t;
    }
    go({ t: to });
  };
  const seek = (direction: number) => void mistakeFrom(overview, on, t, direction).then((to) => go({ t: to }));
  const choose = (i: number) => i < texts.length && go({ on: i + 1 });

  useEffect(() => {
    if (!playing) return;
    if (t >= rounds) return play(false);
    const timer = setTimeout(() => goTo(t + 1), 140);
    void frameAt(stream, learner.text, on, Math.min(rounds, t + WINDOW)).catch(() => {});
    return () => clearTimeout(timer);
  }, [playing, t, on]);

  useEffect(() => {
    if (frame && !playing) announce(`Round ${count(frame.t)}: ${learner.title} said ${frame.said}; it was ${frame.label}. ${frame.sentence}`);
  }, [frame, playing]);

  const act = useRef((_: KeyboardEvent) => {});
  act.current = (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
    if (event.key === " " && /^(BUTTON|SUMMARY|A)$/.test(target.tagName)) return;
    const jump = event.shiftKey ? 10 : 1;
    const does: Record<string, () => void> = {
      ArrowLeft: () => goTo(t - jump), ArrowRight: () => goTo(t + jump), Home: () => goTo(1), End: () => goTo(rounds),
      m: () => seek(1), M: () => seek(-1), " ": () => play(!playing), l: () => go({ scale: log ? "linear" : null }),
    };
    const what = does[event.key] ?? (/^[1-9]$/.test(event.key) ? () => choose(Number(event.key) - 1) : null);
    if (!what) return;
    event.preventDefault();
    what();
  };
  useEffect(() => {
    const listen = (event: KeyboardEvent) => act.current(event);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);

  useActions(
    [
      { name: "Copy link", act: () => copy(link(), "Link") },
      { name: "Copy as command", act: () => copy(learner.commands.join("\n"), "Commands") },
      { name: "Copy as Python", act: () => copy(learner.python, "Program") },
      { name: "Save as HTML", href: url("step/page", { stream, learner: texts, t, view: `#step?on=${on + 1}&t=${t}${log ? "" : "&scale=linear"}` }) },
    ],
    `${stream}|${texts.join("|")}|${on}|${t}|${log}`,
  );

  const runners: Runner[] = overview.learners.map((one) => ({ ...one, evidence: evidence[one.text] ?? null }));
  const ticks = useMemo(() => learner.curve.filter(([, made], i) => i > 0 && made > learner.curve[i - 1]![1]).map(([round]) => round), [learner]);
  const told = evidence[learner.text] ?? null;
  const trouble = troubles[learner.text] ?? null;
  return (
    <>
      <main class={`page step own-${on}`}>
        <div class="heading">
          <h1>{overview.title}</h1>
          <p class="facts">{overview.facts.join(" · ")}</p>
          {!recorded && props.start && (
            <Menu label="Change stream" class="quiet">
              {(close) => <StreamForm kinds={props.start!.kinds} text={stream} onDone={(text) => { close(); go({ stream: text, t: null }); }} />}
            </Menu>
          )}
          <span class="push" />
          <div class="switch learners" role="group" aria-label="Learner">
            {overview.learners.map((one, i) => (
              <button key={one.text} type="button" class={`hue-${i}`} aria-pressed={i === on} onClick={() => choose(i)}>
                <span class="spot" aria-hidden="true" />{one.title}
              </button>
            ))}
          </div>
          {!recorded && props.start && (
            <Menu label="+" name="Other learners" class="quiet" right>
              {(close) => (
                <>
                  {texts.length > 1 && (
                    <ul class="leave">
                      {texts.map((text, i) => (
                        <li key={text}><button type="button" class="link" onClick={() => { close(); go({ learner: texts.filter((one) => one !== text), on: null }); }}>Take {overview.learners[i]!.title} away</button></li>
                      ))}
                    </ul>
                  )}
                  {texts.length < 6 ? (
                    <LearnerForm learners={[...props.start!.learners, "halving"]} onDone={(text) => { close(); if (!texts.includes(text)) go({ learner: [...texts, text], on: texts.length + 1 }); }} />
                  ) : <p class="hint">Six at a time.</p>}
                </>
              )}
            </Menu>
          )}
        </div>
        {overview.secret && <p class="secret">Behind the stream: {overview.secret}</p>}
        {recorded && <p class="secret">A recorded run: this file holds {count(recorded.frames[on]?.length ?? 0)} of {count(rounds)} rounds, {learner.mistakes <= 240 ? "every mistake" : "many mistakes"} among them.</p>}
        <div class="grid">
          <Card
            title="Mistakes, made and allowed"
            note={`dashed: the most that its theorem allows${told?.allowed != null ? `, ${told.kind}` : ""}`}
            class="wide"
            side={<Switch label="Scale of rounds" value={log ? "log" : "linear"} options={[["log", "log"], ["linear", "linear"]]} onChange={(scale) => go({ scale: scale === "log" ? null : scale })} />}
          >
            <Mistakes runners={runners} on={on} t={t} rounds={rounds} log={log} onPick={goTo} />
          </Card>
          <div class="column">
            {error ? <Card title="This round"><Trouble error={error} /></Card> : frame ? <Round frame={frame} overview={overview} title={learner.title} mistakes={learner.mistakes} /> : <Card title="This round"><Waiting>The round is being played again.</Waiting></Card>}
            <EvidenceCard evidence={told} error={trouble as never} />
          </div>
          {frame ? <Weights key={learner.text} frame={frame} stream={stream} learner={learner.text} rounds={rounds} hue={on} onPick={goTo} /> : <Card title="Weights after this round"><Waiting>The round is being played again.</Waiting></Card>}
          <PotentialCard potential={told?.potential ?? null} waiting={!told && !trouble} t={t} hue={on} onPick={goTo} />
        </div>
      </main>
      <Transport t={t} rounds={rounds} ticks={ticks} hue={on} log={log} playing={playing} learners={texts.length} onPlay={() => play(!playing)} onGo={goTo} onMistake={seek} />
    </>
  );
}
