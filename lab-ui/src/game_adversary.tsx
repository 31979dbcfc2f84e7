// You are the adversary: a row appears, the learner commits, you choose the label.
import { useEffect, useState } from "preact/hooks";
import { Bottom, Meter, type Playing, sign, useGame } from "./game";
import { announce, Card, Table, Trouble, Waiting } from "./pieces";
import { ask } from "./server";
import type { Start } from "./types";
import { percent } from "./words";

interface Adversary {
  rounds: { row: number; said: number; label: number; wrong: boolean }[];
  forced: number;
  bound: number;
  statement: string;
  used: string;
  share: number;
  labels: Record<string, number>;
  rows: number;
  next: number | null;
  says: number[];
  refused: string;
  over: boolean;
  separator: string;
}

export function AdversaryGame({ playing, start }: { playing: Playing; start: Start | null }) {
  const { params, moves, move, anew } = playing;
  const margin = params.get("margin") ?? "1/3";
  const learner = params.get("learner") ?? "perceptron";
  const [chosen, choose] = useState<number | null>(null);
  const [refused, refuse] = useState("");
  const { value: game, error } = useGame<Adversary>("game/adversary", { margin, learner }, moves);
  useEffect(() => {
    if (!game) return;
    const last = game.rounds.at(-1);
    if (last) announce(`Forced ${game.forced} of ${game.bound}. ${last.wrong ? "It was a mistake." : "It was right."}`);
  }, [game]);
  const settings = start && (
    <Card title="The table">
      <div class="form">
        <label>margin γ<select value={margin} onChange={(event) => anew({ margin: event.currentTarget.value })}>{["1", "1/2", "1/3", "1/4", "1/5", "1/6", "1/8"].map((one) => <option key={one} value={one}>{one}</option>)}</select></label>
        <label>learner<select value={learner} onChange={(event) => anew({ learner: event.currentTarget.value })}>{start.learners.filter((one) => !/majority/.test(one)).map((one) => <option key={one} value={one}>{one.replaceAll("_", " ")}</option>)}</select></label>
        <p class="hint">The rows are unit vectors. Whatever you say, some separator of length 1 must label all rows with this margin.</p>
      </div>
    </Card>
  );
  if (error) return <div class="game-grid"><Trouble error={error} again={() => anew({ learner: null, margin: null })} />{settings}</div>;
  if (!game) return <Waiting>The table is laid.</Waiting>;
  const row = chosen !== null && chosen < game.rows ? chosen : game.next;
  const known = row === null ? undefined : game.labels[String(row)];
  const answer = (label: number) => {
    if (row === null || !move) return;
    if (known !== undefined && known !== label) {
      // The lab says why; the move is not made.
      void ask<Adversary>("game/adversary", { margin, learner, moves: [...moves, `${row}${label > 0 ? "p" : "m"}`].join(".") }).then((told) => { refuse(told.refused); announce(told.refused); });
      return;
    }
    refuse("");
    choose(null);
    move(`${row}${label > 0 ? "p" : "m"}`);
  };
  return (
    <div class="game-grid">
      <Card title={game.over ? "The bound is reached" : "A row appears"} class="board">
        {game.over ? (
          <div class="revealed">
            <p class="said">{game.forced === game.bound ? <><strong>You forced {game.forced} mistakes</strong>, all that can be forced. </> : <>All rows are shown; you forced <strong>{game.forced} of {game.bound}</strong>. </>}And yet this separator was right all the time:</p>
            <p class="formula">u = {game.separator}</p>
            {chosen === null && move && <p class="hint wide-hint">Try one row more: an old one with the other label, or a new one.</p>}
          </div>
        ) : null}
        <div class="tiles" role="group" aria-label="Rows">
          {Array.from({ length: game.rows }, (_, i) => {
            const label = game.labels[String(i)];
            const last = game.rounds.findLast((one) => one.row === i);
            return (
              <button key={i} type="button" class={`tile ${i === row ? "now" : ""} ${label === undefined ? "" : label > 0 ? "plus" : "minus"}`} aria-pressed={i === row} disabled={!move} onClick={() => { choose(i); refuse(""); }}>
                <span>x{i}</span><strong>{label === undefined ? "?" : sign(label)}</strong>{last?.wrong && <em title="a mistake">✕</em>}
              </button>
            );
          })}
          {game.over && move && (
            <button type="button" class="tile more" onClick={() => void ask<Adversary>("game/adversary", { margin, learner, moves: [...moves, `${game.rows}p`].join(".") }).then((told) => refuse(told.refused))}><span>x{game.rows}</span><strong>new</strong></button>
          )}
        </div>
        {row !== null && move && (
          <div class="duel">
            <p>Row <strong>x{row}</strong>: {learner.replaceAll("_", " ")} says <strong class="said-label">{sign(game.says[row]!)}</strong>. What is it?</p>
            <div class="answers">
              {[-1, 1].map((label) => (
                <button key={label} type="button" class={`answer ${known !== undefined && known !== label ? "impossible" : ""}`} onClick={() => answer(label)}>
                  <strong>{sign(label)}</strong><span>{known !== undefined && known !== label ? "impossible" : game.says[row] === label ? "it was right" : "a mistake"}</span>
                </button>
              ))}
            </div>
          </div>
        )}
        {refused && <p class="trouble" role="alert"><strong>Refused.</strong> {refused}</p>}
        <Bottom playing={playing} />
      </Card>
      <div class="game-side">
        <Card title="Forced"><Meter made={game.forced} bound={game.bound} words="forced" statement={game.statement} /></Card>
        <Card title="Does a target still exist?">
          <div class="length"><i style={{ width: `${Math.min(100, 100 * game.share)}%` }} /></div>
          <p class="said">Squared length used: <strong data-field="used">{game.used}</strong> of 1 <span class="away">({percent(game.share)})</span></p>
          <p class="hint wide-hint">Every new row takes γ² of it, whatever its label: that is why there are {game.rows} rows.</p>
        </Card>
        {settings}
        {game.rounds.length > 0 && <Card title="So far"><Table title="rounds" heads={["row", "said", "label", "mistake"]} rows={game.rounds.map((one) => [`x${one.row}`, sign(one.said), sign(one.label), one.wrong ? "✕" : ""]).reverse()} /></Card>}
      </div>
    </div>
  );
}
