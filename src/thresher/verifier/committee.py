"""The record of the Committee."""

from __future__ import annotations

from fractions import Fraction

from thresher.errors import CertificateError
from thresher.verifier.algorithm import Algorithm, Domain
from thresher.verifier.compiled.committee import ROWS, RULES
from thresher.verifier.compiled.standard_columns import SEATS
from thresher.verifier.measures.mixture import mixture_bounds, mixture_risks
from thresher.verifier.replays.committee import replay_committee
from thresher.verifier.replays.options import OPTIONS
from thresher.verifier.replays.playing import Parameters
from thresher.verifier.shapes import ROOM, SHORT_NUMBER, Text

#: For rows of any width, and for narrow streams.
MOST_LANES, MOST_SEATS = 8, 7
EVERY_RULE, EVERY_VIEW = (*RULES, "matrix"), (*ROWS, "standard", "squares", "pairs", "hats")

SETTING = Text(
    "an exact number from 1/1000000 to 1000000",
    SHORT_NUMBER,
    lambda text: Fraction(1e-6) <= Fraction(text) <= 10**6,
    exact=True,
)


def check_members(parameters: Parameters, path: str) -> None:
    """Refuse no members or too many, and members that cannot be or are not in their order."""
    kinds = [(member["rule"], member["rows"]) for member in parameters["members"]]
    order = [SEATS.index(kind) if kind in SEATS else -1 for kind in kinds]
    lanes = order.count(-1)
    for kind, seat in zip(kinds, order, strict=True):
        if seat < 0 and not (kind[0] in RULES and kind[1] in ROWS):
            expected = "a rule with rows it can see"
            raise CertificateError.must_be(f"{path}.members", expected, " on ".join(kind))
    if not kinds or lanes > MOST_LANES or len(kinds) - lanes > MOST_SEATS or order != sorted(order):
        expected = (
            f"up to {MOST_LANES} members, then up to {MOST_SEATS} for narrow streams in order"
        )
        raise CertificateError.must_be(f"{path}.members", expected, len(kinds))


COMMITTEE = Algorithm(
    name="committee",
    title="Committee",
    parameters={
        "n_features": (ROOM, None),
        "members": [{"rule": EVERY_RULE, "setting": SETTING, "rows": EVERY_VIEW}],
        "class_weight": OPTIONS["class_weight"],
    },
    optional={"class_weight": None},
    textbook={"class_weight": None},
    check_together=check_members,
    replay=replay_committee,
    mixing="committee",
    # The double that is called 1e100 is a little more.
    domain=lambda _: Domain(Fraction(-1e100), Fraction(1e100)),
    run_bounds=mixture_bounds,
    run_risks=mixture_risks,
)
