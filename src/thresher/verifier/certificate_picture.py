"""Certificates and verdicts for people who look: a curve under its limit, and a table.

Nothing here decides anything, and a check does not import it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from thresher.pictures import Chart, Line, Svg, display, sparkline
from thresher.pictures.curve import MOST_POINTS
from thresher.verifier.mistaken_rounds import read_list
from thresher.verifier.verdict_text import conclusion

if TYPE_CHECKING:
    from thresher.verifier.certificate import Certificate
    from thresher.verifier.verdict import Verdict

#: Of a longer run the rounds are not looked at: a certificate may claim any number of them.
MOST_ROUNDS = 20_000_000
#: How wide the words before the lines of a verdict are.
MARGIN = 10
#: A limit beyond so many times the mistakes would flatten the curve.
FAR = 8


def _steps(certificate: Certificate) -> list[tuple[float, float]]:
    """Mistakes along the rounds, as the certificate lists them; some, if there are many."""
    rounds, listed = certificate.learned, certificate.mistaken_rounds
    drawn = listed is not None and rounds <= MOST_ROUNDS
    found = read_list(str(listed), rounds) if drawn else None
    if found is None or len(found) != certificate.mistakes:
        return []
    every = -(-len(found) // (MOST_POINTS - 2)) or 1
    steps = [(int(found[k]) + 1.0, k + 1.0) for k in range(every - 1, len(found), every)]
    return [(0.0, 0.0), *steps, (float(rounds), float(len(found)))]


def certificate_chart(certificate: Certificate) -> Svg:
    """The curve, what is allowed dashed, and the room that is left."""
    made, allowed = certificate.mistakes, certificate.allowed
    lines = [Line(points=_steps(certificate), label=f"{made:,} made", steps=True)]
    near = allowed is not None and allowed <= FAR * max(1, made) and bool(lines[0].points)
    if near and allowed is not None:
        ends = [(0.0, float(allowed)), (float(certificate.learned), float(allowed))]
        label = f"{allowed:,} allowed"
        lines.append(Line(points=ends, label=label, dashed=True, strong=False))
    title = f"{certificate.learner}: {made} mistakes in {certificate.learned} rounds"
    title += "" if allowed is None else f", {allowed} allowed"
    return Chart(lines=lines, title=title, x="rounds", room=(0, 1) if near else None).svg()


def certificate_html(certificate: Certificate) -> str:
    """The lines of the certificate, the learner and its mistakes first."""
    head, *rest = str(certificate).splitlines()
    allowed = certificate.allowed
    near = (
        allowed if allowed is not None and allowed <= FAR * max(1, certificate.mistakes) else None
    )
    rows = [("kind", certificate.kind), *(("", line) for line in rest)]
    return display(head, rows, sparkline(_steps(certificate), near))


def verdict_html(verdict: Verdict) -> str:
    """The lines of the verdict, its conclusion first."""
    *lines, _ = str(verdict).splitlines()
    rows = [(line[:MARGIN].strip(), line[MARGIN:]) for line in lines]
    allowed, steps = verdict.allowed, _steps(verdict.certificate)
    near = allowed if allowed is not None and allowed <= FAR * max(1, verdict.claimed) else None
    return display(conclusion(verdict), rows, sparkline(steps, near))
