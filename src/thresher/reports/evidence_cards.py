"""Cards about evidence: the verdict, what follows for new rows, and how to make it again."""

from __future__ import annotations

from typing import Any

from thresher.pictures import shown
from thresher.pictures.svg import HUES, Svg
from thresher.reports.html import Cell, Html, card, count, facts, markup, share, table

#: By status: the sign, the look of the chip, and the words on it.
CHIPS = {
    "holds": ("✓", "yes", "checked, and holds"),
    "does not hold": ("✕", "no", "the claim does not hold"),
    "could not tell": ("?", "", "not everything could be checked"),
    "always": ("✓", "yes", "bounded whatever the stream"),
    "counted": ("✓", "", "counted again; no theorem applies"),
    "not asked": ("·", "", "no theorem was asked"),
}
#: Where the certificate is from.
SOURCES = {True: "a certificate that was given", False: "searched for after the run, for this page"}
#: Quantities of a theorem that are listed.
MOST_QUANTITIES = 8


def verdict(found: dict[str, Any]) -> str:
    """Made, allowed, by which theorem, on which premises; in hindsight or claimed."""
    told = found["verdict"]
    sign, look, words = CHIPS[told["status"]]
    made, rounds, allowed = told["made"], told["rounds"], told["allowed"]
    refuted = told["kind"] == "refutation"
    if refuted and told["status"] == "holds":
        words = "checked: the claimed class is refuted"
    chip = f'<p><span class="chip {look}">{sign} {words}</span></p>'
    of_rounds = f"in {count(rounds, 'round')}"
    kinds = _kinds(found["model"])
    big = f'<p class="made">{made:,} <small>{_made(made)} made {of_rounds}</small></p>'
    parts = [chip, big]
    if allowed is not None:
        time = told["time"] or ""
        parts.append(f'<p class="made">{allowed:,} <small>allowed, {shown(time)}</small></p>')
        parts.append(f'<div class="meter">{_meter(made, allowed).inline()}</div>')
    elif told.get("expected") is not None:
        parts.append(f"<p>{told['expected']:.4g} allowed on average over its draws</p>")
    parts.append(f'<p class="note">{kinds}</p>')
    if found["data"] is not None and found["data"]["is"] == "test":
        tested = found["confusion"]
        rows = count(tested["rows"], "row")
        parts.append(
            f'<p class="made">{share(tested["error"])} <small>wrong of {rows} of this test</small>'
            "</p>"
        )
    for remark in told["remarks"]:
        parts.append(f'<p class="note">{markup(remark, 400)}</p>')
    left = "".join(parts)
    right = _theorem(told)
    return Html(
        f'<section class="card s12"><div class="verdict"><div>{left}</div><div>{right}</div>'
        "</div></section>\n"
    )


def _kinds(model: dict[str, Any]) -> str:
    """The share of mistakes, and of which kind they were."""
    said = f"wrong in {share(model['error'])} of the rounds it learned"
    if model["false_negatives"] is None:
        return said
    missed, alarms = model["false_negatives"], model["false_positives"]
    return f"{said}: {missed:,} missed, {count(alarms, 'false alarm')}"


def _made(made: int) -> str:
    return "mistake" if made == 1 else "mistakes"


def _why(told: dict[str, Any]) -> str:
    if told["kind"] == "count":
        return (
            "The run was played again by other code, which counts the same mistakes. No theorem is "
            "known that bounds them."
        )
    return f"Not certified here: {told['says'].removesuffix('.')}."


def _meter(made: int, allowed: int) -> Svg:
    """Mistakes made as a part of those allowed; what is left is shaded, the end is dashed."""
    whole = max(made, allowed, 1)
    wide, end = 440 * made / whole, 440 * allowed / whole
    hue = 0 if made <= allowed else 1
    return Svg(
        446,
        22,
        [
            f'<rect class="f{hue}" x="0" y="5" width="{end:.1f}" height="12" rx="3" '
            f'fill="{HUES[hue]}" fill-opacity=".13"/>',
            f'<rect class="f{hue}" x="0" y="5" width="{wide:.1f}" height="12" rx="3" '
            f'fill="{HUES[hue]}"/>',
            f'<path d="M{end:.1f} 0V22" fill="none" stroke="currentColor" '
            'stroke-width="1.6" stroke-dasharray="3 2.5"/>',
        ],
        f"{made} made of {allowed} allowed",
    )


