"""What axe-core finds against WCAG 2.2 AA."""

from __future__ import annotations

from playwright.sync_api import Page

#: Style sheets are not fetched once more: from disk that is forbidden, and the page would complain.
RULES = "{preload: false, runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']}"


def violations(page: Page, axe: str) -> list[str]:
    """The rules that are broken, with the places."""
    page.evaluate(axe)
    found = page.evaluate(f"axe.run(document, {RULES})")["violations"]
    return [f"{one['id']}: {node['target']}" for one in found for node in one["nodes"]]
