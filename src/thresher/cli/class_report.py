"""What `test` found out about a model with several classes, for people and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thresher.cli.class_scorecard import MOST_RANKED
from thresher.cli.terminal.speech import printable, width
from thresher.cli.terminal.table import Column, Table

if TYPE_CHECKING:
    from thresher.cli.class_scorecard import ClassScorecard

#: Pairs of labels that are shown where the whole table of confusions has no room.
MOST_PAIRS = 20
#: Labels that are shown of those that the model does not know.
MOST_UNSEEN = 5


def report(card: ClassScorecard) -> dict[str, Any]:
    """The figures as JSON-ready values; what cannot be said is null."""
    areas = card.areas()
    macro = card.macro()
    return {
        "rows": card.rows,
        "mistakes": card.mistakes,
        "error": card.error,
        "macro": {"precision": macro.precision, "recall": macro.recall, "f1": macro.f1},
        "area_under_roc": mean_area(card),
        "unseen_labels": card.unseen,
        "confusion": [
            {"label": card.names[label], "predicted": card._said(said) or None, "rows": rows}
            for (label, said), rows in sorted(card.counts.items())
        ],
        "labels": [
            {
                "label": found.label,
                "precision": found.precision,
                "recall": found.recall,
                "f1": found.f1,
                "rows": found.rows,
                "area_under_roc": _middle(areas[r] if r < len(areas) else None),
            }
            for r, found in enumerate(card.figures())
        ],
    }


def mean_area(card: ClassScorecard) -> float | None:
    """The mean of the areas of all classes that have one."""
    given = [middle for area in card.areas() if (middle := _middle(area)) is not None]
    return sum(given) / len(given) if given else None


def _middle(area: tuple[float, float] | None) -> float | None:
    return None if area is None else sum(area) / 2


def text(card: ClassScorecard) -> str:
    """The figures for people."""
    room = width()
    head = [f"rows      {card.rows:,}", f"mistakes  {card.mistakes:,}, {_percent(card.error)}"]
    if card.unseen:
        shown = ", ".join(map(printable, card.unseen[:MOST_UNSEEN]))
        more = f", and {len(card.unseen) - MOST_UNSEEN:,} more" * (len(card.unseen) > MOST_UNSEEN)
        head.append(f"unknown to the model: {shown}{more}")
    head.append(f"area under ROC  {_area_in_words(card)}")
    return "\n".join([*head, "", _labels(card, room), "", _confusions(card, room)])


def _area_in_words(card: ClassScorecard) -> str:
    if not card.areas():
        if len(card.names) > MOST_RANKED:
            return f"not given for more than {MOST_RANKED} classes"
        return "not given: scores of this learner compare classes, not rows"
    mean = mean_area(card)
    return "not defined" if mean is None else f"{mean:.6f}, mean over each class against the rest"


def _labels(card: ClassScorecard, room: int) -> str:
    areas = card.areas()
    headings = ("precision", "recall", "F1", "rows", *(["ROC"] if areas else []))
    ranks = {"ROC": 1, "precision": 3, "recall": 2}
    table = Table(
        [
            Column("", rank=4),
            Column("label", left=True),
            *(Column(name, rank=ranks.get(name, 0)) for name in headings),
        ]
    )
    rows = []
    for r, found in enumerate(card.figures()):
        middle = _middle(areas[r]) if r < len(areas) else None
        ranked = ["-" if middle is None else f"{middle:.4f}"] if areas else []
        shares = map(_percent, (found.precision, found.recall, found.f1))
        rows.append((str(r + 1), _short(found.label, room), *shares, f"{found.rows:,}", *ranked))
    macro = card.macro()
    mean = mean_area(card)
    ranked = ["-" if mean is None else f"{mean:.4f}"] if areas else []
    shares = map(_percent, (macro.precision, macro.recall, macro.f1))
    rows.append(("", "(mean)", *shares, f"{card.rows:,}", *ranked))
    return table.text(rows, room)


def _confusions(card: ClassScorecard, room: int) -> str:
    """All pairs of labels as a table if it fits, otherwise the pairs that are confused most."""
    names = [_short(name, room) for name in card.names]
    counts = [[card.counts[r, s] for s in range(len(names))] for r in _few(names)]
    numbers = [str(s + 1) for s in range(len(names))]
    table = Table([Column("label, predicted", left=True), *map(Column, numbers)])
    lines = [
        (f"{numbers[r]} {names[r]}", *(f"{rows:,}" if rows else "." for rows in line))
        for r, line in enumerate(counts)
    ]
    whole = table.text(lines, room)
    if lines and len(whole.partition("\n")[0]) <= room:
        return whole
    wrong = card.confusions()
    if not wrong:
        return "no label was taken for another"
    shown = [
        (f"{rows:,}", _short(label, room), _short(said, room))
        for label, said, rows in wrong[:MOST_PAIRS]
    ]
    pairs = Table([Column("rows"), Column("label", left=True), Column("predicted", left=True)])
    more = len(wrong) - len(shown)
    rest = f"\n... and {more:,} more pairs; --json has them all" if more else ""
    return f"confused most\n{pairs.text(shown, room)}{rest}"


def _few(names: list[str]) -> range:
    """The labels, unless a table of them fits no terminal."""
    return range(len(names) if len(names) <= MOST_RANKED else 0)


def _short(name: str, room: int) -> str:
    most = max(8, room // 3)
    plain = printable(name)
    return plain if len(plain) <= most else plain[: most - 3] + "..."


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.2%}"
