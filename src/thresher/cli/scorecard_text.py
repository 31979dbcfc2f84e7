"""What `test` found out about a model, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thresher.cli.terminal.speech import printable, short, width
from thresher.cli.terminal.table import Column, Table
from thresher.models.scorecard import MOST_RANKED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thresher.models.scorecard import ClassFigures, Macro, Scorecard

#: Pairs of labels that are shown where the whole table of confusions has no room.
MOST_PAIRS = 20
#: Labels that are shown of those that the model does not know.
MOST_UNSEEN = 5
#: The columns that leave a narrow terminal, the highest first.
RANKS = {"": 4, "precision": 3, "recall": 2, "ROC": 1}


def text(card: Scorecard) -> str:
    """The figures for people."""
    head = [f"rows      {card.rows:,}", f"mistakes  {card.mistakes:,}, {_percent(card.error)}"]
    if card.window is not None:
        head.append(f"window    {card.window}")
    if card.unseen:
        shown = ", ".join(map(printable, card.unseen[:MOST_UNSEEN]))
        more = f", and {len(card.unseen) - MOST_UNSEEN:,} more" * (len(card.unseen) > MOST_UNSEEN)
        head.append(f"unknown to the model: {shown}{more}")
    if card.several:
        head.append(f"area under ROC  {_mean_area(card)}")
        tables = [_labels_by_number(card), _mix_ups(card)]
    else:
        head.append(f"area under ROC  {_area(card)}")
        tables = [_pairs(card), _labels(card)]
    return "\n\n".join(["\n".join(head), *tables])


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.2%}"


def _percents(found: ClassFigures | Macro) -> list[str]:
    return [*map(_percent, (found.precision, found.recall, found.f1))]


# ---- two classes -----------------------------------------------------------------------


def _area(card: Scorecard) -> str:
    area = card.areas()[0]
    if area is None:
        return "not defined: all rows have the same label"
    low, high = area
    return f"{low:.6f}" if low == high else f"between {low:.6f} and {high:.6f}"


def _pairs(card: Scorecard) -> str:
    names = [*map(printable, card.names)]
    table = Table([Column("label", left=True), *(Column(f"predicted {name}") for name in names)])
    return table.text([(names[r], *_counts(card, r)) for r in (0, 1)], width())


def _labels(card: Scorecard) -> str:
    headings = ("precision", "recall", "F1", "rows")
    table = Table([Column("label", left=True), *map(Column, headings)])
    rows = [(printable(f.label), *_percents(f), f"{f.rows:,}") for f in card.figures()]
    return table.text(rows, width())


def _counts(card: Scorecard, label: int, none: str = "0") -> list[str]:
    """How often each class was predicted for rows with this label."""
    counts = (card.counts[label, said] for said in range(len(card.names)))
    return [f"{rows:,}" if rows else none for rows in counts]


# ---- several classes: numbered, because their names may be long ------------------------


def _mean_area(card: Scorecard) -> str:
    if not card.areas():
        if len(card.names) > MOST_RANKED:
            return f"not given for more than {MOST_RANKED} classes"
        return "not given: scores of this learner compare classes, not rows"
    mean = card.area
    return "not defined" if mean is None else f"{mean:.6f}, mean over each class against the rest"


def _labels_by_number(card: Scorecard) -> str:
    areas = [None if area is None else sum(area) / 2 for area in card.areas()]
    headings = ["", "label", "precision", "recall", "F1", "rows", *(["ROC"] if areas else [])]
    columns = [Column(name, left=name == "label", rank=RANKS.get(name, 0)) for name in headings]
    ranked = [*areas, *[None] * len(card.unseen)] if areas else [None] * len(card.names)
    rows = [
        (str(r + 1), name, *_percents(found), f"{found.rows:,}", _number(area))
        for r, (name, found, area) in enumerate(
            zip(_short(card.names), card.figures(), ranked, strict=True)
        )
    ]
    rows.append(("", "(mean)", *_percents(card.macro()), f"{card.rows:,}", _number(card.area)))
    return Table(columns).text([row[: len(columns)] for row in rows], width())


def _number(area: float | None) -> str:
    return "-" if area is None else f"{area:.4f}"


def _mix_ups(card: Scorecard) -> str:
    """All pairs of labels as a table if it fits, otherwise the pairs that are confused most."""
    # With so many classes a table of them fits no terminal.
    if 0 < len(card.names) <= MOST_RANKED:
        table = Table(
            [
                Column("label, predicted", left=True),
                *(Column(str(s + 1)) for s in range(len(card.names))),
            ]
        )
        lines = [
            (f"{r + 1} {name}", *_counts(card, r, ".")) for r, name in enumerate(_short(card.names))
        ]
        whole = table.text(lines, width())
        if len(whole.partition("\n")[0]) <= width():
            return whole
    wrong = card.mix_ups()
    if not wrong:
        return "no label was taken for another"
    shown = [
        (f"{rows:,}", *_short([label, said or ""])) for label, said, rows in wrong[:MOST_PAIRS]
    ]
    pairs = Table([Column("rows"), Column("label", left=True), Column("predicted", left=True)])
    more = len(wrong) - len(shown)
    rest = f"\n... and {more:,} more pairs; --json has them all" if more else ""
    return f"confused most\n{pairs.text(shown, width())}{rest}"


def _short(names: Sequence[str]) -> list[str]:
    """Names that leave room for numbers beside them."""
    return [short(name, max(8, width() // 3)) for name in names]
