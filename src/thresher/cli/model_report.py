"""What `inspect` found, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thresher.cli.terminal.speech import width
from thresher.cli.terminal.table import Column, Table
from thresher.export.text import escaped

if TYPE_CHECKING:
    from thresher.export.blame import Blame
    from thresher.export.class_summary import ClassExplanation
    from thresher.export.explanation import Explanation
    from thresher.names.collisions import Collisions


def named(names: Any, column: int) -> str:
    """The names that share a column; its number where there is none."""
    return " | ".join(escaped(name) for name in names) or str(column)


def number(value: float) -> str:
    """A weight in a table."""
    return f"{value:.6g}"


def summary_text(facts: dict[str, Any], path: str) -> str:
    """The answer to a plain `inspect`."""
    given = ", ".join(f"{k} {v}" for k, v in facts["parameters"].items() if v is not None)
    journal = facts["journal"]
    lost = journal["updates"] - journal["kept"]
    missed, alarms = facts["false_negatives"], facts["false_positives"]
    incomplete = f", {lost:,} of them not kept" if lost else ""
    lines = [
        ("model", f"{path}, intact; sha256 {facts['sha256']}"),
        ("learner", f"{facts['learner']}: {given}"),
        ("rounds", f"{facts['rounds']:,}; {facts['mistakes']:,} mistakes: "
                   f"{missed:,} missed, {alarms:,} false alarms"),
        ("labels", f"{facts['positive']} is +1, {facts['negative']} is -1"),
        ("journal", f"{journal['updates']:,} updates{incomplete}"),
        *names_line(facts["names"]),
        *history_lines(facts),
    ]  # fmt: skip
    text = "\n".join(f"{name:<8} {value}" for name, value in lines)
    return f"{text}\n\n{_features(facts)}"


def names_line(names: dict[str, Any] | None) -> list[tuple[str, str]]:
    """How names find columns, where a model has names."""
    if names is None:
        return []
    if names["kind"] == "vocabulary":
        return [("names", f"{names['known']:,} in the vocabulary")]
    return [("names", f"hashed with seed {names['seed']}; {names['kept']:,} kept")]


def history_lines(facts: dict[str, Any]) -> list[tuple[str, str]]:
    """What the model was trained on, run after run."""
    lines = []
    for training in facts["history"]:
        ended = "" if training["finished"] else ", interrupted"
        command = training["command"] or "in a program"
        lines.append(("trained", f"{escaped(command)} (thresher {training['version']}{ended})"))
        for source in training["sources"]:
            name, rows = escaped(source["name"]), source["rows"]
            digest = source["sha256"]
            bytes_read = "not to its end" if digest is None else f"{source['n_bytes']:,} bytes"
            lines.append(("data", f"{name}: {rows:,} rows, {bytes_read}"
                          + (f", sha256 {digest}" if digest else "")))  # fmt: skip
    if facts["history"]:
        lines.append(("all data", f"sha256 {facts['data_sha256']}"))
    return lines


def _features(facts: dict[str, Any]) -> str:
    if "members" in facts:
        return f"{_members(facts['members'])}\n\n{facts['why_no_features']}\n"
    if facts["features"] is None:
        return f"{facts['why_no_features']}\n"
    said = f"{facts['positive']} if the score is at least {facts['threshold']:g}"
    if facts["constant"]:
        said += f"; every row begins with {number(facts['constant'])}"
    if facts["default"]:
        said += f"; features not touched by an update weigh {number(facts['default'])}"
    rows = [
        (number(feature["weight"]), named(feature["names"], feature["column"]))
        for feature in facts["features"]
    ]
    if not rows:
        return said + "\n"
    table = Table([Column("weight"), Column("feature", left=True)]).text(rows, width())
    more = facts["touched"] - len(rows)
    return f"{said}\n\n{table}\n" + (f"... and {more:,} more\n" if more else "")


def _members(members: list[dict[str, Any]]) -> str:
    """Who sits in a committee, and how each has done alone."""
    columns = [Column("expert", left=True), Column("mistakes"), Column("log loss", rank=1),
               Column("weight")]  # fmt: skip
    rows = [
        (one["name"], f"{one['mistakes']:,}", f"{one['log_loss']:,.1f}", f"{one['weight']:.3f}")
        for one in sorted(members, key=lambda one: one["mistakes"])
    ]
    return Table(columns).text(rows, width())


def explanation_text(place: str, why: Explanation, top: int) -> str:
    """Why one row has its score."""
    head = f"{place}: {escaped(why.label)} (score {why.score!r}, +1 from {why.threshold!r} on)"
    return "\n".join([head, *parts_of_score(why, top)]) + "\n"


def parts_of_score(why: Explanation | ClassExplanation, top: int) -> list[str]:
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
