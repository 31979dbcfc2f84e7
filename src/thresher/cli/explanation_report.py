"""Why a row has its score, how a weight came about, which features share a column: as text."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from thresher.cli.model_report import named, number
from thresher.cli.terminal.speech import printable, width
from thresher.cli.terminal.table import Column, Table
from thresher.export.text import escaped

#: Parts that are lists of parts.
PARTS = ("contributions", "others", "opinions")
#: Smaller parts of a total that belong to no feature are not shown: tables have six digits.
SHOWN = 1e-6

if TYPE_CHECKING:
    from thresher.learners.base.explanation import Contribution, Explanation
    from thresher.models.blame import Blame
    from thresher.models.importance import Importances
    from thresher.names.collisions import Collisions


def explanation_json(place: str, why: Explanation) -> dict[str, Any]:
    """Why one row has its score, for programs; what does not apply is left out."""
    return {"place": place} | _stated(asdict(why))


def _stated(found: dict[str, Any]) -> dict[str, Any]:
    """What is stated, of a whole or of its parts."""
    return {
        name: [_stated(one) for one in part] if isinstance(part, tuple) and name in PARTS else part
        for name, part in found.items()
        if part is not None and part != ()
    }


def explanation_text(place: str, why: Explanation, top: int) -> str:
    """Why one row has its score."""
    sure = "" if why.probability is None else f", probability {why.probability:.4f}"
    if why.threshold is not None:
        side = f"{escaped(why.label)} from {why.threshold!r} on"
        said = f"{escaped(why.predicted)} (score {why.score!r}, {side}{_of(why, sure)})"
    elif why.label == why.predicted:
        rival = "" if why.rival is None else f"; that of {_scored(why.rival, why.rival_score)}"
        said = f"{printable(why.predicted)} (score {why.score!r}{rival}{sure})"
    else:
        said = f"{printable(why.predicted)}; the score of {_scored(why.label, why.score)}, "
        said += f"the best other of {_scored(why.rival, why.rival_score)}"
    lines = [f"{place}: {said}", *_parts_of_total(why, top), *_opinions(why)]
    return "\n".join(lines) + "\n"


def _of(why: Explanation, sure: str) -> str:
    """The probability, which is that of +1, as that of the label that is predicted."""
    if why.probability is None or why.predicted == why.label:
        return sure
    return f", probability {1.0 - why.probability:.4f}"


def _scored(label: str | None, score: float | None) -> str:
    return f"{printable(label or '')} is {score!r}"


def _parts_of_total(why: Explanation, top: int) -> list[str]:
    """What each feature of a row adds to its score: a table, and what it leaves out."""
    rival = why.rival_total is not None
    scaled = any(part.seen != part.value for part in why.contributions)
    rows = [
        (
            number(part.adds),
            _number(part.rival_adds),
            _number(part.weight),
            number(part.value),
            number(part.seen),
            _number(part.weight_of_seen),
            _called(part),
        )
        for part in why.contributions[:top]
    ]
    blank = ("",) * 4
    if len(why.contributions) > top:
        rest = why.contributions[top:]
        against = sum(part.rival_adds or 0.0 for part in rest) if rival else None
        called = f"(... and {len(rest):,} more)"
        rows.append((number(sum(part.adds for part in rest)), _number(against), *blank, called))
    if why.constant or why.rival_constant:
        rows.append((number(why.constant), _number(why.rival_constant), *blank, "(every row)"))
    for other in why.others:
        if max(abs(other.adds), abs(other.rival_adds or 0.0)) > SHOWN:
            rows.append((number(other.adds), _number(other.rival_adds), *blank, f"({other.name})"))
    if not rows:
        return []
    whole = f"= {why.unit} of {printable(why.label)}" if why.unit == "log-odds" else "= score"
    rows.append((number(why.total), _number(why.rival_total), *blank, whole))
    columns = [
        Column("adds"),
        Column(f"for {printable(why.rival or '')}", rank=1),
        Column("weight", rank=3),
        Column("value", rank=2),
        Column("scaled", rank=4),
        Column("its weight", rank=5),
        Column("feature", left=True),
    ]
    shown = [0, *([1] if rival else []), 2, 3, *([4, 5] if scaled else []), 6]
    table = Table([columns[c] for c in shown])
    return [table.text([[row[c] for c in shown] for row in rows], width())]


def _number(value: float | None) -> str:
    return "" if value is None else number(value)


def _called(part: Contribution) -> str:
    """The names of a feature, and which others are known to have its column."""
    called = named(part.names, part.column)
    if not part.shares:
        return called
    return f"{called} (shares its column with {named(part.shares, part.column)})"


def _opinions(why: Explanation) -> list[str]:
    """What the members of a committee say."""
    if not why.opinions:
        return []
    heard = [one for one in why.opinions if not one.left]
    rows = [(f"{one.weight:.3f}", number(one.log_odds), one.name) for one in heard]
    columns = [Column("weight"), Column(f"log-odds of {printable(why.label)}"),
               Column("expert", left=True)]  # fmt: skip
    return ["", Table(columns).text(rows, width())]


def importances_text(found: Importances, top: int, of: str) -> str:
    """How much features matter, measured over rows."""
    said = f"what features add to the {found.unit}{of} in {found.rows or 0:,} rows: its standard "
    said += "deviation, which is their importance, and its mean"
    rows = [
        (number(one.importance), number(one.adds), f"{one.rows:,}", named(one.names, one.column))
        for one in found.features[:top]
    ]
    columns = [Column("importance"), Column("adds", rank=1), Column("rows", rank=2),
               Column("feature", left=True)]  # fmt: skip
    table = f"\n{Table(columns).text(rows, width())}\n" if rows else ""
    more = len(found.features) - len(rows)
    return f"{said}\n{table}" + (f"... and {more:,} more\n" if more else "")


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
