"""The records of the learners that are made of other learners."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import partial

from thresher.errors import CertificateError
from thresher.verifier.algorithm import Algorithm
from thresher.verifier.replays.calibrated import replay_calibrated
from thresher.verifier.replays.nested import Inner
from thresher.verifier.replays.one_versus_rest import replay_one_versus_rest
from thresher.verifier.replays.playing import Parameters
from thresher.verifier.several_classes import check_classes
from thresher.verifier.shapes import LINE, SHORT_NUMBER, Text

WEIGHT = Text(
    "an exact number from 0 to 1000000000",
    SHORT_NUMBER,
    lambda text: 0 <= Fraction(text) <= 10**9,
    exact=True,
)


def composites(two_classes: Iterable[Algorithm]) -> tuple[Algorithm, ...]:
    """The records over any of these learners; one may be calibrated inside the other.

    Which theorems hold for the whole is not known: certificates state the count.
    """
    single = {
        record.name: record
        for record in two_classes
        if not (record.several or record.draws or record.learns_a_class)
    }
    calibrated = _calibrated(Inner(single))
    return calibrated, _one_versus_rest(Inner(single | {calibrated.name: calibrated}))


def _calibrated(inner: Inner) -> Algorithm:
    return Algorithm(
        name="calibrated",
        title="Calibrated",
        parameters={"learner": dict},
        check_together=inner.check,
        replay=partial(replay_calibrated, inner=inner),
        domain=inner.domain,
        room=inner.room,
        check_rows=inner.check_rows,
        kept=inner.kept,
        seen=inner.seen,
    )


def _one_versus_rest(inner: Inner) -> Algorithm:
    def check(parameters: Parameters, path: str) -> None:
        check_classes(parameters, path)
        weighed = [item["class"] for item in parameters["class_weight"] or ()]
        if len(set(weighed)) < len(weighed):
            raise CertificateError.must_be(f"{path}.class_weight", "one weight a class", weighed)
        inner.check(parameters, path)

    return Algorithm(
        name="one_versus_rest",
        title="OneVersusRest",
        several=True,
        parameters={
            "learner": dict,
            "classes": ([LINE], None),
            "class_weight": ([{"class": LINE, "weight": WEIGHT}], None),
        },
        check_together=check,
        replay=partial(replay_one_versus_rest, inner=inner),
        inner_of=inner.of,
        domain=inner.domain,
        room=inner.room,
        check_rows=inner.check_rows,
    )
