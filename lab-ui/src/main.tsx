// The lab: its screens, their tabs, and what all of them share.
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { go, type Screen, useAddress } from "./address";
import { Data } from "./data";
import { Game } from "./game";
import { Live } from "./live";
import { LiveRegion, Trouble, Waiting } from "./pieces";
import { Race } from "./race";
import { answers, ask, recordedRace, savedView, useAnswer } from "./server";
import { Step } from "./step/step";
import { Actions } from "./actions";
import type { Start } from "./types";
import "./lab.css";

const saved = savedView !== undefined;
const TABS: [Screen, string][] = [["step", "Step"], ["race", "Race"], ["data", "Your data"], ["game", "Game"], ["live", "Live"]];

function useTheme(): [string, () => void] {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const [theme, set] = useState(() => {
    try { return localStorage.getItem("theme"); } catch { return null; }
  });
  const now = theme ?? (dark.matches ? "dark" : "light");
  document.documentElement.dataset.theme = now;
  return [now, () => {
    const next = now === "dark" ? "light" : "dark";
    try { localStorage.setItem("theme", next); } catch { /* a page from disk may keep nothing */ }
    set(next);
  }];
}

function Lab() {
  const { screen } = useAddress();
  const [theme, turn] = useTheme();
  const { value: start, error } = useAnswer<Start | null>("start", (signal) => (saved ? Promise.resolve(null) : ask<Start>("start", {}, signal)));
  useEffect(() => {
    const tab = TABS.find(([name]) => name === screen)![1];
    document.title = saved ? document.title : `${tab} · thresher lab`;
  }, [screen]);
  return (
    <>
      <header class="top">
        <svg class="logo" width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
          <path d="M2 1v19h19" class="logo-axis" /><path d="M4 18h4v-5h4V9h4V5h4" class="logo-curve" /><path d="M5 3h15" class="logo-bound" />
        </svg>
        <strong>thresher</strong><span class="lab-word">lab</span>
        {!saved && (
          <nav aria-label="Screens">
            {TABS.filter(([name]) => name !== "live" || start?.live || screen === "live").map(([name, text]) => (
              <a key={name} href={`#${name}`} aria-current={screen === name ? "page" : undefined}
                onClick={(event) => { event.preventDefault(); go({}, name); }}>{text}</a>
            ))}
          </nav>
        )}
        <span class="push" />
        <Actions />
        <button type="button" class="plain icon" aria-label={`Theme: ${theme}. Turn to the other`} onClick={turn}>◐</button>
      </header>
      {error ? <main class="page"><Trouble error={error} /></main>
        : recordedRace ? <Race start={null} />
        : answers ? screen === "game" ? <Game start={null} /> : screen === "live" ? <Live start={null} /> : <Data />
        : screen !== "step" && !start ? <main class="page"><Waiting>The lab opens.</Waiting></main>
        : screen === "race" && start ? <Race start={start} />
        : screen === "data" && start ? <Data />
        : screen === "game" && start ? <Game start={start} />
        : screen === "live" && start ? <Live start={start} />
        : <Step start={start ?? null} />}
      <LiveRegion />
    </>
  );
}

render(<Lab />, document.getElementById("lab")!);
