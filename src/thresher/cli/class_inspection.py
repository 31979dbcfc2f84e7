"""What `inspect` found in a model with several classes, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thresher.cli.model_report import history_lines, named, names_line, number, parts_of_score
from thresher.cli.terminal.speech import printable, width
from thresher.cli.terminal.table import Column, Table

if TYPE_CHECKING:
    from thresher.export.class_summary import ClassExplanation

#: Classes that are shown together; --class shows any.
MOST_CLASSES = 100


def summary_text(facts: dict[str, Any], path: str) -> str:
    """The answer to a plain `inspect`, or to one about a class."""
    given = ", ".join(f"{k} {v}" for k, v in facts["parameters"].items() if v is not None)
    lines = [
        ("model", f"{path}, intact; sha256 {facts['sha256']}"),
        ("learner", f"{facts['learner']}: {given}"),
        ("rounds", f"{facts['rounds']:,}; {facts['mistakes']:,} mistakes"),
        ("classes", f"{facts['n_classes']:,}"),
        *names_line(facts["names"]),
        *history_lines(facts),
    ]
    head = "\n".join(f"{name:<8} {value}" for name, value in lines)
    if facts["classes"] is None:
        return f"{head}\n\n{facts['why_no_features']}\n"
    one = facts["n_classes"] > 1 and len(facts["classes"]) == 1
    shown = _one(facts["classes"][0]) if one else _all(facts["classes"])
    return f"{head}\n\n{shown}"


def _one(found: dict[str, Any]) -> str:
    """The heaviest features of a class."""
    said = f"the score of {printable(found['label'])}"
    if found["constant"]:
        said += f"; every row begins with {number(found['constant'])}"
    if found["default"]:
        said += f"; features not touched by an update weigh {number(found['default'])}"
    rows = [
        (number(feature["weight"]), named(feature["names"], feature["column"]))
        for feature in found["features"]
    ]
    if not rows:
        return said + "\n"
    table = Table([Column("weight"), Column("feature", left=True)]).text(rows, width())
    more = found["touched"] - len(rows)
    return f"{said}\n\n{table}\n" + (f"... and {more:,} more\n" if more else "")


def _all(classes: list[dict[str, Any]]) -> str:
    """For each class a line with the features that speak for it, as many as fit."""
    labels = [_short(found["label"]) for found in classes[:MOST_CLASSES]]
    left = max([len("class"), *map(len, labels)])
    room = max(20, width() - left - 2)
    lines = [f"{'class':<{left}}  speaks for it"]
    for label, found in zip(labels, classes, strict=False):
        parts: list[str] = []
        for feature in found["features"]:
            if feature["weight"] <= 0:
                break
            part = f"{named(feature['names'], feature['column'])} {feature['weight']:.3g}"
            if parts and len(", ".join([*parts, part])) > room:
                break
            parts.append(part)
        lines.append(f"{label:<{left}}  {', '.join(parts)}".rstrip())
    more = len(classes) - len(labels)
    rest = f"... and {more:,} more\n" if more else ""
    return "\n".join(lines) + f"\n{rest}--class NAME shows one in full\n"


def _short(label: str) -> str:
    most = max(8, width() // 3)
    plain = printable(label)
    return plain if len(plain) <= most else plain[: most - 3] + "..."


def explanation_text(place: str, why: ClassExplanation, top: int) -> str:
    """Why one row has its score for a class."""
    head = f"{place}: {printable(why.predicted)}"
    if why.label == why.predicted:
        rival = "" if why.rival is None else f"; that of {_scored(why.rival, why.rival_score)}"
        head += f" (score {why.score!r}{rival})"
    else:
        head += f"; the score of {_scored(why.label, why.score)}, the best other of "
        head += _scored(why.rival, why.rival_score)
    return "\n".join([head, *parts_of_score(why, top)]) + "\n"


def _scored(label: str | None, score: float | None) -> str:
    return f"{printable(label or '')} is {score!r}"
