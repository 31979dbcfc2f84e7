"""Draw the rooms: docs/architecture/rooms.svg, from the layers that `lint-imports` checks."""

from __future__ import annotations

import re
import tomllib
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "architecture" / "rooms.svg"
#: What a row of rooms is for, by one of its rooms.
TITLES = {
    "cli": "the command line",
    "sklearn": "other doors",
    "service": "many users, many machines",
    "export": "what leaves the house",
    "models": "the application",
    "storage": "files, whole or not at all",
    "learners": "predict and update",
    "certifier": "from a run to a claim",
    "verifier": "an island: checks claims",
    "theory": "what is true; what things are called",
    "streams": "bytes to rows",
    "kernels": "compiled loops",
    "parameters": "numbers, addresses, old names",
    "errors": "what can go wrong, and what to do",
    "pictures": "SVG and HTML",
    "records": "classes that are nothing but fields",
}
WIDTH, LEFT, ROW, BOX = 900, 290, 46, 34
STYLE = """
text { font: 14px system-ui, sans-serif; fill: #1f2933 }
.title { fill: #52606d }
rect { fill: #e6f1f5; stroke: #2f7f92 }
.island { fill: #fdf0d5; stroke: #b7791f }
path { stroke: #9aa5b1; fill: none }
.paper { fill: #fff; stroke: none }
@media (prefers-color-scheme: dark) {
  text { fill: #e4e7eb } .title { fill: #9aa5b1 }
  rect { fill: #14343d; stroke: #5fb3c6 } .island { fill: #3d2f14; stroke: #e0b050 }
  .paper { fill: #14181e }
}
"""


def layers() -> list[list[str]]:
    """The rooms of each layer, from the top."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contract = project["tool"]["importlinter"]["contracts"][0]
    return [re.findall(r"thresher\.(\w+)", layer) for layer in contract["layers"]]


def picture() -> str:
    """The drawing: a row for each layer; a room imports only from rows below its own."""
    # A page may be dark where the machine is light, so the drawing brings its paper.
    parts, rows = ['<rect class="paper" width="100%" height="100%"/>'], layers()
    height = len(rows) * ROW + 50
    for number, rooms in enumerate(rows):
        top = 20 + number * ROW
        said = next((TITLES[room] for room in rooms if room in TITLES), "")
        parts.append(f'<text class="title" x="20" y="{top + 22}">{escape(said)}</text>')
        wide = (WIDTH - LEFT - 20) / max(len(rooms), 4)
        box = f'y="{top}" width="{wide - 10:.0f}" height="{BOX}" rx="5"'
        for place, room in enumerate(rooms):
            left = LEFT + place * wide
            island = ' class="island"' if room in {"verifier", "theory"} else ""
            parts.append(
                f'<rect{island} x="{left:.0f}" {box}/><text x="{left + wide / 2 - 5:.0f}" '
                f'y="{top + 22}" text-anchor="middle">{room}</text>'
            )
    foot = height - 10
    parts.append(f'<path d="M 10 20 V {foot - 22} m -5 -8 l 5 8 l 5 -8"/>')
    parts.append(f'<text class="title" x="20" y="{foot}">imports go down, never up</text>')
    body = "\n".join(parts)
    title = "The rooms of thresher, from the doors to the kernels"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n{body}\n</svg>\n"
    )


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(picture(), encoding="utf-8")
