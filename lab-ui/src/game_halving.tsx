// Halving: the version space as a tree that loses half its leaves at each mistake.
import { Bottom, Meter, type Playing, sign, useGame } from "./game";
import { Card, Charted, Trouble, Waiting } from "./pieces";
import { useWidth } from "./plot";
import type { Start } from "./types";

interface Node {
  point?: number[];
  concept?: string;
  p?: Node;
  m?: Node;
}

interface HalvingPlay {
  tree: Node;
  depth: number;
  rounds: { point: number[]; said: number; label: number; wrong: boolean; before: number; after: number }[];
  point: number[];
  says: number | null;
  left: number;
  size: number;
  names: string[];
  mistakes: number;
  bound: number;
  statement: string;
  over: boolean;
  concept: string;
}

const TREES = [["disjunctions/3", "disjunctions of 3"], ["disjunctions/4", "disjunctions of 4"], ["conjunctions/3", "conjunctions of 3"], ["thresholds/8", "thresholds"], ["singletons/6", "singletons"]];

function row(point: number[]): string {
  return point.length ? point.map((i) => `x${i}`).join(" ") : "nothing";
}

function Tree(props: { tree: Node; depth: number; path: string[] }) {
  const [room, width] = useWidth();
  const { depth, path } = props;
  const leaves = 2 ** depth;
  const step = width / leaves;
  const turned = leaves > 8 || step < 74;
  const level = 62;
  const height = depth * level + (turned ? 152 : 46);
  const parts: preact.JSX.Element[] = [];
  const draw = (node: Node, at: number, first: number, taken: string) => {
    const size = leaves / 2 ** at;
    const x = (first + size / 2) * step;
    const y = 20 + at * level;
    // A node is alive as long as it agrees with the answers that were given.
    const agrees = (way: string) => path.join("").startsWith(way) || way.startsWith(path.join(""));
    const alive = agrees(taken);
    const lost = !alive;
    if (node.p && node.m) {
      for (const [key, child] of [["p", node.p], ["m", node.m]] as const) {
        const start = key === "p" ? first : first + size / 2;
        const cx = (start + size / 4) * step;
        const goes = agrees(taken + key);
        parts.push(<path key={`e${at}${start}`} class={`edge ${goes ? "" : "lost"} ${goes && path[at] === key ? "taken" : ""}`} d={`M${x} ${y + 13}C${x} ${y + level / 2} ${cx} ${y + level / 2} ${cx} ${y + level - 14}`} />);
        parts.push(<text key={`s${at}${start}`} class={`edge-sign ${goes ? "" : "lost"}`} x={(x + cx) / 2 + (key === "p" ? -9 : 9)} y={y + level / 2} text-anchor="middle">{key === "p" ? "+" : "−"}</text>);
        draw(child, at + 1, start, taken + key);
      }
      const label = `${row(node.point ?? [])}?`;
      const now = alive && at === path.length;
      const wide = Math.max(34, 8 * label.length);
      parts.push(<g key={`n${at}${first}`} class={`node ${lost ? "lost" : ""} ${now ? "now" : ""}`}><rect x={x - wide / 2} y={y - 13} width={wide} height={26} rx={13} /><text x={x} y={y + 4} text-anchor="middle">{label}</text></g>);
    } else {
      parts.push(
        <text key={`l${first}`} class={`leaf ${lost ? "lost" : ""}`} x={turned ? x + 4 : x} y={turned ? y - 6 : y + 4} text-anchor={turned ? "end" : "middle"} transform={turned ? `rotate(-90 ${x} ${y - 10})` : undefined}>{node.concept}</text>,
      );
    }
  };
  draw(props.tree, 0, 0, "");
  return <div class="tree" ref={room}><svg width={width} height={height} role="img" aria-label={`A tree of ${leaves} leaves; ${leaves / 2 ** path.length} are left`}>{parts}</svg></div>;
}

export function HalvingGame({ playing }: { playing: Playing; start: Start | null }) {
  const { params, moves, move, anew } = playing;
  const kind = params.get("kind") ?? "disjunctions/3";
  const { value: game, error } = useGame<HalvingPlay>("game/halving", { kind }, moves);
  if (error) return <Trouble error={error} again={() => anew({ kind: null })} />;
  if (!game) return <Waiting>The tree grows.</Waiting>;
  return (
    <div class="game-grid">
      <Card title="The version space" note={`${game.left} of ${game.size} concepts left`} class="board">
        <Charted title="the version space" heads={["row", "Halving said", "label", "before", "after"]} rows={() => game.rounds.map((one) => [row(one.point), sign(one.said), sign(one.label), one.before, one.after])}>
          <Tree tree={game.tree} depth={game.depth} path={moves.slice(0, game.depth)} />
        </Charted>
        {game.over ? (
          <p class="said revealed"><strong>{game.left === 1 ? `One is left: ${game.names[0]}.` : `${game.left} are left, among them ${game.concept}.`}</strong> {game.mistakes} {game.mistakes === 1 ? "mistake" : "mistakes"} in {game.rounds.length} rounds.</p>
        ) : (
          <div class="duel">
            <p>The row has <strong>{row(game.point)}</strong>. The majority says <strong class="said-label">{sign(game.says ?? 1)}</strong>. What is it?</p>
            <div class="answers">
              {[1, -1].map((label) => <button key={label} type="button" class="answer" disabled={!move} onClick={() => move?.(label > 0 ? "p" : "m")}><strong>{sign(label)}</strong><span>{label === game.says ? "it was right" : "a mistake"}</span></button>)}
            </div>
          </div>
        )}
        <Bottom playing={playing} />
      </Card>
      <div class="game-side">
        <Card title="Mistakes of Halving"><Meter made={game.mistakes} bound={game.bound} words="mistakes" statement={game.statement} /></Card>
        <Card title="Concepts left">
          <div class="length"><i style={{ width: `${(100 * game.left) / game.size}%` }} /></div>
          <p class="said"><strong data-field="left">{game.left}</strong> of {game.size}. The tree is as deep as the class allows: {game.depth}.</p>
          <p class="concepts">{game.names.slice(0, 24).map((one) => <span key={one} class="label-chip">{one}</span>)}</p>
        </Card>
        {move && <Card title="The class"><div class="form"><label>concepts<select value={kind} onChange={(event) => anew({ kind: event.currentTarget.value })}>{TREES.map(([one, text]) => <option key={one} value={one}>{text}</option>)}</select></label></div></Card>}
      </div>
    </div>
  );
}
