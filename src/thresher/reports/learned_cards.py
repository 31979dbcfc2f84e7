"""Cards about what was learned: weights, experts, classes, the proof, and blame."""

from __future__ import annotations

from typing import Any

from thresher.pictures import Chart, Line, shown
from thresher.pictures.bars import length_of
from thresher.pictures.notebook import sparkline
from thresher.pictures.scale import number
from thresher.reports.html import Cell, Html, card, count, drawn, listed, markup, scrolled, table

WHAT_WEIGHTS_ARE = {
    "plain": "weights",
    "scaled": "weights of scaled values",
    "alone": "log-odds that a feature adds alone, with its largest value",
}


def _name(names: list[str]) -> Html:
    return Html(" | ".join(f"<bdi>{shown(name, 60)}</bdi>" for name in names))


def weights(found: dict[str, Any]) -> str:
    """The heaviest features of both signs."""
    told = found["weights"]
    if "why_not" in told:
        return card("Features", "", f"<p>{markup(told['why_not'], 400)}</p>")
    if "for" not in told:
        return ""
    negative, positive = found["model"]["labels"]
    both = [*told["for"], *told["against"]]
    largest = max((abs(one["weight"]) for one in both), default=0.0)
    signed = bool(told["against"])
    sides = ((told["for"], positive), (told["against"], negative))
    parts = []
    for listed_, label in sides:
        if listed_:
            rows = [
                (
                    Cell(_name(one["names"]), "name"),
                    Cell(Html(length_of(one["weight"], largest, signed=signed)), "b"),
                    Cell(number(one["weight"]), "n"),
                )
                for one in listed_
            ]
            heading = f"<h3>Speak for {markup(label, 40)}</h3>" if signed else ""
            parts.append(heading + table((), rows, "fixed"))
    more = told["touched"] - len(both)
    default = told["default"]
    said = [f"{count(more, 'more feature')}"] if more > 0 else []
    said += [f"features never touched weigh {number(default)}"] if default else []
    said += [f"every row begins with {number(told['constant'])}"] if told["constant"] else []
    said += [f"{positive} from {number(told['threshold'])} on"]
    note = f"{WHAT_WEIGHTS_ARE[told['kind']]}, the largest"
    if not both:
        parts.append("<p>No feature has a weight of its own yet.</p>")
    under = f'<p class="note">{markup("; ".join(said), 400)}</p>'
    return card("Features", note, *parts, under, tall=signed)


def members(found: dict[str, Any]) -> str:
    """Who sits in a committee."""
    told = found["members"]
    if not told:
        return ""
    rows = [
        (
            Cell(one["name"] + (" (left)" if one["left"] else ""), "name"),
            Cell(Html(length_of(one["weight"], 1.0, signed=False)), "b"),
            Cell(f"{one['weight']:.3f}", "n"),
            Cell(f"{one['mistakes']:,}", "n"),
            Cell(f"{one['log_loss']:,.1f}", "n"),
        )
        for one in told
    ]
    head = (
        "expert", "", Cell("weight", "n"), Cell("mistakes", "n"), Cell("log loss", "n"),
    )  # fmt: skip
    return card("Experts", "whose forecasts are mixed, and how each did alone", table(head, rows))


def importances(found: dict[str, Any]) -> str:
    """How much features matter, over rows."""
    told = found["weights"].get("importances")
    if told is None or not told["features"]:
        return ""
    largest = told["features"][0]["importance"]
    rows = [
        (
            Cell(_name(one["names"]), "name"),
            Cell(Html(length_of(one["importance"], largest, signed=False)), "b"),
            Cell(number(one["importance"]), "n"),
        )
        for one in told["features"]
    ]
    note = (
        f"{told['unit']} that a feature adds alone"
        if told["rows"] is None
        else f"how far what a feature adds spreads ({told['unit']}), over {told['rows']:,} rows"
    )
    return card("What matters", note, table((), rows, "fixed"))


def classes(found: dict[str, Any]) -> str:
    """Of several classes, the features that speak for each."""
    told = found["weights"]
    if "classes" not in told:
        return ""
    rows = [
        (
            Cell(one["label"], "name"),
            Cell(
                Html(
                    ", ".join(
                        f'{_name(f["names"])}&nbsp;<span class="note">{number(f["weight"])}</span>'
                        for f in one["features"]
                    )
                    or "-"
                )
            ),
        )
        for one in told["classes"]
    ]
    more = told["more_classes"]
    rest = f'<p class="note">and {count(more, "more class", "more classes")}</p>' if more else ""
    return card("What speaks for each class", "", table(("class", "features"), rows), rest, span=12)


