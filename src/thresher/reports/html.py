"""Pieces of a page: cards, tables, charts in two sizes. What others wrote is escaped here."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from thresher.pictures import Chart, shown
from thresher.pictures.scale import number

#: Points of a curve in the table behind its picture.
MOST_LISTED = 24


class Html(str):
    """Text that is markup already; all other text is escaped where it is put into a page."""

    __slots__ = ()


class Cell(NamedTuple):
    """A cell of a table, with the class that says how it looks."""

    content: object
    look: str = ""


def markup(content: object, most: int = 80) -> str:
    """Content as markup: escaped, unless it is markup, and isolated from the text around it.

    >>> markup("<b>"), markup(Html("<b>x</b>"))
    ('<bdi>&lt;b&gt;</bdi>', '<b>x</b>')
    """
    return content if isinstance(content, Html) else f"<bdi>{shown(content, most)}</bdi>"


def card(title: str, note: object, *body: str, span: int = 6, tall: bool = False) -> Html:
    """One idea, in a frame: so many of twelve columns wide, one row high or two."""
    said = "" if note == "" else f'<p class="note">{markup(note, 400)}</p>'
    inside = "".join(body)
    head = f'<div class="head"><h2>{shown(title, 200)}</h2>{said}</div>'
    return Html(f'<section class="card s{span}{" tall" * tall}">{head}{inside}</section>\n')


def table(headings: Sequence[object], rows: Iterable[Sequence[object]], look: str = "") -> Html:
    """Rows under headings; a number is a text by now, and a `Cell` says how it looks."""
    looks: list[str] = []
    head = ""
    for heading in headings:
        cell = heading if isinstance(heading, Cell) else Cell(heading)
        looks.append(cell.look)
        head += f'<th scope="col"{_class(cell.look)}>{markup(cell.content)}</th>'
    lines = []
    for row in rows:
        cells = ""
        for place, found in enumerate(row):
            cell = found if isinstance(found, Cell) else Cell(found, looks[place] if looks else "")
            cells += f"<td{_class(cell.look)}>{markup(cell.content)}</td>"
        lines.append(f"<tr>{cells}</tr>")
    top = f"<thead><tr>{head}</tr></thead>" if head else ""
    return Html(f"<table{_class(look)}>{top}<tbody>{''.join(lines)}</tbody></table>")


def scrolled(name: str, inside: str) -> Html:
    """What may be wider than its card: it moves sideways, by keys as well."""
    said = shown(name, 200)
    return Html(f'<div class="wide" tabindex="0" role="region" aria-label="{said}">{inside}</div>')


def _class(look: str) -> str:
    return f' class="{look}"' if look else ""


def facts(pairs: Iterable[tuple[str, object]]) -> Html:
    """What is known, name by name."""
    lines = (f"<dt>{shown(name)}</dt><dd>{markup(value, 400)}</dd>" for name, value in pairs)
    return Html(f"<dl>{''.join(lines)}</dl>")


def drawn(chart: Chart, narrow: int = 350) -> Html:
    """A chart for wide pages, and again for narrow ones."""
    small = replace(chart, width=narrow, height=min(chart.height, 240))
    return Html(chart.svg().inline("tp big") + small.svg().inline("tp small"))


def listed(headings: Sequence[str], points: Sequence[Sequence[float]]) -> Html:
    """The table behind a picture, some of its points."""
    step = max(1, math.ceil(len(points) / MOST_LISTED))
    kept = list(points[::step])
    if points and kept[-1] != points[-1]:
        kept.append(points[-1])
    some = "" if step == 1 else f" ({len(kept)} of {len(points):,} points)"
    rows = [[Cell(number(value), "n") for value in point] for point in kept]
    inside = table([Cell(heading, "n") for heading in headings], rows)
    return Html(f"<details><summary>Data{some}</summary>{inside}</details>")


def share(part: float | None) -> str:
    """A share in percent, as people write it.

    >>> share(0.0235), share(None), share(1.0)
    ('2.35 %', '-', '100 %')
    """
    if part is None:
        return "-"
    return f"{100 * part:.2f}".rstrip("0").rstrip(".") + " %"


def count(many: int, one: str, more: str | None = None) -> str:
    """A number with its noun.

    >>> count(1, "mistake"), count(1200, "mistake")
    ('1 mistake', '1,200 mistakes')
    """
    return f"{many:,} {one if many == 1 else more or one + 's'}"
