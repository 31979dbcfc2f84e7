"""The page of a report: one HTML file without a script, which opens anywhere."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from thresher.pictures import shown
from thresher.reports import evidence_cards, learned_cards, run_cards
from thresher.reports.html import count
from thresher.reports.style import STYLE

#: Bytes that a page may have.
LARGEST = 1_000_000
HALF, TALL, WHOLE = (
    '<section class="card s6',
    '<section class="card s6 tall',
    '<section class="card s12',
)
LOGO = (
    '<svg class="tp" viewBox="0 0 24 24" aria-hidden="true">'
    '<path d="M3 3v18h18" fill="none" stroke="currentColor" stroke-opacity=".4" '
    'stroke-width="1.6"/>'
    '<path class="s0" d="M4 19h5v-5h4v-4h4V6h4" fill="none" stroke="#0072b2" stroke-width="2.2"/>'
    '<path class="s1" d="M4 3.5h17" fill="none" stroke="#c04a00" stroke-width="1.8" '
    'stroke-dasharray="3.2 2.4"/></svg>'
)

#: The cards of a report in their order, each with how much it would be missed.
CARDS = (
    ("the verdict", 100, evidence_cards.verdict),
    ("mistakes along the run", 95, run_cards.mistakes),
    ("the data", 94, run_cards.data),
    ("recent error", 70, run_cards.recent),
    ("the confusion of labels", 90, run_cards.confusion),
    ("the ROC curve", 60, run_cards.roc),
    ("calibration", 61, run_cards.calibration),
    ("the heaviest features", 85, learned_cards.weights),
    ("the experts", 80, learned_cards.members),
    ("importances", 50, learned_cards.importances),
    ("what speaks for each class", 84, learned_cards.classes),
    ("the potential", 75, learned_cards.potential),
    ("the audit", 74, learned_cards.audit),
    ("the costliest rounds", 40, run_cards.costliest),
    ("the blame of the heaviest weights", 45, learned_cards.blame),
    ("risk", 92, evidence_cards.risks),
    ("how to make it again", 93, evidence_cards.again),
)


def page(facts: dict[str, Any]) -> str:
    """The page of a report; where it would be too large, it says what was left out."""
    cards = _even([(name, worth, make(facts)) for name, worth, make in CARDS])
    left_out: list[str] = []
    while True:
        body = "".join(html for _, _, html in cards)
        whole = framed(facts["title"], _said(facts), body, left_out)
        present = [one for one in cards if one[2]]
        if len(whole.encode()) <= LARGEST or len(present) <= 1:
            return whole
        dropped = min(present, key=lambda one: one[1])
        left_out.append(dropped[0])
        cards.remove(dropped)


def _even(cards: list[tuple[str, int, str]]) -> list[tuple[str, int, str]]:
    """The cards; if one of half width is left without a neighbour, it has the whole width."""
    half = [place for place, (_, _, html) in enumerate(cards) if HALF in html]
    if sum(1 + (TALL in cards[place][2]) for place in half) % 2:
        name, worth, html = cards[half[-1]]
        cards[half[-1]] = name, worth, html.replace(HALF, WHOLE)
    return cards


def framed(title: str, said: str, body: str, left_out: Sequence[str] = ()) -> str:
    """A page with its head; nothing in it may run, and nothing is fetched."""
    allowed = b64encode(sha256(STYLE.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{allowed}'; base-uri 'none'; form-action 'none'"
    )
    missing = (
        f"<p>To keep the file below {LARGEST:,} bytes, {', '.join(left_out)} "
        f"{'was' if len(left_out) == 1 else 'were'} left out.</p>"
        if left_out
        else ""
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{shown(title, 120)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<header>{LOGO}thresher <span>report</span></header>\n<main>\n"
        f'<h1><bdi>{shown(title, 120)}</bdi></h1>\n<p class="sub">{said}</p>\n'
        f'<div class="grid">\n{body}</div>\n</main>\n'
        f"<footer>{missing}<p>Dashed: what a theorem allows. Shaded: the room that is left. "
        "This file holds no script and fetches nothing.</p></footer>\n</body>\n</html>\n"
    )


def _said(facts: dict[str, Any]) -> str:
    """What the model is, in a line."""
    model = facts["model"]
    labels = [f"<bdi>{shown(label, 40)}</bdi>" for label in model["labels"]]
    told = (
        count(model["n_classes"], "class", "classes")
        if model["several"]
        else f"{labels[1]} against {labels[0]}"
    )
    features = count(model["features"], "feature")
    return f"{count(model['rounds'], 'round')} learned · {features} · {told}"
