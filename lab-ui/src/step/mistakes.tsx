// Mistakes, made and allowed: step curves, dashed bounds, and the room that is left.
import { Charted } from "../pieces";
import { linear, logarithmic, path, Plot, spread } from "../plot";
import type { Evidence, LearnerCurve } from "../types";
import { count } from "../words";

export interface Runner extends LearnerCurve {
  evidence: Evidence | null;
}

export function made(runner: { curve: [number, number][] }, t: number): number {
  let found = 0;
  for (const [round, mistakes] of runner.curve) {
    if (round > t) break;
    found = mistakes;
  }
  return found;
}

function bound(runner: Runner): { allowed: number; kind: string } | null {
  const { evidence } = runner;
  return evidence?.allowed != null ? { allowed: evidence.allowed, kind: evidence.kind } : null;
}

export function Mistakes(props: {
  runners: Runner[];
  on: number;
  t: number;
  rounds: number;
  log: boolean;
  onPick: (t: number) => void;
}) {
  const { runners, on, t, rounds } = props;
  const most = Math.max(4, ...runners.map((one) => one.mistakes));
  // A bound far above everything would press the curves flat: it is then named at the top.
  const bounds = runners.map(bound);
  const shown = bounds.map((one) => (one && one.allowed <= 3.2 * most ? one.allowed : null));
  const top = 1.07 * Math.max(most, ...shown.map((one) => one ?? 0));
  const narrow = innerWidth < 720;
  const margin: [number, number, number, number] = narrow ? [8, 10, 26, 36] : [8, 196, 26, 44];
  return (
    <Charted
      title="mistakes, made and allowed"
      heads={["learner", "made so far", "made in all", "allowed", "which is known"]}
      rows={() =>
        runners.map((one) => [
          one.title,
          count(made(one, t)),
          count(one.mistakes),
          bound(one) ? count(bound(one)!.allowed) : "–",
          one.evidence?.kind ?? "is being searched for",
        ])
      }
    >
      <Plot
        name={`Mistakes of ${runners.map((one) => `${one.title}: ${one.mistakes} made`).join(", ")} in ${count(rounds)} rounds`}
        height={narrow ? 250 : 272}
        margin={margin}
        x={(box) => (props.log ? logarithmic(rounds, box.left, box.right) : linear(0, rounds, box.left, box.right))}
        y={(box) => linear(0, top, box.bottom, box.top)}
        xName="rounds"
        xText={count}
        yText={count}
        onPick={(x) => props.onPick(Math.min(rounds, Math.max(1, Math.round(x))))}
      >
        {(x, y, box) => {
          const chosen = runners[on]!;
          const room = shown[on];
          const ends = runners.map((one) => y(one.mistakes));
          const above = shown.map((one) => (one === null ? null : y(one)));
          const labels = [
            ...runners.flatMap((one, i) =>
              bounds[i]
                ? [{ hue: i, at: above[i] ?? box.top + 8, text: `${above[i] === null ? "↑ " : ""}${one.title}: at most ${count(bounds[i]!.allowed)}`, kind: bounds[i]!.kind }]
                : [],
            ),
            ...runners.map((one, i) => ({ hue: i, at: ends[i]!, text: `${one.title}: ${count(one.mistakes)} made`, kind: "" })),
          ];
          const places = spread(labels.map((one) => one.at), 16, box.top + 6, box.bottom - 2);
          return (
            <>
              {room != null && (
                <rect class={`room hue-${on}`} x={box.left} width={box.right - box.left} y={y(room)} height={Math.max(0, y(chosen.mistakes) - y(room))} />
              )}
              {shown.map((one, i) =>
                one === null ? null : (
                  <line key={`b${i}`} class={`bound hue-${i} ${i === on ? "strong" : ""}`} x1={box.left} x2={box.right} y1={y(one)} y2={y(one)} />
                ),
              )}
              {runners.map((one, i) =>
                i === on ? null : <path key={i} class={`curve hue-${i}`} d={path(one.curve, x, y, one.all)} />,
              )}
              <path class={`curve strong hue-${on}`} d={path(chosen.curve, x, y, chosen.all)} />
              <line class="cursor" x1={x(t)} x2={x(t)} y1={box.top - 6} y2={box.bottom} />
              <circle class={`dot hue-${on}`} cx={x(t)} cy={y(made(chosen, t))} r={5.5} />
              {!narrow &&
                labels.map((one, i) => (
                  <text key={i} class={`label hue-${one.hue} ${one.hue === on ? "strong" : ""}`} x={box.right + 12} y={places[i]! + 4}>
                    {one.text}
                    {one.kind && <title>{one.kind}</title>}
                  </text>
                ))}
            </>
          );
        }}
      </Plot>
      {narrow && (
        <ul class="legend">
          {runners.map((one, i) => (
            <li key={i} class={`hue-${i} ${i === on ? "strong" : ""}`}>
              <span class="line" aria-hidden="true" />
              {one.title}: {count(one.mistakes)} made
              {bounds[i] ? `, at most ${count(bounds[i]!.allowed)} ${bounds[i]!.kind}` : ""}
            </li>
          ))}
        </ul>
      )}
    </Charted>
  );
}
