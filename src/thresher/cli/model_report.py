"""What `inspect` says a model is, as text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from thresher.cli.terminal.speech import printable, short, width
from thresher.cli.terminal.table import Column, Table
from thresher.export.text import escaped

#: Whether a replay of the journal ends with the weights of the model.
EXPLAINS = {
    True: "; played again, they give these weights to the last bit",
    False: "; PLAYED AGAIN, THEY GIVE OTHER WEIGHTS: this model was changed, or its journal was",
    None: "",
}
#: What the columns of a table of weights are called, by what the summary calls them.
HEADINGS = {
    "plain": {"weight": "weight"},
    "scaled": {"weight": "weight", "weight_of_unscaled": "unscaled", "largest": "largest value"},
    "alone": {"adds": "adds alone", "value": "with value"},
}
#: What must be known to read them.
SAID_OF_WEIGHTS = {
    "scaled": "rows are scaled first: weights are of scaled values; unscaled, of values as they "
    "come, for a feature by itself and up to its largest value so far",
    "alone": "what a feature adds depends on the rest of its row; here it has the row for itself, "
    "with its largest value so far (--explain tells of real rows, DATA alone of many)",
}
#: Classes that are shown together; --class shows any.
MOST_CLASSES = 100


def named(names: Iterable[str], column: int) -> str:
    """The names that share a column; its number where there is none."""
    return " | ".join(escaped(name) for name in names) or str(column)


def number(value: float) -> str:
    """A weight in a table."""
    return f"{value:.6g}"


def summary_text(facts: dict[str, Any], path: str) -> str:
    """The answer to a plain `inspect`, or to one about a class; of two classes or of several."""
    given = ", ".join(f"{k} {v}" for k, v in facts["parameters"].items() if v is not None)
    several = "n_classes" in facts
    lines = [
        ("model", f"{path}, intact; sha256 {facts['sha256']}"),
        ("learner", f"{facts['learner']}: {given}"),
        *(_counts_of_several(facts) if several else _counts_of_two(facts)),
        *_names_line(facts["names"]),
        *_history_lines(facts),
    ]
    head = "\n".join(f"{name:<8} {value}" for name, value in lines)
    return f"{head}\n\n{_classes(facts) if several else _features(facts)}"


def _counts_of_two(facts: dict[str, Any]) -> list[tuple[str, str]]:
    missed, alarms = facts["false_negatives"], facts["false_positives"]
    lines = [
        ("rounds", f"{facts['rounds']:,}; {facts['mistakes']:,} mistakes: "
                   f"{missed:,} missed, {alarms:,} false alarms"),
        ("labels", printable(f"{facts['positive']} is +1, {facts['negative']} is -1")),
    ]  # fmt: skip
    if (journal := facts["journal"]) is not None:
        lost = journal["updates"] - journal["kept"]
        incomplete = f", {lost:,} of them not kept" if lost else ""
        explains = EXPLAINS[journal["explains_the_weights"]]
        lines.append(("journal", f"{journal['updates']:,} updates{incomplete}{explains}"))
    return lines


def _counts_of_several(facts: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        ("rounds", f"{facts['rounds']:,}; {facts['mistakes']:,} mistakes"),
        ("classes", f"{facts['n_classes']:,}"),
    ]


def _names_line(names: dict[str, Any] | None) -> list[tuple[str, str]]:
    """How names find columns, where a model has names."""
    if names is None:
        return []
    if names["kind"] == "vocabulary":
        return [("names", f"{names['known']:,} in the vocabulary")]
    return [("names", f"hashed with seed {names['seed']}; {names['kept']:,} kept")]


def _history_lines(facts: dict[str, Any]) -> list[tuple[str, str]]:
    """What the model was trained on, run after run."""
    lines = []
    for training in facts["history"]:
        ended = "" if training["finished"] else ", interrupted"
        command = training["command"] or "in a program"
        lines.append(("trained", f"{escaped(command)} (thresher {training['version']}{ended})"))
        for source in training["sources"]:
            name, rows = escaped(source["name"]), source["rows"]
            read = "not to its end" if source["n_bytes"] is None else f"{source['n_bytes']:,} bytes"
            digests = [f", {kind} {source[kind]}" for kind in ("sha256", "blake3") if source[kind]]
            lines.append(("data", f"{name}: {rows:,} rows, {read}{''.join(digests)}"))
    if facts["history"]:
        lines.append(("all data", f"sha256 {facts['data_sha256']}"))
    return lines


def _features(facts: dict[str, Any]) -> str:
    """What speaks for one of two classes and against the other."""
    members = f"{_members(facts['members'])}\n\n" if "members" in facts else ""
    if facts["features"] is None:
        return f"{members}{facts['why_no_features']}\n"
    said = f"{printable(str(facts['positive']))} if the score is at least {facts['threshold']:g}"
    return members + _weights(said, facts)


def _classes(facts: dict[str, Any]) -> str:
    """What speaks for each of several classes, or for and against one."""
    classes = facts["classes"]
    if classes is None:
        return f"{facts['why_no_features']}\n"
    if facts["n_classes"] > 1 and len(classes) == 1:
        return _weights(f"the score of {printable(classes[0]['label'])}", classes[0])
    return _each_class(classes)


def _weights(said: str, found: dict[str, Any]) -> str:
    """A table of weights under a line that says whose they are."""
    if found["constant"]:
        said += f"; every row begins with {number(found['constant'])}"
    if found["default"]:
        said += f"; features not touched by an update weigh {number(found['default'])}"
    kind = found["weights"]
    if kind in SAID_OF_WEIGHTS:
        said += f"\n{SAID_OF_WEIGHTS[kind]}"
    headings = HEADINGS[kind]
    rows = [
        (*(number(feature[key]) for key in headings), named(feature["names"], feature["column"]))
        for feature in found["features"]
    ]
    if not rows:
        return said + "\n"
    columns = [Column(heading, rank=rank) for rank, heading in enumerate(headings.values())]
    table = Table([*columns, Column("feature", left=True)]).text(rows, width())
    more = found["touched"] - len(rows)
    return f"{said}\n\n{table}\n" + (f"... and {more:,} more\n" if more else "")


def _each_class(classes: list[dict[str, Any]]) -> str:
    """For each class a line with the features that speak for it, as many as fit."""
    labels = [short(found["label"], max(8, width() // 3)) for found in classes[:MOST_CLASSES]]
    left = max([len("class"), *map(len, labels)])
    room = max(20, width() - left - 2)
    lines = [f"{'class':<{left}}  speaks for it"]
    for label, found in zip(labels, classes, strict=False):
        parts: list[str] = []
        for feature in found["features"]:
            weight = feature["adds"] if found["weights"] == "alone" else feature["weight"]
            if weight <= 0:
                break
            part = f"{named(feature['names'], feature['column'])} {weight:.3g}"
            if parts and len(", ".join([*parts, part])) > room:
                break
            parts.append(part)
        lines.append(f"{label:<{left}}  {', '.join(parts)}".rstrip())
    more = len(classes) - len(labels)
    rest = f"... and {more:,} more\n" if more else ""
    return "\n".join(lines) + f"\n{rest}--class NAME shows one in full\n"


def _members(members: list[dict[str, Any]]) -> str:
    """Who sits in a committee, and how each has done alone."""
    columns = [Column("expert", left=True), Column("mistakes"), Column("log loss", rank=1),
               Column("weight")]  # fmt: skip
    rows = [
        (one["name"], f"{one['mistakes']:,}", f"{one['log_loss']:,.1f}", f"{one['weight']:.3f}")
        for one in sorted(members, key=lambda one: one["mistakes"])
        if not one["left"]
    ]
    left = ", ".join(one["name"] for one in members if one["left"])
    rest = f"\nleft, since the stream has too many columns for them: {left}" if left else ""
    return Table(columns).text(rows, width()) + rest
