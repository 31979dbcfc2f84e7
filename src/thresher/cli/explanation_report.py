"""Why a row has its score, how a weight came about, which features share a column: as text."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from thresher.cli.model_report import named, number
from thresher.cli.terminal.speech import printable, width
from thresher.cli.terminal.table import Column, Table
from thresher.export.text import escaped

if TYPE_CHECKING:
    from thresher.models.blame import Blame
    from thresher.models.explanation import Explanation
    from thresher.names.collisions import Collisions


def explanation_json(place: str, why: Explanation) -> dict[str, Any]:
    """Why one row has its score, for programs."""
    found = {"place": place} | asdict(why)
    if why.threshold is None:
        del found["threshold"]
        return found
    # Two classes have one score between them, and the label is the one that it predicts.
    kept = ("place", "score", "threshold", "label", "constant", "contributions")
    return {name: found[name] for name in kept} | {"label": why.predicted}


def explanation_text(place: str, why: Explanation, top: int) -> str:
    """Why one row has its score."""
    if why.threshold is not None:
        said = f"{escaped(why.predicted)} (score {why.score!r}, +1 from {why.threshold!r} on)"
    elif why.label == why.predicted:
        rival = "" if why.rival is None else f"; that of {_scored(why.rival, why.rival_score)}"
        said = f"{printable(why.predicted)} (score {why.score!r}{rival})"
    else:
        said = f"{printable(why.predicted)}; the score of {_scored(why.label, why.score)}, "
        said += f"the best other of {_scored(why.rival, why.rival_score)}"
    return "\n".join([f"{place}: {said}", *_parts_of_score(why, top)]) + "\n"


def _scored(label: str | None, score: float | None) -> str:
    return f"{printable(label or '')} is {score!r}"


def _parts_of_score(why: Explanation, top: int) -> list[str]:
    """What each feature of a row adds to its score: a table, and what it leaves out."""
    lines = []
    rows = [
        (number(part.adds), number(part.weight), number(part.value), named(part.names, part.column))
        for part in why.contributions[:top]
    ]
    if why.constant:
        rows.append((number(why.constant), "", "", "(every row)"))
    if rows:
        columns = [Column("adds"), Column("weight", rank=2), Column("value", rank=1),
                   Column("feature", left=True)]  # fmt: skip
        lines.append(Table(columns).text(rows, width()))
    if len(why.contributions) > top:
        rest = sum(part.adds for part in why.contributions[top:])
        lines.append(f"... and {len(why.contributions) - top:,} more: {number(rest)}")
    return lines


def blame_text(found: Blame) -> str:
    """The history of one weight."""
    lines = [f"{named(found.names, found.column)} (column {found.column}) began at {found.start:g}"]
    rows = [
        (f"{entry.round_number:,}", entry.label, number(entry.value), number(entry.weight))
        for entry in found.entries
    ]
    columns = [Column("round"), Column("label", left=True), Column("value"), Column("weight after")]
    if rows:
        lines.append(Table(columns).text(rows, width()))
    lines.append(f"in the model it weighs {found.weight!r}")
    if found.matches is None:
        lines.append(f"the journal lacks {found.omitted:,} updates, so this is not the whole story")
        if not rows:
            lines.append("train --journal keeps the journal")
    elif found.matches:
        lines.append("the journal, played again, ends at this weight")
    else:
        lines.append("THE JOURNAL, PLAYED AGAIN, ENDS AT ANOTHER WEIGHT")
    return "\n".join(lines) + "\n"


def collisions_text(found: Collisions) -> str:
    """Which features share a column."""
    rows = [(number(one.weight), named(one.names, one.column)) for one in found.worst]
    table = Table([Column("weight"), Column("features", left=True)]).text(rows, width())
    return f"{found}\n" + (f"\n{table}\n" if rows else "")
