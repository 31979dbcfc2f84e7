// You are the learner, against an adversary that no learner escapes.
import { Bottom, Meter, type Playing, sign, useGame } from "./game";
import { Card, Switch, Table, Trouble, Waiting } from "./pieces";
import type { Start } from "./types";

interface LearnerPlay {
  rounds: { row: number[]; said: number; label: number; wrong: boolean }[];
  row: number[] | null;
  rows: number;
  mistakes: number;
  bound: number;
  statement: string;
  over: boolean;
  target: string;
}

export function LearnerGame({ playing }: { playing: Playing; start: Start | null }) {
  const { params, moves, move, anew } = playing;
  const kind = params.get("kind") ?? "binary-search";
  const setting = params.get("setting") ?? (kind === "lower-bound" ? "1/3" : "16/2");
  const { value: game, error } = useGame<LearnerPlay>("game/learner", { kind, setting }, moves);
  if (error) return <Trouble error={error} again={() => anew({ setting: null, kind: null })} />;
  if (!game) return <Waiting>The adversary thinks.</Waiting>;
  const on = new Set(game.row ?? []);
  const features = Array.from({ length: game.rows }, (_, i) => i);
  const last = game.rounds.at(-1);
  return (
    <div class="game-grid">
      <Card title={game.over ? "It is over" : "Your prediction"} class="board">
        {last && <p class={`verdict ${last.wrong ? "cross" : "tick"}`} role="status">{last.wrong ? `✕ You said ${sign(last.said)}; it was ${sign(last.label)}.` : `✓ ${sign(last.label)}: you were right.`}</p>}
        {game.over ? (
          <div class="revealed">
            <p class="said">You made <strong>{game.mistakes} mistakes in {game.rounds.length} rounds</strong>: every answer was against you. And yet one target labels all rows:</p>
            <p class="formula">{game.target}</p>
          </div>
        ) : (
          <>
            <div class="tiles" role="img" aria-label={`The row has ${[...on].map((i) => `x${i}`).join(", ")}`}>
              {features.map((i) => <span key={i} class={`tile small ${on.has(i) ? "now" : "off"}`}><span>x{i}</span></span>)}
            </div>
            <div class="duel">
              <p>The row has <strong>{[...on].map((i) => `x${i}`).join(", ")}</strong>. {kind === "binary-search" ? on.size === 1 ? "Is it relevant?" : "Is one of the relevant features among them?" : "On which side does it lie?"}</p>
              <div class="answers">
                {[-1, 1].map((label) => <button key={label} type="button" class="answer" disabled={!move} onClick={() => move?.(label > 0 ? "p" : "m")}><strong>{sign(label)}</strong><span>{kind === "binary-search" ? (label > 0 ? "yes" : "no") : "I say"}</span></button>)}
              </div>
            </div>
          </>
        )}
        <Bottom playing={playing} />
      </Card>
      <div class="game-side">
        <Card title="Your mistakes"><Meter made={game.mistakes} bound={game.bound} words="mistakes" statement={game.statement} /></Card>
        {move && <Card title="The adversary">
          <div class="form">
            <Switch label="Adversary" value={kind} options={[["binary-search", "binary search"], ["lower-bound", "unit vectors"]]} onChange={(one) => anew({ kind: one, setting: null })} />
            {kind === "lower-bound" ? (
              <label>margin γ<select value={setting} onChange={(event) => anew({ kind, setting: event.currentTarget.value })}>{["1/2", "1/3", "1/4", "1/5"].map((one) => <option key={one} value={one}>{one}</option>)}</select></label>
            ) : (
              <label>features, of which relevant<select value={setting} onChange={(event) => anew({ kind, setting: event.currentTarget.value })}>{["8/1", "16/1", "16/2", "32/2", "64/4"].map((one) => <option key={one} value={one}>{one.replace("/", ", of which ")}</option>)}</select></label>
            )}
            <p class="hint">It answers the opposite of what you say, and takes care that some target agrees with all its answers.</p>
          </div>
        </Card>}
        {game.rounds.length > 0 && <Card title="So far"><Table title="rounds" heads={["row", "you", "label", "mistake"]} rows={game.rounds.map((one) => [one.row.map((i) => `x${i}`).join(" "), sign(one.said), sign(one.label), one.wrong ? "✕" : ""]).reverse()} /></Card>}
      </div>
    </div>
  );
}
