// What was read, and a form to have it read otherwise.
import { useState } from "preact/hooks";
import { Card } from "./pieces";
import { answers } from "./server";
import type { Look } from "./types";
import { count, percent } from "./words";

export interface Said {
  format?: string;
  positive?: string;
  label_field?: string;
  ignored?: string[];
  numeric?: string[];
  categorical?: string[];
}

const FORMATS = ["svmlight", "vw", "json", "csv", "text", "parquet", "arrow", "binary"];

export function Read(props: { look: Look; said: Said; onSaid: (said: Said) => void }) {
  const { look } = props;
  const [said, say] = useState<Said>(props.said);
  const [open, set] = useState(false);
  const counts = Object.entries(look.counts);
  const table = look.columns.some((one) => one.kind === "category" || one.kind === "number") && look.format !== "svmlight";
  const kindOf = (name: string, kind: string) => (said.ignored?.includes(name) ? "ignored" : said.numeric?.includes(name) ? "number" : said.categorical?.includes(name) ? "category" : kind);
  const without = (list: string[] | undefined, name: string) => (list ?? []).filter((one) => one !== name);
  const choose = (name: string, kind: string) =>
    say({
      ...said,
      ignored: [...without(said.ignored, name), ...(kind === "ignored" ? [name] : [])],
      numeric: [...without(said.numeric, name), ...(kind === "number" ? [name] : [])],
      categorical: [...without(said.categorical, name), ...(kind === "category" ? [name] : [])],
    });
  return (
    <Card title="What was read" side={!answers && <button type="button" class="plain small" aria-expanded={open} onClick={() => set(!open)}>{open ? "Fine as it is" : "Correct it"}</button>} class="was-read">
      <ul class="figures">
        <li><strong>{look.format}</strong><span>format</span></li>
        <li><strong data-field="rows">{count(look.rows)}</strong><span>rows{look.cut ? ", then the lab stopped" : ""}</span></li>
        {look.features > 0 && <li><strong data-field="features">{count(look.features)}</strong><span>features</span></li>}
        <li><strong class={look.bad_lines ? "cross" : ""}>{count(look.bad_lines)}</strong><span>bad {look.bad_lines === 1 ? "line" : "lines"}, left out</span></li>
        <li class="labels">
          <strong>{counts.slice(0, 6).map(([label, rows]) => <span key={label} class={`label-chip ${label === look.positive ? "plus" : ""}`}>{label} <small>{percent(rows / look.rows)}</small></span>)}{counts.length > 6 && ` and ${counts.length - 6} more`}</strong>
          <span>{look.labels}</span>
        </li>
      </ul>
      {look.several && <p class="hint wide-hint">Several classes: all are told apart. To see one of them against the rest, and its rounds one by one, choose the label that counts as +1 {answers ? "in the lab" : "in “Correct it”"}.</p>}
      {look.bad.length > 0 && (
        <details class="bad-lines">
          <summary>{count(look.bad_lines)} bad {look.bad_lines === 1 ? "line" : "lines"}</summary>
          <ul>{look.bad.map((one) => <li key={one}><code>{one}</code></li>)}</ul>
        </details>
      )}
      {look.remarks.filter((one) => !/bad lines? (was|were) skipped/.test(one)).map((one) => <p key={one} class="hint wide-hint">{one}</p>)}
      {open && (
        <form class="form correct" onSubmit={(event) => { event.preventDefault(); props.onSaid(said); }}>
          <div class="fields three">
            <label>format
              <select value={said.format ?? ""} onChange={(event) => say({ ...said, format: event.currentTarget.value })}>
                <option value="">as found: {look.format}</option>
                {FORMATS.map((one) => <option key={one} value={one}>{one}</option>)}
              </select>
            </label>
            <label>label that counts as +1
              <select value={said.positive ?? ""} onChange={(event) => say({ ...said, positive: event.currentTarget.value })}>
                <option value="">as found{look.positive ? `: ${look.positive}` : look.several ? ": all classes" : ""}</option>
                {counts.map(([label]) => <option key={label} value={label}>{label}</option>)}
              </select>
            </label>
            <label>column with the label
              <input type="text" value={said.label_field ?? ""} placeholder="label" onInput={(event) => say({ ...said, label_field: event.currentTarget.value })} />
            </label>
          </div>
          {table && (
            <div class="columns">
              {look.columns.slice(0, 30).map((one) => (
                <label key={one.name}>
                  <span title={one.example}>{one.name}</span>
                  <select value={kindOf(one.name, one.kind)} onChange={(event) => choose(one.name, event.currentTarget.value)}>
                    <option value="number">number</option><option value="category">category</option><option value="ignored">left out</option>
                  </select>
                </label>
              ))}
            </div>
          )}
          <div><button type="submit" class="primary">Read it so</button></div>
        </form>
      )}
    </Card>
  );
}
