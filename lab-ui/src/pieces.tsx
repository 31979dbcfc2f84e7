// Small things that every screen uses: cards, switches, menus, tables, messages.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { Problem } from "./server";

export function Card(props: {
  title: string;
  note?: ComponentChildren;
  side?: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class={`card ${props.class ?? ""}`} aria-labelledby={id}>
      <header class="card-head">
        <h2 id={id}>{props.title}</h2>
        {props.note && <span class="note">{props.note}</span>}
        {props.side && <span class="side">{props.side}</span>}
      </header>
      {props.children}
    </section>
  );
}

export function Switch<T extends string>(props: {
  label: string;
  value: T;
  options: readonly (readonly [T, ComponentChildren])[];
  onChange: (value: T) => void;
  class?: string;
}) {
  return (
    <div class={`switch ${props.class ?? ""}`} role="group" aria-label={props.label}>
      {props.options.map(([value, shown]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === props.value}
          onClick={() => props.onChange(value)}
        >
          {shown}
        </button>
      ))}
    </div>
  );
}

/** A chart, and behind a button the table of what it shows. */
export function Charted(props: {
  title: string;
  heads: string[];
  rows: () => (string | number)[][];
  children: ComponentChildren;
}) {
  const [open, set] = useState(false);
  return (
    <>
      <div hidden={open}>{props.children}</div>
      {open && <Table title={props.title} heads={props.heads} rows={props.rows()} />}
      <button type="button" class="table-button" aria-expanded={open} onClick={() => set(!open)}>
        {open ? "Chart" : "Table"}
        <span class="away"> of {props.title}</span>
      </button>
    </>
  );
}

export function Table(props: { title: string; heads: string[]; rows: (string | number)[][] }) {
  return (
    <Lines name={`Table of ${props.title}`} heads={props.heads}>
      {props.rows.map((row, i) => (
        <tr key={i}>{row.map((cell, k) => <td key={k}>{cell}</td>)}</tr>
      ))}
    </Lines>
  );
}

/** A table whose lines are made elsewhere, in a room that can be scrolled by keys. */
export function Lines(props: { name: string; heads: string[]; class?: string; children: ComponentChildren }) {
  return (
    <div class="table-room" tabIndex={0} role="region" aria-label={props.name}>
      <table class={props.class}>
        <thead>
          <tr>{props.heads.map((head) => <th key={head} scope="col">{head}</th>)}</tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </div>
  );
}

/** A button with a small sheet below it; Escape and a click elsewhere close it. */
export function Menu(props: {
  label: ComponentChildren;
  name?: string;
  class?: string;
  right?: boolean;
  children: (close: () => void) => ComponentChildren;
}) {
  const [open, set] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const leave = (event: Event) => {
      if (event instanceof KeyboardEvent ? event.key === "Escape" : !place.current?.contains(event.target as Node))
        set(false);
    };
    addEventListener("pointerdown", leave);
    addEventListener("keydown", leave);
    place.current?.querySelector<HTMLElement>(".sheet input, .sheet select, .sheet button")?.focus();
    return () => {
      removeEventListener("pointerdown", leave);
      removeEventListener("keydown", leave);
    };
  }, [open]);
  return (
    <div class={`menu ${props.class ?? ""}`} ref={place}>
      <button type="button" class="plain" aria-expanded={open} aria-label={props.name} onClick={() => set(!open)}>
        {props.label}
      </button>
      {open && <div class={`sheet ${props.right ? "right" : ""}`}>{props.children(() => set(false))}</div>}
    </div>
  );
}

export function Trouble(props: { error: Problem; again?: () => void }) {
  return (
    <div class="trouble" role="alert">
      <strong>That did not work.</strong>
      <p>{props.error.message}</p>
      {props.again && <button type="button" class="plain" onClick={props.again}>Try again</button>}
    </div>
  );
}

export function Waiting(props: { children: ComponentChildren }) {
  return <p class="waiting"><span class="dots" aria-hidden="true" />{props.children}</p>;
}

let tell: (text: string) => void = () => {};

/** Say something to those who hear the page instead of seeing it, and briefly to all others. */
export function announce(text: string, seen = false): void {
  tell(seen ? `!${text}` : text);
}

export function LiveRegion() {
  const [text, set] = useState("");
  tell = set;
  const seen = text.startsWith("!");
  useEffect(() => {
    if (!seen) return;
    const timer = setTimeout(() => set(""), 2500);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div role="status" aria-live="polite" class={seen ? "toast" : "away"}>
      {seen ? text.slice(1) : text}
    </div>
  );
}

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announce(`${what} copied`, true);
  } catch {
    prompt(`${what}:`, text);
  }
}
