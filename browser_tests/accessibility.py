"""What axe-core finds against WCAG 2.2 AA."""

from __future__ import annotations

from playwright.sync_api import Page

#: Style sheets are not fetched once more: from disk that is forbidden, and the page would complain.
RULES = "{preload: false, runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']}"


def violations(page: Page, axe: str, *, frames: bool = True) -> list[str]:
    """The rules that are broken, with the places; what frames hold may be left to others."""
    page.evaluate(axe)
    rules = RULES if frames else RULES.replace("{", "{iframes: false, ", 1)
    found = page.evaluate(f"axe.run(document, {rules})")["violations"]
    return [f"{one['id']}: {node['target']}" for one in found for node in one["nodes"]]
