// First, back, play, forward, last, and a scrubber with a tick for every mistake.
import { useWidth } from "../plot";
import { count } from "../words";
import { logarithmic, linear } from "../plot";

function Icon(props: { d: string }) {
  return <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true"><path d={props.d} fill="currentColor" /></svg>;
}

export function Transport(props: {
  t: number;
  rounds: number;
  ticks: number[];
  hue: number;
  log: boolean;
  playing: boolean;
  learners: number;
  onPlay: () => void;
  onGo: (t: number) => void;
  onMistake: (direction: number) => void;
}) {
  const [room, width] = useWidth();
  const { t, rounds } = props;
  const x = props.log ? logarithmic(rounds, 4, width - 4) : linear(0, rounds, 4, width - 4);
  const seek = (event: PointerEvent) => {
    if (!(event.buttons & 1)) return;
    const frame = (event.currentTarget as Element).getBoundingClientRect();
    props.onGo(Math.round(x.invert(Math.min(Math.max(event.clientX - frame.left, 4), width - 4))));
  };
  return (
    <footer class="transport" aria-label="Transport">
      <div class="buttons">
        <button type="button" aria-label="First round" onClick={() => props.onGo(1)}><Icon d="M2 2h2v12H2zM14 2v12L5 8z" /></button>
        <button type="button" aria-label="One round back" onClick={() => props.onGo(t - 1)}><Icon d="M11 3v10L4 8z" /></button>
        <button type="button" class="play" aria-label={props.playing ? "Pause" : "Play"} onClick={props.onPlay}>
          <Icon d={props.playing ? "M3 2h4v12H3zM9 2h4v12H9z" : "M4 2v12l10-6z"} />
        </button>
        <button type="button" aria-label="One round forward" onClick={() => props.onGo(t + 1)}><Icon d="M5 3v10l7-5z" /></button>
        <button type="button" aria-label="Next mistake" onClick={() => props.onMistake(1)}><Icon d="M1 3v10l6-5zM9 5.4l1.4-1.4 1.9 1.9L14.2 4l1.4 1.4-1.9 1.9 1.9 1.9-1.4 1.4-1.9-1.9-1.9 1.9L9 9.2l1.9-1.9z" /></button>
        <button type="button" aria-label="Last round" onClick={() => props.onGo(rounds)}><Icon d="M12 2h2v12h-2zM2 2v12l9-6z" /></button>
      </div>
      <div
        class="scrubber"
        ref={room}
        role="slider"
        tabIndex={0}
        aria-label="Round"
        aria-valuemin={1}
        aria-valuemax={rounds}
        aria-valuenow={t}
        aria-valuetext={`round ${count(t)} of ${count(rounds)}`}
        onPointerDown={(event) => { (event.currentTarget as Element).setPointerCapture(event.pointerId); seek(event); }}
        onPointerMove={seek}
      >
        <svg width={width} height={32} aria-hidden="true" class={`hue-${props.hue}`}>
          <rect class="track" x={0} y={14} width={width} height={4} rx={2} />
          <rect class="done" x={0} y={14} width={Math.max(0, x(t))} height={4} rx={2} />
          {props.ticks.map((one) => <line key={one} class={`tick-mark ${one <= t ? "" : "later"}`} x1={x(one)} x2={x(one)} y1={6} y2={26} />)}
          <rect class="thumb" x={x(t) - 2.5} y={0} width={5} height={32} rx={2.5} />
        </svg>
      </div>
      <div class="hints" aria-hidden="true">
        <span><kbd>←</kbd> <kbd>→</kbd> round</span>
        <span><kbd>M</kbd> next mistake</span>
        <span><kbd>Space</kbd> play</span>
        {props.learners > 1 && <span><kbd>1</kbd> – <kbd>{props.learners}</kbd> learner</span>}
      </div>
    </footer>
  );
}
