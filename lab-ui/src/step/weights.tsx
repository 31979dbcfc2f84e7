// Weights after this round; a click tells how one came to be.
import { useState } from "preact/hooks";
import { Bar } from "../bars";
import { Card, Charted, Trouble, Waiting } from "../pieces";
import { linear, path, Plot, type Point } from "../plot";
import { ask, recorded, useAnswer } from "../server";
import type { Frame, History } from "../types";
import { count, minus, short } from "../words";

export function Weights(props: {
  frame: Frame;
  stream: string;
  learner: string;
  rounds: number;
  hue: number;
  onPick: (t: number) => void;
}) {
  const [column, choose] = useState<number | null>(null);
  const { weights, n_weights } = props.frame;
  if (column !== null)
    return (
      <Card title="How a weight came to be" side={<button type="button" class="plain small" onClick={() => choose(null)}>All weights</button>}>
        <Blame {...props} column={column} />
      </Card>
    );
  const most = Math.max(...weights.map((one) => Math.abs(one.value)), 0);
  const signed = weights.some((one) => one.value < 0);
  return (
    <Card title="Weights after this round" note={`largest ${weights.length} of ${count(n_weights)}; strong: in this row`}>
      <div class="weights">
        {weights.map((one) => (
          <button
            type="button"
            key={one.column}
            class={`weight ${one.active ? "active" : ""}`}
            disabled={recorded !== null}
            title="How did it come to be?"
            onClick={() => choose(one.column)}
          >
            <span class="name">{one.name}</span>
            <Bar value={one.value} most={most} signed={signed} soft={!one.active} />
            <span class="number">
              {one.moved !== 0 && <span class="moved"><span aria-hidden="true">{one.moved > 0 ? "▲" : "▼"}</span><span class="away">{one.moved > 0 ? "went up to" : "went down to"}</span> </span>}
              {minus(one.text)}
            </span>
          </button>
        ))}
        {weights.length === 0 && <p class="waiting">This learner keeps concepts, not weights: the potential shows how many are left.</p>}
      </div>
    </Card>
  );
}

function Blame(props: { stream: string; learner: string; column: number; rounds: number; hue: number; onPick: (t: number) => void }) {
  const { stream, learner, column } = props;
  const { value: told, error } = useAnswer(`${stream}|${learner}|${column}`, (signal) =>
    ask<History>("step/weight", { stream, learner, column }, signal),
  );
  if (error) return <Trouble error={error} />;
  if (!told) return <Waiting>The journal is being played again.</Waiting>;
  const points: Point[] = [[0, told.start], ...told.entries.map((one) => [one.t, one.weight] as const), [props.rounds, told.weight]];
  const values = points.map((one) => one[1]);
  return (
    <>
      <p class="said">
        <strong>{told.name}</strong>: {short(told.start)} at first, <strong>{short(told.weight)}</strong> after {count(told.updates)} {told.updates === 1 ? "update" : "updates"}
        {told.matches === true && <> <span class="tick">✓</span> the journal, played again, ends there</>}
      </p>
      <Charted
        title={`the weight of ${told.name}`}
        heads={["round", "label", "value", "weight after"]}
        rows={() => told.entries.map((one) => [count(one.t), one.label, short(one.value), short(one.weight)])}
      >
        <Plot
          name={`The weight of ${told.name} from ${short(told.start)} to ${short(told.weight)}`}
          height={150}
          margin={[10, 12, 24, 44]}
          x={(box) => linear(0, props.rounds, box.left, box.right, 4)}
          y={(box) => linear(Math.min(0, ...values), Math.max(...values, 1e-9) * 1.08, box.bottom, box.top, 4)}
          xText={count}
        >
          {(x, y) => <path class={`curve strong hue-${props.hue}`} d={path(points, x, y, true)} />}
        </Plot>
      </Charted>
      <ul class="blame">
        {told.entries.slice(-5).reverse().map((one) => (
          <li key={one.t}>
            <button type="button" class="link" onClick={() => props.onPick(one.t)}>round {count(one.t)}</button> {one.label}: became {short(one.weight)}
          </li>
        ))}
      </ul>
    </>
  );
}
