// The curves of a served model: mistakes so far, and errors stretch by stretch.
import { Charted } from "./pieces";
import { linear, path, Plot, type Point, spread } from "./plot";
import type { LiveFrame, LiveState } from "./types";
import { count, percent } from "./words";

const few = <T,>(all: T[]): T[] => all.filter((_, i) => i % Math.ceil(all.length / 24) === 0 || i === all.length - 1);

export function Mistakes({ state }: { state: LiveState }) {
  const { curve, shadow } = state;
  const allowed = state.allowed?.mistakes ?? null;
  const narrow = innerWidth < 720;
  const [first, last] = [curve[0]![0], Math.max(curve.at(-1)![0], curve[0]![0] + 1)];
  const beside = curve.filter((one) => one[2] !== null).map(([t, , s]) => [t, s!] as Point);
  const most = Math.max(4, state.mistakes, ...beside.map(([, s]) => s));
  // A bound far above everything would press the curve flat: it is then named at the top.
  const line = allowed !== null && allowed <= 3.2 * most ? allowed : null;
  const top = 1.07 * Math.max(most, line ?? 0);
  const labels = [
    { hue: 0, value: state.mistakes, text: `${state.learner.replaceAll("_", " ")}: ${count(state.mistakes)} made` },
    ...(allowed === null ? [] : [{ hue: 0, value: Math.min(allowed, top), text: `${line === null ? "↑ " : ""}at most ${count(allowed)} claimed` }]),
    ...(shadow && beside.length ? [{ hue: 1, value: beside.at(-1)![1], text: `had ${shadow.learner.replaceAll("_", " ")} predicted: ${count(beside.at(-1)![1])}` }] : []),
  ];
  const right = Math.max(150, ...labels.map((one) => 24 + 6.9 * one.text.length));
  return (
    <Charted
      title="mistakes so far"
      heads={["rounds", state.learner, ...(shadow ? [`had ${shadow.learner} predicted`] : [])]}
      rows={() => few(curve).map(([t, made, other]) => [count(t), count(made), ...(shadow ? [other === null ? "–" : count(other)] : [])])}
    >
      <Plot
        name={`Mistakes so far: ${labels.map((one) => one.text).join(", ")}, in ${count(state.n_rounds)} rounds`}
        height={narrow ? 250 : 300}
        margin={narrow ? [10, 12, 26, 44] : [10, right, 26, 54]}
        x={(box) => linear(first, last, box.left, box.right)}
        y={(box) => linear(0, top, box.bottom, box.top)}
        xName="rounds" xText={count} yText={count}
      >
        {(x, y, box) => {
          const places = spread(labels.map((one) => y(one.value)), 16, box.top + 6, box.bottom - 2);
          return (
            <>
              {line !== null && <rect class="room hue-0" x={box.left} width={box.right - box.left} y={y(line)} height={Math.max(0, y(state.mistakes) - y(line))} />}
              {line !== null && <line class="bound strong hue-0" x1={box.left} x2={box.right} y1={y(line)} y2={y(line)} />}
              {beside.length > 0 && <path class="curve hue-1" d={path(beside, x, y)} />}
              <path class="curve strong hue-0" d={path(curve.map(([t, made]) => [t, made] as Point), x, y)} />
              <circle class="dot hue-0" cx={x(state.n_rounds)} cy={y(state.mistakes)} r={4.5} />
              {!narrow && labels.map((one, i) => <text key={i} class={`label hue-${one.hue}`} x={box.right + 12} y={places[i]! + 4}>{one.text}</text>)}
            </>
          );
        }}
      </Plot>
      {narrow && <ul class="legend">{labels.map((one, i) => <li key={i} class={`hue-${one.hue}`}><span class="line" aria-hidden="true" />{one.text}</li>)}</ul>}
    </Charted>
  );
}

export function Errors({ frame }: { frame: LiveFrame }) {
  const { errors } = frame;
  const state = frame.state!;
  const narrow = innerWidth < 720;
  if (errors.length < 2) return <p class="waiting">After some more rounds.</p>;
  const beside = errors.filter((one) => one.shadow !== null).map((one) => [one.end, one.shadow!] as Point);
  const top = 1.1 * Math.max(0.02, ...errors.map((one) => Math.max(one.error, one.shadow ?? 0)));
  return (
    <Charted
      title="errors, stretch by stretch"
      heads={["up to round", state.learner, ...(beside.length ? [state.shadow?.learner ?? "shadow"] : [])]}
      rows={() => few(errors).map((one) => [count(one.end), percent(one.error), ...(beside.length ? [one.shadow === null ? "–" : percent(one.shadow)] : [])])}
    >
      <Plot
        name={`Share of mistakes, stretch by stretch; the last: ${percent(errors.at(-1)!.error)}`}
        height={narrow ? 190 : 200}
        margin={[10, narrow ? 12 : 150, 26, 54]}
        x={(box) => linear(state.curve[0]![0], errors.at(-1)!.end, box.left, box.right)}
        y={(box) => linear(0, Math.min(1, top), box.bottom, box.top, 4)}
        xName="rounds" xText={count} yText={(v) => `${+(100 * v).toPrecision(3)} %`}
      >
        {(x, y, box) => (
          <>
            {beside.length > 0 && <path class="curve hue-1" d={path(beside, x, y)} />}
            <path class="curve strong hue-0" d={path(errors.map((one) => [one.end, one.error] as Point), x, y)} />
            {!narrow && <text class="label hue-0" x={box.right + 12} y={y(errors.at(-1)!.error) + 4}>{percent(errors.at(-1)!.error)} lately</text>}
          </>
        )}
      </Plot>
    </Charted>
  );
}
