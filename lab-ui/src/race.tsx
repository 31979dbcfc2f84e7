import type { Start } from "./types";
export function Race(_: { start: Start }) {
  return <main class="page"><h1>Race</h1></main>;
}
