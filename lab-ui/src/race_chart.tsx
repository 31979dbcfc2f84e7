// The curves of a race, with labels at their ends, bounds dashed, and bands for many seeds.
import { Charted } from "./pieces";
import { band, linear, logarithmic, path, Plot, spread } from "./plot";
import type { RaceFrame } from "./types";
import { count } from "./words";

/** Shows a learner's round in Step; null where there is none to show. */
export type Open = (learner: string, t: number) => void;

export function RaceChart(props: { frame: RaceFrame; log: boolean; stale: boolean; onOpen: Open | null }) {
  const { frame } = props;
  const baseline = frame.lines.length - 1;
  const lines = frame.lines.filter((one, i) => i !== baseline && !one.out);
  const hue = (name: string) => frame.lines.findIndex((one) => one.learner === name);
  const rounds = Math.max(frame.total ?? 0, frame.rounds, 1);
  const most = Math.max(4, ...lines.map((one) => Math.max(one.made, ...(one.high ?? [0]))));
  const bounds = lines.filter((one) => one.allowed !== null && one.allowed <= 3.2 * most);
  const top = 1.06 * Math.max(most, ...bounds.map((one) => one.allowed!));
  const narrow = innerWidth < 720;
  // Room for the longest name at the right, as wide as its letters are on average.
  const beside = Math.min(300, Math.max(150, ...lines.map((one) => 24 + 6.9 * `${one.learner}: ${count(one.made)} made`.length)));
  return (
    <div class={props.stale ? "stale" : ""}>
      <Charted
        title="mistakes in the race"
        heads={["rounds", ...lines.map((one) => one.learner)]}
        rows={() => (lines[0]?.points ?? []).filter((_, i, all) => i % Math.ceil(all.length / 24) === 0 || i === all.length - 1).map(([t], i, kept) => [
          count(t), ...lines.map((one) => count(one.points.findLast(([at]) => at <= kept[i]![0])?.[1] ?? 0)),
        ])}
      >
        <Plot
          name={`Mistakes in the race: ${lines.map((one) => `${one.learner} ${count(one.made)}`).join(", ")}`}
          height={narrow ? 270 : 372}
          margin={narrow ? [10, 12, 26, 44] : [10, beside, 26, 54]}
          x={(box) => (props.log ? logarithmic(rounds, box.left, box.right) : linear(0, rounds, box.left, box.right))}
          y={(box) => linear(0, top, box.bottom, box.top)}
          xName="rounds" xText={count} yText={count}
        >
          {(x, y, box) => {
            const labels = [
              ...lines.map((one) => ({ one, at: y(one.made), text: `${one.learner.replaceAll("_", " ")}: ${count(one.made)} made` })),
              ...lines.filter((one) => one.allowed !== null).map((one) => ({ one, at: one.allowed! <= top ? y(one.allowed!) : box.top, text: `${one.allowed! > top ? "↑ " : ""}at most ${count(one.allowed!)} ${one.known}` })),
            ];
            const places = spread(labels.map((one) => one.at), 16, box.top + 6, box.bottom - 2);
            return (
              <>
                {lines.map((one) => one.low && one.high && <path key={`w${one.learner}`} class={`room hue-${hue(one.learner)}`} d={band(one.points.map(([t]) => t), one.high, one.low, x, y)} />)}
                {bounds.map((one) => <line key={`b${one.learner}`} class={`bound hue-${hue(one.learner)}`} x1={box.left} x2={box.right} y1={y(one.allowed!)} y2={y(one.allowed!)} />)}
                {lines.map((one) => (
                  <g key={one.learner} class={props.onOpen ? "openable" : ""} onClick={(event) => props.onOpen?.(one.learner, x.invert(event.offsetX))}>
                    {props.onOpen && <path class="reach" d={path(one.points, x, y)} />}
                    <path class={`curve strong hue-${hue(one.learner)}`} d={path(one.points, x, y)} />
                  </g>
                ))}
                {!narrow && labels.map((one, i) => <text key={i} class={`label hue-${hue(one.one.learner)} ${i < lines.length ? "strong" : ""}`} x={box.right + 12} y={places[i]! + 4}>{one.text}</text>)}
              </>
            );
          }}
        </Plot>
        {narrow && <ul class="legend">{lines.map((one) => <li key={one.learner} class={`hue-${hue(one.learner)}`}><span class="line" aria-hidden="true" />{one.learner.replaceAll("_", " ")}: {count(one.made)} made{one.allowed !== null ? `, at most ${count(one.allowed)} ${one.known}` : ""}</li>)}</ul>}
      </Charted>
    </div>
  );
}
