// The buttons at the top right: whatever the screen offers to copy or to keep.
import { useEffect, useState } from "preact/hooks";
import { Menu } from "./pieces";
import { savedView } from "./server";

export interface Action {
  name: string;
  act?: () => void;
  href?: string;
}

let set: (actions: Action[]) => void = () => {};

/** A screen says what can be copied of it, as it is now. */
export function useActions(actions: Action[], key: string): void {
  useEffect(() => set(actions), [key]);
}

export function Actions() {
  const [actions, take] = useState<Action[]>([]);
  set = take;
  if (savedView !== undefined || !actions.length) return null;
  const button = (one: Action) =>
    one.href ? (
      <a key={one.name} class="plain" href={one.href} download="">{one.name}</a>
    ) : (
      <button key={one.name} type="button" class="plain" onClick={one.act}>{one.name}</button>
    );
  const first = actions.filter((one) => one.name === "Copy link" || one.name === "Save as HTML");
  const others = actions.filter((one) => !first.includes(one));
  return (
    <div class="actions">
      {first.map(button)}
      {actions.length > 0 && (
        <Menu label="Copy as…" class={others.length ? "" : "phone-only"} right>
          {(close) => <ul class="list" onClick={close}>{actions.map((one) => <li key={one.name} class={others.includes(one) ? "" : "phone"}>{button(one)}</li>)}</ul>}
        </Menu>
      )}
    </div>
  );
}
