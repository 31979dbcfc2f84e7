// Figures of a learner on a file: calibration, the ROC curve, and what was said against what was true.
import { Card, Charted } from "./pieces";
import { linear, path, Plot } from "./plot";
import type { Quality } from "./types";
import { count, percent } from "./words";

const share = (v: number) => `${Math.round(100 * v)} %`;

export function Calibration({ quality }: { quality: Quality }) {
  if (!quality.calibration.length)
    return <Card title="Calibration"><p class="waiting">{quality.learner.split(":")[0]!.replaceAll("_", " ")} says scores, not probabilities; the committee says both.</p></Card>;
  return (
    <Card title="Calibration" note={`of ${quality.probable}, bins of equal counts`}>
      <Charted title="calibration" heads={["said", "came true", "rows"]} rows={() => quality.calibration.map((one) => [percent(one.said), percent(one.came), count(one.rows)])}>
        <Plot name="Probability that was said, against the share that came true" height={228} margin={[8, 12, 26, 44]} x={(box) => linear(0, 1, box.left, box.right, 4)} y={(box) => linear(0, 1, box.bottom, box.top, 4)} xName="said" xText={share} yText={share}>
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

export function Roc({ quality }: { quality: Quality }) {
  return (
    <Card title="ROC" note={quality.area === null ? undefined : <>area <strong data-field="area">{quality.area.toFixed(4)}</strong></>}>
      {quality.roc.length ? (
        <Charted title="the ROC curve" heads={["false alarms", "found"]} rows={() => quality.roc.filter((_, i) => i % 10 === 0).map(([a, b]) => [percent(a), percent(b)])}>
          <Plot name={`Found against false alarms, area ${quality.area?.toFixed(4)}`} height={228} margin={[8, 12, 26, 44]} x={(box) => linear(0, 1, box.left, box.right, 4)} y={(box) => linear(0, 1, box.bottom, box.top, 4)} xName="false alarms" xText={share} yText={share}>
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

/** How dark a cell is: right ones against the largest of them, wrong ones against the worst. */
function shade(rows: number, most: number, right: boolean): string {
  return rows === 0 ? "zero" : `${right ? "right" : "wrong"}-${1 + Math.min(2, Math.floor((3 * rows) / Math.max(1, most)))}`;
}

export function Confusion({ quality, wide }: { quality: Quality; wide?: boolean }) {
  const { confusion, classes, others } = quality;
  const lines = [...classes, ...(confusion.length > classes.length ? [`${count(others)} others`] : [])];
  const columns = [...classes, ...(confusion[0]!.length > classes.length ? [others ? "others" : "nothing"] : [])];
  const right = Math.max(...confusion.map((row, r) => row[r] ?? 0));
  const worst = Math.max(...confusion.flatMap((row, r) => row.filter((_, s) => s !== r)));
  return (
    <Card title="Said and true" note={`${count(quality.mistakes)} mistakes, ${percent(quality.mistakes / quality.rounds)}`} class={wide ? "span-2" : ""}>
      <div class="table-room" tabIndex={0} role="region" aria-label="Said and true">
        <table class={`confusion ${classes.length > 6 ? "dense" : ""}`}>
          <thead><tr><th scope="col">true</th>{columns.map((one) => <th key={one} scope="col" title={one}>{wide ? one : `said ${one}`}</th>)}{wide && <><th scope="col" class="apart">found</th><th scope="col">right when said</th></>}</tr></thead>
          <tbody>
            {confusion.map((row, r) => (
              <tr key={r}>
                <th scope="row">{lines[r]}</th>
                {row.map((rows, s) => <td key={s} class={shade(rows, r === s ? right : worst, r === s)}>{r !== s && rows > 0 && !wide ? "✕ " : ""}{count(rows)}</td>)}
                {wide && <><td class="apart">{r < classes.length && quality.figures[r]!.recall !== null ? percent(quality.figures[r]!.recall!) : "–"}</td><td>{r < classes.length && quality.figures[r]!.precision !== null ? percent(quality.figures[r]!.precision!) : "–"}</td></>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {!wide && (
        <ul class="figures-of">
          {quality.figures.map((one) => <li key={one.label}><strong>{one.label}</strong>: {one.recall === null ? "none came" : `${percent(one.recall)} found`}{one.precision === null ? ", never said" : `, right in ${percent(one.precision)} when said`}</li>)}
        </ul>
      )}
    </Card>
  );
}
