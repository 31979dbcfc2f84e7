import type { Start } from "./types";
export function Game(_: { start: Start }) {
  return <main class="page"><h1>Game</h1></main>;
}