def _theorem(told: dict[str, Any]) -> str:
    if told["theorem"] is None:
        return f'<p class="formula">{markup(_why(told), 600)}</p>{_premises(told)}'
    rows = [
        (Cell(Html(markup(quantity["meaning"] or quantity["name"], 200))), quantity["value"])
        for quantity in told.get("quantities", [])[:MOST_QUANTITIES]
    ]
    formula = (
        f'<p class="formula"><b>{shown(told["theorem"])}</b><br>{shown(told["statement"], 400)}</p>'
    )
    said: list[tuple[str, object]] = [("Claim", told["claim"])] if told["claim"] else []
    if told["kind"] is not None:
        said.append(("Source", SOURCES[told["given"]]))
        said.append(("Verdict", told["says"]))
    if told["target"] is not None:
        said.append(("Compared with", _target(told["target"])))
    listed = table(("measured", Cell("value", "n")), rows) if rows else ""
    return f"{formula}{facts(said) if said else ''}{listed}{_premises(told)}"


def _target(target: dict[str, Any]) -> Html:
    """The comparator in a line: its features, with their weights where those differ from 1."""
    parts = [
        markup(one["name"], 40) + ("" if one["weight"] == "1" else f" ({shown(one['weight'], 20)})")
        for one in target["features"]
    ]
    parts += [f"{target['more']:,} more"] if target["more"] else []
    parts += [f"bias ({shown(target['bias'], 20)})"] if target["bias"] else []
    over = f", over {shown(target['denominator'], 20)}" if target["denominator"] != "1" else ""
    wrong = target["errors"]
    fits = (
        "" if wrong is None else f"; itself it makes {count(wrong, 'mistake') if wrong else 'none'}"
    )
    return Html(", ".join(parts) + over + fits)


def _premises(told: dict[str, Any]) -> str:
    lines = [
        f'<li><span class="tick">✓</span> measured on every round: {markup(what, 400)}</li>'
        for what in told["premises"]
    ]
    lines += [
        f'<li><span class="cross">✕</span> differs: {markup(what)}</li>'
        for what in told["differences"]
    ]
    lines += [f"<li>not known: {markup(what, 400)}</li>" for what in told["unknown"]]
    lines += [f"<li>assumed: {markup(what, 400)}</li>" for what in told["assumed"]]
    lines += [f"<li>signed: {markup(what, 400)}</li>" for what in told["signed"]]
    return f"<h3>Premises</h3><ul>{''.join(lines)}</ul>" if lines else ""


def risks(found: dict[str, Any]) -> str:
    """What follows for rows to come, each statement with what it takes for granted."""
    if not found["risks"]:
        return ""
    by_premise: dict[str, list[str]] = {}
    for risk in found["risks"]:
        by_premise.setdefault(risk["if"], []).append(risk["says"])
    body = "".join(
        f"<p>If {markup(premise, 400)}:</p><ul>"
        + "".join(f"<li>{markup(says, 400)}</li>" for says in listed)
        + "</ul>"
        for premise, listed in by_premise.items()
    )
    note = "what follows, and what it takes for granted; nobody can check that from the rows"
    return card("New rows", note, body)


def again(found: dict[str, Any]) -> str:
    """Commands, versions and digests to make everything again."""
    history, model = found["history"], found["model"]
    commands = [*history["commands"], *found["commands"]]
    shown_commands = "\n".join(shown(command, 600) for command in commands)
    pairs: list[tuple[str, object]] = [
        ("Learner", model["learner"]),
        (
            "Parameters",
            ", ".join(f"{k} {v}" for k, v in model["parameters"].items() if v is not None),
        ),
        *((("Model", Html(f"<code>{model['sha256']}</code>")),) if model["sha256"] else ()),
        *(
            (("Trained by", f"thresher {', '.join(model['trained_by'])}"),)
            if model["trained_by"]
            else ()
        ),
        ("This page", ", ".join(f"{k} {v}" for k, v in found["versions"].items())),
    ]
    seal = found["verdict"].get("seal")
    if seal:
        pairs.append(("Certificate", Html(f"<code>{shown(seal)}</code>")))
    code = f"<pre><code>{shown_commands}</code></pre>" if commands else ""
    return card("Make it again", "", code, facts(pairs), span=12)
