// What the proof follows, inside what it allows.
import { Card, Charted } from "../pieces";
import { band, linear, path, Plot, type Point } from "../plot";
import type { Potential } from "../types";
import { count, short } from "../words";

export function PotentialCard(props: { potential: Potential | null; waiting: boolean; t: number; hue: number; onPick: (t: number) => void }) {
  const told = props.potential;
  if (!told)
    return (
      <Card title="Potential">
        <p class="waiting">
          {props.waiting ? "The audit is on its way." : "No potential is known for this learner: its theorem, if there is one, is proved otherwise."}
        </p>
      </Card>
    );
  const last = told.rounds.length - 1;
  let at = 0;
  told.rounds.forEach((round, i) => { if (round <= props.t) at = i; });
  const numbers = (values: (number | null)[]) => values.map((one) => one ?? 0);
  const line = numbers(told.line.values);
  const most = told.most && numbers(told.most.values);
  const least = told.least && numbers(told.least.values);
  const top = 1.05 * Math.max(...line, ...(most ?? []), 1e-9);
  const low = Math.min(0, ...line);
  const xs = told.rounds.map((_, i) => i);
  const points = (values: number[]): Point[] => values.map((one, i) => [i, one]);
  return (
    <Card title="Potential" note={<>{told.title}, inside its bounds</>} class="potential">
      <Charted
        title={`the potential, ${told.title}`}
        heads={["round", told.line.name, ...(told.most ? [told.most.name] : []), ...(told.least ? [told.least.name] : []), ...told.others.map((one) => one.name)]}
        rows={() =>
          told.rounds.map((round, i) => [
            count(round), short(line[i]!), ...(most ? [short(most[i]!)] : []), ...(least ? [short(least[i]!)] : []),
            ...told.others.map((one) => (one.values[i] == null ? "–" : short(one.values[i]!))),
          ])
        }
      >
        <ul class="keys" aria-hidden="true">
          <li class={`hue-${props.hue}`}><span class="line" />{told.line.name}</li>
          {told.most && <li class={`hue-${props.hue}`}><span class="line dashed" />{told.most.name}</li>}
          {told.least && <li class={`hue-${props.hue}`}><span class="line dotted" />{told.least.name}</li>}
        </ul>
        <Plot
          name={`${told.title} after each update, ${short(line[last]!)} in the end${most ? `, at most ${short(most[last]!)}` : ""}`}
          height={238}
          margin={[8, 14, 26, 50]}
          x={(box) => linear(0, Math.max(1, last), box.left, box.right, 4)}
          y={(box) => linear(low, top, box.bottom, box.top, 4)}
          xName="updates"
          xText={count}
          onPick={(x) => props.onPick(Math.max(1, told.rounds[Math.min(last, Math.max(0, Math.round(x)))]!))}
        >
          {(x, y, box) => (
            <>
              {most && <path class={`room hue-${props.hue}`} d={band(xs, most, least ?? line.map(() => low), x, y)} />}
              {most && <path class={`bound strong hue-${props.hue}`} d={path(points(most), x, y)} />}
              {least && <path class={`bound dotted strong hue-${props.hue}`} d={path(points(least), x, y)} />}
              <path class={`curve strong hue-${props.hue}`} d={path(points(line), x, y)} />
              <line class="cursor" x1={x(at)} x2={x(at)} y1={box.top - 4} y2={box.bottom} />
              <circle class={`dot hue-${props.hue}`} cx={x(at)} cy={y(line[at]!)} r={5} />
            </>
          )}
        </Plot>
        <p class="potential-now">
          {short(line[at]!)} after update {count(at)}
          {most && <>, at most {short(most[at]!)}</>}
          {least && <>, at least {short(least[at]!)}</>}
          {told.others.map((one) => one.values[at] != null && <>; {one.name}: {short(one.values[at]!)}</>)}
        </p>
      </Charted>
    </Card>
  );
}
