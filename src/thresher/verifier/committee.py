"""The record of the Committee."""

from __future__ import annotations

from fractions import Fraction

from thresher.errors import CertificateError
from thresher.verifier.algorithm import Algorithm, Domain
from thresher.verifier.compiled.committee import ROWS, RULES
from thresher.verifier.measures.mixture import mixture_bounds, mixture_risks
from thresher.verifier.replays.committee import replay_committee
from thresher.verifier.replays.playing import Parameters
from thresher.verifier.shapes import ROOM, SHORT_NUMBER, Text

MOST_MEMBERS = 8

SETTING = Text(
    "an exact number from 1/1000000 to 1000000",
    SHORT_NUMBER,
    lambda text: Fraction(1e-6) <= Fraction(text) <= 10**6,
    exact=True,
)


def check_members(parameters: Parameters, path: str) -> None:
    """Refuse no members, or more than eight."""
    n = len(parameters["members"])
    if not 1 <= n <= MOST_MEMBERS:
        raise CertificateError.must_be(f"{path}.members", f"1 to {MOST_MEMBERS} members", n)


COMMITTEE = Algorithm(
    name="committee",
    title="Committee",
    parameters={
        "n_features": (ROOM, None),
        "members": [{"rule": RULES, "setting": SETTING, "rows": ROWS}],
    },
    check_together=check_members,
    replay=replay_committee,
    # The double that is called 1e100 is a little more.
    domain=lambda _: Domain(Fraction(-1e100), Fraction(1e100)),
    run_bounds=mixture_bounds,
    run_risks=mixture_risks,
)
