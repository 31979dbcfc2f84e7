"""Cards about data: mistakes along the stream, confusion, ranking, calibration, costly rounds."""

from __future__ import annotations

from typing import Any

from thresher.pictures import Chart, Line, shown
from thresher.pictures.scale import number
from thresher.reports.html import (
    Cell,
    Html,
    card,
    count,
    drawn,
    facts,
    listed,
    markup,
    scrolled,
    share,
    table,
)

#: What data a picture is of.
BEFORE_LEARNING = "each row predicted before its label was told"
TESTED = "the finished model on these rows"
ARE = {
    "run": "the rows that this model learned from",
    "part": "rows of the last part of this model's training",
    "test": "rows for a test: the model did not come from exactly these files",
}
BIT_FOR_BIT = "; played again, they give its numbers to the last bit"
#: Runs of more rounds than this are long.
LONG = 50


def _of(found: dict[str, Any]) -> str:
    data = found["data"]
    return TESTED if data["is"] == "test" else BEFORE_LEARNING


def mistakes(found: dict[str, Any]) -> str:
    """Mistakes made against mistakes allowed."""
    told = found["mistakes"]
    if told is None:
        return ""
    made, allowed, rounds = told["made"], told["allowed"], told["rounds"]
    # Learners err early: where they learn, equal ratios of rounds take equal room.
    log = told["exact"] and rounds > LONG and found["data"]["is"] != "test"
    counted = "rows" if found["data"]["is"] == "test" else "rounds"
    lines = [
        Line(
            points=[(t, m) for t, m in told["curve"]],
            label=f"{made:,} made",
            hue=0,
            steps=told["exact"],
        )
    ]
    # What is allowed is drawn while the picture still shows what was made.
    near = allowed is not None and allowed <= 8 * max(made, 1)
    if near:
        first = 1 if log else 0
        lines.append(
            Line(
                points=[(first, allowed), (rounds, allowed)],
                label=f"{allowed:,} allowed",
                hue=0,
                dashed=True,
                strong=False,
            )
        )
    chart = Chart(
        lines=lines,
        title=f"{made} mistakes in {rounds} rounds"
        + (f", {allowed} allowed" if allowed is not None else ""),
        x=f"{counted} (log)" if log else counted,
        room=(0, 1) if near else None,
        log=log,
        top=None if not near or allowed is None else 1.06 * allowed,
        width=720,
        height=310,
    )
    far = (
        f'<p class="note">{allowed:,} are allowed, far above this picture.</p>'
        if allowed is not None and not near
        else ""
    )
    behind = listed((counted, "mistakes"), told["curve"])
    return card("Mistakes", _of(found), drawn(chart), far, behind, span=8)


def recent(found: dict[str, Any]) -> str:
    """The share of mistakes, stretch by stretch."""
    told = found["mistakes"]
    if told is None or len(told["recent"]) < 2:
        return ""
    overall = told["error"]
    chart = Chart(
        lines=[
            Line(
                points=[(0, overall), (told["rounds"], overall)],
                label=f"{share(overall)} overall",
                hue=6,
                dashed=True,
                strong=False,
            ),
            Line(
                points=[(t, e) for t, e in told["recent"]],
                label=f"{share(told['recent'][-1][1])} at the end",
                hue=1,
            ),
        ],
        title=f"share of mistakes in each of {len(told['recent'])} stretches",
        x="rounds",
        tick=_percent,
        width=460,
        height=250,
    )
    wide = told["recent"][1][0] - told["recent"][0][0]
    note = f"share of mistakes in every {count(int(wide), 'round')}"
    return card("Recent error", note, drawn(chart), listed(("rounds", "share"), told["recent"]))


def _percent(value: float) -> str:
    return f"{100 * value:.3g} %"


def data(found: dict[str, Any]) -> str:
    """What was read, and whether it is what the model learned from."""
    told, history = found["data"], found["history"]
    sources = history["sources"] if told is None else told["sources"]
    pairs: list[tuple[str, object]] = []
    if told is not None:
        same = ARE[told["is"]] + BIT_FOR_BIT * bool(told["to_the_bit"])
        labels = ", ".join(f"{one['label']}: {one['rows']:,}" for one in told["labels"])
        more = f", and {told['more_labels']:,} more" if told["more_labels"] else ""
        bad = (
            "none"
            if not told["bad_lines"]
            else f"{told['bad_lines']:,}, the first: {told['first_bad']}"
        )
        pairs += [
            ("These are", same),
            ("Format", told["format"]),
            ("Rows", f"{told['rows']:,}"),
            ("Labels", f"{labels}{more}"),
            ("Bad lines", bad),
        ]
        if told["mended"]:
            pairs.append(("Not UTF-8", count(told["mended"], "line") + " read as Windows-1252"))
        if told["unseen"]:
            pairs.append(("Unknown labels", ", ".join(told["unseen"])))
    for source in sources:
        rows = f"{source['rows']:,} rows, " if "rows" in source else ""
        size = "not read to its end" if source["bytes"] is None else f"{source['bytes']:,} bytes"
        digest = f"<br><code>{_digest(source['digest'])}</code>" if source["digest"] else ""
        pairs.append(("File", Html(f"{markup(source['name'])}<br>{rows}{size}{digest}")))
    more_files = history["more_sources"] if told is None else told["more_sources"]
    if more_files:
        pairs.append(("", count(more_files, "more file")))
    if not pairs:
        pairs.append(("Data", "none were given, and the model was trained in a program"))
    note = "what the model learned from" if told is None else ""
    return card("Data", note, facts(pairs), span=12 if told is None else 4)


def _digest(digest: str) -> str:
    """A digest behind the name of its algorithm; older records leave out that of SHA-256."""
    return digest.replace(":", " ") if ":" in digest else f"sha256 {digest}"


