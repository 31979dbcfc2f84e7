// Experts: you choose who errs, and see the weights of the majority.
import { useState } from "preact/hooks";
import { Bottom, Meter, type Playing, sign, useGame } from "./game";
import { Card, Charted, Trouble, Waiting } from "./pieces";
import type { Start } from "./types";

interface ExpertsPlay {
  rounds: { erring: number; said: number; label: number; wrong: boolean }[];
  weights: string[];
  sizes: number[];
  errors: number[];
  best: number;
  total: string;
  mistakes: number;
  next: number;
  bound: number | null;
  theorem: string | null;
  statement: string;
}

export function ExpertsGame({ playing }: { playing: Playing; start: Start | null }) {
  const { params, moves, move, anew } = playing;
  const size = Number(params.get("setting") ?? 8) || 8;
  const beta = params.get("kind") ?? "1/2";
  const [erring, set] = useState(0);
  const { value: game, error } = useGame<ExpertsPlay>("game/experts", { count: size, beta }, moves);
  if (error) return <Trouble error={error} again={() => anew({ kind: null, setting: null })} />;
  if (!game) return <Waiting>The experts sit down.</Waiting>;
  const last = game.rounds.at(-1);
  const heavy = game.sizes.reduce((sum, one) => sum + one, 0);
  const wrong = game.sizes.reduce((sum, one, i) => sum + ((erring >> i) & 1 ? one : 0), 0);
  const done = () => { move?.(erring.toString(16)); set(0); };
  return (
    <div class="game-grid">
      <Card title="Who errs in this round?" note={`the right answer is ${sign(game.next)}`} class="board">
        {last && <p class={`verdict ${last.wrong ? "cross" : "tick"}`} role="status">{last.wrong ? `✕ The majority said ${sign(last.said)}; it was ${sign(last.label)}.` : `✓ The majority was right: ${sign(last.label)}.`}</p>}
        <Charted title="the experts" heads={["expert", "weight", "errors"]} rows={() => game.weights.map((one, i) => [`expert ${i + 1}`, one, game.errors[i]!])}>
          <div class="experts" role="group" aria-label="Experts that err">
            {game.weights.map((weight, i) => {
              const errs = ((erring >> i) & 1) === 1;
              return (
                <button key={i} type="button" class={`expert ${errs ? "errs" : ""}`} aria-pressed={errs} disabled={!move} onClick={() => set(erring ^ (1 << i))}>
                  <span class="column-bar"><i style={{ height: `${Math.max(1.5, 100 * game.sizes[i]!)}%` }} /></span>
                  <strong>{weight}</strong>
                  <span>expert {i + 1}</span>
                  <span class="says">says {sign(errs ? -game.next : game.next)}</span>
                  <small>{game.errors[i]} {game.errors[i] === 1 ? "error" : "errors"}</small>
                </button>
              );
            })}
          </div>
        </Charted>
        {move && <div class="duel">
          <div class="tug" aria-hidden="true"><i style={{ width: `${(100 * (heavy - wrong)) / heavy}%` }} /></div>
          <p>{erring === 0 ? "Click on those who err." : <>Those who err weigh <strong>{((100 * wrong) / heavy).toFixed(0)} %</strong>{wrong * 2 > heavy ? ": the majority errs with them." : "."}</>}</p>
          <div class="answers"><button type="button" class="primary" onClick={done}>Play the round</button></div>
        </div>}
        <Bottom playing={playing} />
      </Card>
      <div class="game-side">
        <Card title="Mistakes of the majority" note={game.theorem ?? undefined}>
          <Meter made={game.mistakes} bound={game.bound} words="mistakes" after="allowed in hindsight" statement={game.statement} />
          <p class="said">The best expert erred <strong data-field="best">{game.best}</strong> times; the weights add up to <strong data-field="total">{game.total}</strong>.</p>
        </Card>
        {move && <Card title="The table">
          <div class="form">
            <label>experts<select value={String(size)} onChange={(event) => { set(0); anew({ setting: event.currentTarget.value }); }}>{["4", "8", "12", "16"].map((one) => <option key={one} value={one}>{one}</option>)}</select></label>
            <label>an error multiplies a weight by<select value={beta} onChange={(event) => anew({ kind: event.currentTarget.value })}>{["0", "1/4", "1/2", "3/4"].map((one) => <option key={one} value={one}>{one}</option>)}</select></label>
          </div>
        </Card>}
      </div>
    </div>
  );
}
