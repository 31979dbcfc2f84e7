// A stream is one line, such as disjunctions:r=3,rows=5000,seed=1; here it is a form.
import { useState } from "preact/hooks";
import type { Kind } from "./types";

export interface StreamLine {
  kind: string;
  given: Record<string, string>;
}

export function parsed(text: string): StreamLine {
  const [kind = "", rest = ""] = text.split(/:(.*)/s);
  const given: Record<string, string> = {};
  if (kind !== "file")
    for (const part of rest.split(",").filter(Boolean)) {
      const [name = "", value = ""] = part.split("=");
      given[name.trim()] = value.trim();
    }
  return { kind, given };
}

export function line({ kind, given }: StreamLine): string {
  const words = Object.entries(given).filter(([, value]) => value !== "");
  return words.length ? `${kind}:${words.map(([name, value]) => `${name}=${value}`).join(",")}` : kind;
}

/** What can be said of a stream of this kind, with the value that holds unless it is said. */
export function settings(kind: Kind): Record<string, string> {
  const own = Object.fromEntries(
    Object.entries(kind.parameters).map(([name, value]) => [name, value ?? ""]),
  );
  return kind.random ? { ...own, rows: "5000", seed: "1", noise: "0" } : own;
}

export function StreamForm(props: { kinds: Kind[]; text: string; onDone: (text: string) => void }) {
  const [now, set] = useState<StreamLine>(parsed(props.text));
  const kind = props.kinds.find((one) => one.kind === now.kind) ?? props.kinds[0]!;
  const fields = settings(kind);
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        props.onDone(line({ kind: kind.kind, given: now.given }));
      }}
    >
      <label>
        Stream
        <select value={kind.kind} onChange={(event) => set({ kind: event.currentTarget.value, given: {} })}>
          {props.kinds.map((one) => <option key={one.kind} value={one.kind}>{one.kind}</option>)}
        </select>
      </label>
      <p class="hint">{kind.summary}</p>
      <div class="fields">
        {Object.entries(fields).map(([name, value]) => (
          <label key={`${kind.kind}${name}`}>
            {name.replaceAll("_", " ")}
            <input
              value={now.given[name] ?? ""}
              placeholder={value || "none"}
              onInput={(event) => set({ ...now, given: { ...now.given, [name]: event.currentTarget.value } })}
            />
          </label>
        ))}
      </div>
      <button type="submit" class="primary">Show this stream</button>
    </form>
  );
}

export function LearnerForm(props: { learners: string[]; onDone: (text: string) => void }) {
  const [name, setName] = useState("balanced_winnow");
  const [more, setMore] = useState("");
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        props.onDone(more.trim() ? `${name}:${more.trim()}` : name);
      }}
    >
      <label>
        Learner
        <select value={name} onChange={(event) => setName(event.currentTarget.value)}>
          {props.learners.map((one) => <option key={one} value={one}>{one.replaceAll("_", " ")}</option>)}
        </select>
      </label>
      <label>
        Settings
        <input value={more} placeholder="beta=1/2, threshold=4" onInput={(event) => setMore(event.currentTarget.value)} />
      </label>
      <button type="submit" class="primary">Add it</button>
    </form>
  );
}
