// Charts: scales, axes, lines and labels that keep out of each other's way.
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { short } from "./words";

export type Point = readonly [number, number];

export interface Scale {
  (value: number): number;
  invert: (place: number) => number;
  ticks: number[];
  lo: number;
  hi: number;
}

/** Round numbers between two others, about so many of them. */
export function ticks(lo: number, hi: number, wanted: number): number[] {
  const span = hi - lo || 1;
  const power = 10 ** Math.floor(Math.log10(span / wanted));
  const step = power * ([1, 2, 2.5, 5, 10].find((m) => span / (m * power) <= wanted) ?? 10);
  const first = Math.ceil(lo / step - 1e-9);
  const found: number[] = [];
  for (let k = first; k * step <= hi + 1e-9 * span; k++) found.push(+(k * step).toPrecision(12));
  return found;
}

export function linear(lo: number, hi: number, from: number, to: number, wanted = 5): Scale {
  const span = hi - lo || 1;
  // Halves, as in Python: the largest numbers are farther apart than any number is large.
  const share = (v: number) => (hi > lo ? (v / 2 - lo / 2) / (hi / 2 - lo / 2) : 0);
  return Object.assign((v: number) => from + share(v) * (to - from), {
    invert: (place: number) => lo + ((place - from) / (to - from || 1)) * span,
    ticks: ticks(lo, hi, wanted),
    lo,
    hi,
  });
}

/** Rounds by their logarithm; before the first there is half a round. */
export function logarithmic(hi: number, from: number, to: number): Scale {
  const at = (v: number) => Math.log(Math.max(v, 0.5) / 0.5);
  const span = at(hi) || 1;
  const found: number[] = [];
  for (let v = 1; v < hi; v *= 10) found.push(v);
  while (found.length && at(hi) - at(found.at(-1)!) < 0.1 * span) found.pop();
  return Object.assign((v: number) => from + (at(v) / span) * (to - from), {
    invert: (place: number) => 0.5 * Math.exp(((place - from) / (to - from || 1)) * span),
    ticks: [...found, hi],
    lo: 0,
    hi,
  });
}

/** Places for labels, in order, none closer to the next than `gap`, all inside. */
export function spread(places: number[], gap: number, lo: number, hi: number): number[] {
  const order = places.map((_, i) => i).sort((a, b) => places[a]! - places[b]!);
  const found = [...places];
  let last = lo - gap;
  for (const i of order) last = found[i] = Math.max(found[i]!, last + gap);
  let next = hi + gap;
  for (const i of order.reverse()) next = found[i] = Math.min(found[i]!, next - gap);
  return found;
}

const tenth = (place: number) => String(Math.floor(place * 10 + 0.5) / 10);

/** The path of a curve: to the letter what `path_of` in thresher/pictures/chart.py writes. */
export function path(points: readonly Point[], x: Scale, y: Scale, steps = false): string {
  let text = "";
  let [lastX, lastY] = ["", ""];
  for (const [a, b] of points) {
    const [px, py] = [tenth(x(a)), tenth(y(b))];
    if (!text) text = `M${px} ${py}`;
    else if (steps) text += (px !== lastX ? `H${px}` : "") + (py !== lastY ? `V${py}` : "");
    else if (px !== lastX || py !== lastY) text += `L${px} ${py}`;
    [lastX, lastY] = [px, py];
  }
  return text;
}

/** The room between two lines over the same places. */
export function band(xs: number[], top: number[], bottom: number[], x: Scale, y: Scale): string {
  const upper = xs.map((v, i) => `${x(v).toFixed(1)} ${y(top[i]!).toFixed(1)}`);
  const lower = xs.map((v, i) => `${x(v).toFixed(1)} ${y(bottom[i]!).toFixed(1)}`).reverse();
  return `M${[...upper, ...lower].join("L")}Z`;
}

export function useWidth(): [RefObject<HTMLDivElement | null>, number] {
  const room = useRef<HTMLDivElement>(null);
  const [width, set] = useState(640);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => entry && set(Math.round(entry.contentRect.width)));
    if (room.current) watch.observe(room.current);
    return () => watch.disconnect();
  }, []);
  return [room, width];
}

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
  width: number;
  height: number;
}

export function Plot(props: {
  name: string;
  height: number;
  margin: [top: number, right: number, bottom: number, left: number];
  x: (box: Box) => Scale;
  y: (box: Box) => Scale;
  xName?: string;
  xText?: (value: number) => string;
  yText?: (value: number) => string;
  /** Called with a place on the x axis while the pointer is down or moves over the chart. */
  onPick?: (x: number) => void;
  children: (x: Scale, y: Scale, box: Box) => ComponentChildren;
}) {
  const [room, width] = useWidth();
  const [top, right, bottom, left] = props.margin;
  const box = { left, top, right: Math.max(width - right, left + 40), bottom: props.height - bottom, width, height: props.height };
  const x = props.x(box);
  const y = props.y(box);
  const xText = props.xText ?? short;
  const yText = props.yText ?? short;
  const pick = (event: PointerEvent) => {
    if (!props.onPick || !(event.buttons & 1)) return;
    const frame = (event.currentTarget as Element).getBoundingClientRect();
    props.onPick(x.invert(Math.min(Math.max(event.clientX - frame.left, box.left), box.right)));
  };
  const capture = (event: PointerEvent) => {
    if (!props.onPick) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    pick(event);
  };
  return (
    <div class="plot" ref={room}>
      <svg
        role="img"
        aria-label={props.name}
        width={width}
        height={props.height}
        class={props.onPick ? "pickable" : ""}
        onPointerDown={capture}
        onPointerMove={pick}
      >
        {y.ticks.map((v) => (
          <g key={v}>
            <line class="grid" x1={box.left} x2={box.right} y1={y(v)} y2={y(v)} />
            <text class="axis" x={box.left - 8} y={y(v) + 4} text-anchor="end">{yText(v)}</text>
          </g>
        ))}
        {x.ticks.map((v, i) => (
          <text
            key={v}
            class="axis"
            x={x(v)}
            y={box.bottom + 19}
            text-anchor={i === x.ticks.length - 1 && x(v) > box.right - 20 && right < 40 ? "end" : "middle"}
          >
            {xText(v)}
          </text>
        ))}
        {props.xName && (
          <text class="axis" x={right < 60 ? box.right : box.right + 34} y={right < 60 ? box.bottom - 8 : box.bottom + 19} text-anchor={right < 60 ? "end" : "start"}>
            {props.xName}
          </text>
        )}
        {props.children(x, y, box)}
      </svg>
    </div>
  );
}
