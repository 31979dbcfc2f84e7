import type { Start } from "./types";
export function Data(_: { start: Start }) {
  return <main class="page"><h1>Data</h1></main>;
}
