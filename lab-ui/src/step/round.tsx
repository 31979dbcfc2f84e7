// This round: what was said, what was true, and what made the score.
import { Bar } from "../bars";
import { Card, Table } from "../pieces";
import type { Frame, Overview } from "../types";
import { count, minus, short } from "../words";
import { useState } from "preact/hooks";

function Score(props: { frame: Frame; positive: string }) {
  const { score, threshold, text, exact } = props.frame;
  const signed = threshold === 0 || score < 0 || threshold < 0;
  const reach = Math.max(Math.abs(score), Math.abs(threshold), 1e-12) * (signed ? 1.25 : 1);
  const most = signed ? reach : Math.max(score * 1.06, threshold * 2, 1e-12);
  const at = (v: number) => (signed ? 50 + (50 * v) / most : (100 * v) / most);
  const from = signed ? at(0) : 0;
  const left = Math.min(from, at(score));
  return (
    <div class="score">
      <div class="score-bar" aria-hidden="true">
        <i style={{ left: `${left}%`, width: `${Math.abs(at(score) - from)}%` }} />
        <b style={{ left: `${at(threshold)}%` }} />
      </div>
      <div class="score-words">
        <span title={`exactly ${exact}`}>
          score <strong data-field="score" data-exact={exact}>{minus(text)}</strong> {score >= threshold ? "≥" : "<"} threshold{" "}
          <span data-field="threshold">{short(threshold)}</span>
        </span>
        <span>at or above: {props.positive}</span>
      </div>
    </div>
  );
}

export function Round(props: { frame: Frame; overview: Overview; title: string; mistakes: number }) {
  const { frame, overview } = props;
  const [table, setTable] = useState(false);
  const most = Math.max(...frame.parts.map((part) => Math.abs(part.adds)), 0);
  const signed = frame.parts.some((part) => part.adds < 0) || frame.threshold === 0;
  const button = (
    <button type="button" class="table-button" aria-expanded={table} onClick={() => setTable(!table)}>
      {table ? "Bars" : "Table"}<span class="away"> of what made the score</span>
    </button>
  );
  return (
    <Card title="This round" class="this-round">
      <p class="round-line">
        <span class="big" data-field="round">{count(frame.t)}</span>
        <span class="of">of {count(overview.rounds)}</span>
        {frame.wrong ? (
          <span class="badge wrong">✕ mistake <span data-field="mistakes">{count(frame.mistakes)}</span> of {count(props.mistakes)}</span>
        ) : (
          <span class="badge right">✓ right</span>
        )}
      </p>
      <p class="said">
        {props.title} said <strong>{frame.said}</strong>; it was <strong>{frame.label}</strong>. {frame.sentence}
      </p>
      {frame.parts.length > 0 && <Score frame={frame} positive={overview.labels[1]} />}
      {frame.parts.length > 0 && !table && (
        <div class="parts">
          <div class="parts-head"><span>what made the score</span><span class="push" />{button}<span class="head-number">weight</span></div>
          {frame.parts.map((part) => (
            <div class="part" key={part.name}>
              <span class="name" title={part.name}>{part.name}</span>
              <Bar value={part.adds} most={most} signed={signed} />
              <span class="number">{minus(part.text)}</span>
            </div>
          ))}
          {frame.more > 0 && (
            <div class="part rest">
              <span class="name">{count(frame.more)} more {frame.more === 1 ? "feature" : "features"}</span>
              <span />
              <span class="number">{short(frame.more_adds)}</span>
            </div>
          )}
        </div>
      )}
      {table && <div class="parts-head"><span>what made the score</span><span class="push" />{button}</div>}
      {table && <Table title="what made the score" heads={["feature", "weight", "adds"]} rows={frame.parts.map((part) => [part.name, minus(part.text), short(part.adds)])} />}
    </Card>
  );
}