def potential(found: dict[str, Any]) -> str:
    """What the proof follows, inside what limits it."""
    told = found["potential"]
    if told is None or not told["values"]:
        return ""
    values, most = told["values"], told["most"]
    lines = [Line(points=[(k, v) for k, v in values], label=number(values[-1][1]))]
    if most is not None:
        lines.append(
            Line(
                points=[(k, v) for k, v in most],
                label=f"at most {number(most[-1][1])}",
                dashed=True,
                strong=False,
            )
        )
    if told["least"] is not None:
        least = [(k, v) for k, v in told["least"]]
        label = f"at least {number(least[-1][1])}"
        lines.append(Line(points=least, label=label, dashed=True, strong=False))
    chart = Chart(
        lines=lines,
        title=f"{told['name']} after each update",
        x="updates",
        room=None if most is None else (0, 1),
        width=460,
        height=280,
    )
    limit = f"dashed: {told['limit']}" if told["limit"] else ""
    limit += "; below, what the margin of the separator forces" if told["least"] else ""
    note = f"{told['name']}, after each of {count(told['updates'], 'update')}"
    behind = listed(("update", told["name"]), values)
    under = f'<p class="note">{shown(limit, 200)}</p>' if limit else ""
    return card("Potential", note, drawn(chart), under, behind)


def audit(found: dict[str, Any]) -> str:
    """What was checked along the journal."""
    told = found["audit"]
    if told is None:
        return ""
    rows = []
    for check in told["checks"]:
        sign = '<span class="tick">✓</span>' if check["holds"] else '<span class="cross">✕</span>'
        where = f"{check['places']:,}" if check["holds"] else check["failure"]
        rows.append(
            (
                Html(sign),
                check["name"],
                Cell(Html(shown(check["statement"], 240))),
                Cell(where, "n"),
            )
        )
    head = ("", "statement", "says", Cell("places", "n"))
    kept = f", {told['omitted']:,} later ones are not kept" if told["omitted"] else ""
    note = f"what its proof follows, at {count(told['updates'], 'update')}{kept}"
    columns = [Cell(name.replace("_", " "), "n") for name in told["columns"]]
    lines: list[list[object]] = [[Cell(cell, "n") for cell in row] for row in told["rows"]]
    if told["gap"]:
        lines.insert(len(lines) // 2, [Cell(f"… {told['gap']:,} more", "n")])
    behind = (
        "<details><summary>The table of the audit</summary>"
        f"{scrolled('The table of the audit', table(columns, lines))}</details>"
        if lines
        else ""
    )
    return card("Audit", note, scrolled("Statements of the audit", table(head, rows)), behind)


def blame(found: dict[str, Any]) -> str:
    """The rounds that made the heaviest weights."""
    told = found["blame"]
    if not told:
        return ""
    rows = []
    several = found["model"]["several"]
    for one in told:
        points = [(t, w) for t, w in one["curve"]]
        end = max(points[-1][0], found["model"]["rounds"])
        picture = sparkline([*points, (end, one["weight"])])
        moves = ", ".join(
            f"round {move['round']:,} ({move['label']}) {_signed(move['by'])}"
            for move in one["moves"]
        )
        rows.append(
            (
                *([Cell(one["of"], "name")] if several else []),
                Cell(_name(one["names"]), "name"),
                Html("" if picture is None else picture.inline("tp spark")),
                Cell(number(one["weight"]), "n"),
                Cell(Html(f"{markup(moves, 300)}<br><span class=\"note\">"
                          f"{count(one['updates'], 'update')} in all</span>")),
            )
        )  # fmt: skip
    head: tuple[object, ...] = (
        "feature", "its weight over the rounds", Cell("now", "n"), "largest moves"
    )  # fmt: skip
    head = ("for", *head) if several else head
    note = "which rounds made the heaviest weights; the journal, played again"
    return card("Blame", note, scrolled("Blame", table(head, rows)))


def _signed(value: float) -> str:
    return f"+{number(value)}" if value >= 0 else number(value)