def confusion(found: dict[str, Any]) -> str:
    """Labels against predictions, the worst marked; precision and recall below."""
    told = found["confusion"]
    if told is None:
        return ""
    names = [*told["labels"], *([f"{told['others']:,} others"] if told["others"] else [])]
    wide = len(told["table"][0])
    said = [*names, *(["no class"] if wide > len(names) else [])][:wide]
    most = max((n for r, row in enumerate(told["table"]) for n in row), default=0)
    worst = max(
        (n for r, row in enumerate(told["table"]) for s, n in enumerate(row) if r != s), default=0
    )
    few = len(names) <= 4
    head = "".join(f'<th scope="col">{markup(name, 24)}</th>' for name in said)
    lines = ""
    for r, row in enumerate(told["table"]):
        cells = "".join(
            f'<td class="{_shade(n, most if r == s else worst, right=r == s)}">{n:,}</td>'
            for s, n in enumerate(row)
        )
        lines += f'<tr><th scope="row">{markup(names[r], 24)}</th>{cells}</tr>'
    grid = scrolled(
        "Labels and predictions",
        '<table class="confusion"><thead><tr><th scope="col">label ↓ '
        f"predicted →</th>{head}</tr></thead><tbody>{lines}</tbody></table>",
    )
    wrong = f"{count(told['mistakes'], 'mistake')} in {count(told['rows'], 'row')}"
    error = f"{wrong}, {share(told['error'])}"
    return card("Labels and predictions", error, grid, _figures(found), span=6 if few else 12)


def _shade(rows: int, most: int, *, right: bool) -> str:
    if not rows:
        return "zero"
    level = 1 + min(2, 3 * rows // max(1, most))
    return f"{'ok' if right else 'bad'}{level}"


def _figures(found: dict[str, Any]) -> str:
    told = found["classes"]
    rows = [
        (
            Cell(one["label"], "name"),
            share(one["precision"]),
            share(one["recall"]),
            share(one["f1"]),
            f"{one['rows']:,}",
        )
        for one in told["figures"]
    ]
    head = ("label", *(Cell(name, "n") for name in ("precision", "recall", "F1", "rows")))
    more = f'<p class="note">and {told["more"]:,} more</p>' if told["more"] else ""
    return f"<h3>Each label</h3>{table(head, rows)}{more}"


def roc(found: dict[str, Any]) -> str:
    """The ROC curve with its area."""
    told = found["roc"]
    if told is None:
        return ""
    chart = Chart(
        lines=[
            Line(points=[(0, 0), (1, 1)], hue=6, dashed=True, strong=False),
            Line(points=[(x, y) for x, y in told["curve"]], hue=2),
        ],
        title=f"ROC curve, area {told['area']:.4f}",
        x="false alarms, share of the negative",
        tick=_percent,
        right=1.0,
        top=1.0,
        width=460,
        height=300,
    )
    note = f"area {told['area']:.4f}: {_of(found)}"
    behind = listed(("false alarms", "found"), told["curve"])
    return card("Ranking (ROC)", note, drawn(chart), behind)


def calibration(found: dict[str, Any]) -> str:
    """How often what was given a probability, or a score, came true; bins of equal counts."""
    told = found["calibration"]
    if told is None:
        return ""
    points = [(one["mean"], one["positive"]) for one in told["bins"]]
    sure = told["of"] == "probabilities"
    lines = [Line(points=points, hue=0)]
    if sure:
        lines.insert(0, Line(points=[(0, 0), (1, 1)], hue=6, dashed=True, strong=False))
    what = "right" if told["several"] else found["model"]["labels"][1]
    chart = Chart(
        lines=lines,
        title="calibration",
        x="probability that was given" if sure else "score",
        tick=_percent,
        top=1.0,
        right=1.0 if sure else None,
        dots=(len(lines) - 1,),
        width=460,
        height=300,
    )
    said = "probability" if sure else "score"
    if told["several"] and found["data"]["is"] != "test":
        said += " of the class that was said against all others"
    note = f"share that was {shown(what, 24)}, by {said}; bins of equal counts; {_of(found)}"
    heads = ("mean", "share", "rows")
    behind = listed(heads, [(b["mean"], b["positive"], b["rows"]) for b in told["bins"]])
    title = "Calibration" if sure else "Scores and labels"
    return card(title, Html(note), drawn(chart), behind)


def costliest(found: dict[str, Any]) -> str:
    """The rounds that were predicted worst."""
    told = found["costliest"]
    if not told:
        return ""
    several, tested = found["model"]["several"], found["data"]["is"] == "test"
    # In a run with several classes the score of the class that was said is all that is known.
    far = tested or not several
    head = (
        Cell("round", "n"),
        "where",
        "label",
        "predicted",
        Cell("score", "n"),
        *([Cell("too far by", "n")] if far else []),
    )
    rows: list[tuple[object, ...]] = []
    for one in told:
        rows.append(
            (
                f"{one['round']:,}",
                Cell(one["place"], "name"),
                one["label"],
                "-" if one["predicted"] is None else one["predicted"],
                number(one["score"]),
                *([number(one["cost"])] if far else []),
            )
        )
        if one["text"] is not None:
            rows.append(
                (
                    "",
                    Cell(Html(f"<code>{shown(one['text'], 300)}</code>"), "name"),
                    *[""] * (len(head) - 2),
                )
            )
    against = "the score of the label" if several else "the threshold"
    note = f"scores that were farthest from {against}, on the wrong side; {_of(found)}"
    if not far:
        note = f"wrong classes that were said with the highest scores; {_of(found)}"
    return card("Costliest rounds", note, scrolled("Costliest rounds", table(head, rows)))
