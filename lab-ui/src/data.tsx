// Your data: give a file, see what was read, correct it, and see how well it can be learned.
import { useRef, useState } from "preact/hooks";
import { go, useAddress } from "./address";
import { Judged } from "./data_judged";
import { Read, type Said } from "./data_read";
import { Card, Trouble, Waiting } from "./pieces";
import { answers, ask, Problem, send, useAnswer } from "./server";
import type { Look } from "./types";

interface Given {
  key: string;
  look: Look;
}

export function Data() {
  const { params } = useAddress();
  const key = params.get("key");
  const [busy, setBusy] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [version, next] = useState(0);
  const { value: file, error } = useAnswer(key === null ? null : `${key}|${version}`, (signal) =>
    ask<{ look: Look; said: Said }>("data/look", { key: key! }, signal),
  );
  const attempt = async (what: string, work: () => Promise<Given>) => {
    setBusy(what);
    setProblem(null);
    try {
      const given = await work();
      next((n) => n + 1);
      go({ key: given.key });
    } catch (error) {
      setProblem(error as Problem);
    } finally {
      setBusy("");
    }
  };
  const said = (words: Said, of: string) => attempt("It is read again.", () => ask<Given>("data/again", { key: of, said: JSON.stringify(words) }));
  if (key === null || error)
    return (
      <main class="page narrow">
        <div class="heading"><h1>Your data</h1><p class="facts">a file with labelled rows; it stays on this machine</p></div>
        {error && <Trouble error={error} />}
        <Drop busy={busy} onFile={(one) => attempt(`${one.name} is read.`, () => send<Given>("data", { name: one.name }, one))} onPath={(path) => attempt("The file is read.", () => send<Given>("data/path", {}, path))} />
        {problem && <Refused problem={problem} onSaid={said} />}
      </main>
    );
  return (
    <main class="page">
      <div class="heading">
        <h1>{file?.look.name ?? "Your data"}</h1>
        <span class="push" />
        {!answers && <button type="button" class="plain" onClick={() => go({ key: null, learner: null, row: null, of: null })}>Another file</button>}
      </div>
      {busy && <Waiting>{busy}</Waiting>}
      {problem && <Trouble error={problem} />}
      {file ? (
        <>
          <Read key={version} look={file.look} said={file.said} onSaid={(words) => said(words, key)} />
          <Judged file={key} look={file.look} version={version} params={params} />
        </>
      ) : <Waiting>The file is looked at.</Waiting>}
    </main>
  );
}

function Drop(props: { busy: string; onFile: (file: File) => void; onPath: (path: string) => void }) {
  const [over, set] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const [path, type] = useState("");
  return (
    <>
      <div
        class={`drop-zone ${over ? "over" : ""}`}
        onDragOver={(event) => { event.preventDefault(); set(true); }}
        onDragLeave={() => set(false)}
        onDrop={(event) => { event.preventDefault(); set(false); const file = event.dataTransfer?.files[0]; if (file) props.onFile(file); }}
      >
        <svg width="40" height="40" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 15V4m0 0L8 8m4-4 4 4M4 15v3a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-3" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" /></svg>
        <p><strong>Drop a file here</strong></p>
        <p class="hint">svmlight, Vowpal Wabbit, CSV, JSON lines, labelled texts or Parquet; .gz and .zst as well</p>
        <button type="button" class="primary" onClick={() => picker.current?.click()}>Choose a file</button>
        <input ref={picker} type="file" class="away" tabIndex={-1} aria-label="File" onChange={(event) => { const file = event.currentTarget.files?.[0]; event.currentTarget.value = ""; if (file) props.onFile(file); }} />
      </div>
      <form class="path-form" onSubmit={(event) => { event.preventDefault(); props.onPath(path); }}>
        <label>or its path on this machine <input type="text" name="path" value={path} placeholder="data/mail.csv" onInput={(event) => type(event.currentTarget.value)} /></label>
        <button type="submit" class="plain" disabled={!path}>Open it</button>
      </form>
      {props.busy && <Waiting>{props.busy}</Waiting>}
    </>
  );
}

/** What went wrong, and what can be said so that it goes right. */
function Refused(props: { problem: Problem; onSaid: (said: Said, key: string) => void }) {
  const key = props.problem.fields.key as string | undefined;
  const [label, type] = useState("");
  return (
    <Card title="It could not be read" class="refused">
      <Trouble error={props.problem} />
      {key && props.problem.code === "line.label" && (
        <form class="path-form" onSubmit={(event) => { event.preventDefault(); props.onSaid({ label_field: label }, key); }}>
          <label>the column with the label <input type="text" name="label" value={label} onInput={(event) => type(event.currentTarget.value)} /></label>
          <button type="submit" class="primary" disabled={!label}>Read it again</button>
        </form>
      )}
    </Card>
  );
}
