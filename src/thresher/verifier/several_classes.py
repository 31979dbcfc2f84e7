"""The records of the learners that tell several classes apart by a table of weights.

Those that are made of other learners are in `thresher.verifier.composites`.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from thresher.errors import CertificateError
from thresher.verifier.algorithm import Algorithm, Domain
from thresher.verifier.measures.multiclass import (
    errors_over_classes,
    multiclass_perceptron_bounds,
    multiclass_winnow_bounds,
)
from thresher.verifier.replays.multiclass_passive_aggressive import (
    replay_multiclass_passive_aggressive,
)
from thresher.verifier.replays.multiclass_perceptron import replay_multiclass_perceptron
from thresher.verifier.replays.multiclass_winnow import replay_multiclass_winnow
from thresher.verifier.replays.options import double
from thresher.verifier.replays.playing import Parameters
from thresher.verifier.replays.sparse_network import replay_sparse_network
from thresher.verifier.shapes import LINE, POSITIVE, ROOM

ONE = Fraction(1)
# The double that is called 1e100 is a little more.
ANY_SIZE = Domain(Fraction(-1e100), Fraction(1e100))

FEATURES = {"n_features": (ROOM, None)}
CLASSES = {"classes": ([LINE], None)}
UPDATE = {"update": ("max", "uniform")}
STEP = {"eta": (POSITIVE, None), "margin": (POSITIVE, None)}


def check_classes(parameters: Parameters, path: str) -> None:
    """Refuse classes that are stated twice."""
    stated = parameters["classes"] or []
    if len(set(stated)) < len(stated):
        raise CertificateError.must_be(f"{path}.classes", "names that differ", stated)


def check_step(parameters: Parameters, path: str) -> None:
    """Refuse a step and a margin together, neither of them, and what no learner takes."""
    check_classes(parameters, path)
    eta, margin = parameters["eta"], parameters["margin"]
    if (eta is None) == (margin is None):
        raise CertificateError.must_be(f"{path}.eta", "given, or margin in its place", eta)
    if eta is not None and not Fraction(1, 10**12) <= Fraction(eta) <= 1000:
        raise CertificateError.must_be(f"{path}.eta", "from 1e-12 to 1000", eta)
    if margin is not None and Fraction(margin) > 1:
        raise CertificateError.must_be(f"{path}.margin", "at most 1", margin)


SEVERAL_CLASSES = (
    Algorithm(
        name="multiclass_perceptron",
        title="MulticlassPerceptron",
        several=True,
        parameters={**FEATURES, **UPDATE, "bias": bool, **CLASSES},
        check_together=check_classes,
        replay=replay_multiclass_perceptron,
        mixing="average",
        domain=lambda _: ANY_SIZE,
        bounds=multiclass_perceptron_bounds,
        uses_level=True,
        witness_errors=errors_over_classes,
    ),
    # No theorem is asked: its certificates state the count alone.
    Algorithm(
        name="multiclass_passive_aggressive",
        title="MulticlassPassiveAggressive",
        several=True,
        parameters={
            **FEATURES,
            "variant": ("PA", "PA-I", "PA-II"),
            "C": double(1e-9, 1e9),
            "bias": bool,
            **CLASSES,
        },
        check_together=check_classes,
        replay=replay_multiclass_passive_aggressive,
        mixing="average",
        domain=lambda _: ANY_SIZE,
    ),
    Algorithm(
        name="multiclass_normalized_winnow",
        title="MulticlassNormalizedWinnow",
        several=True,
        parameters={**FEATURES, **STEP, **UPDATE, **CLASSES},
        check_together=check_step,
        replay=partial(replay_multiclass_winnow, signed=False),
        mixing="average",
        domain=lambda _: Domain(-ONE, ONE),
        strongest=True,
        bounds=partial(multiclass_winnow_bounds, signed=False),
        uses_level=True,
        witness_errors=errors_over_classes,
    ),
    Algorithm(
        name="multiclass_signed_winnow",
        title="MulticlassSignedWinnow",
        several=True,
        parameters={**FEATURES, **STEP, **UPDATE, **CLASSES},
        check_together=check_step,
        replay=partial(replay_multiclass_winnow, signed=True),
        mixing="average",
        domain=lambda _: Domain(-ONE, ONE),
        strongest=True,
        bounds=partial(multiclass_winnow_bounds, signed=True),
        uses_level=True,
        witness_errors=errors_over_classes,
    ),
    # No theorem is known: its certificates state the count alone.
    Algorithm(
        name="sparse_network",
        title="SparseNetwork",
        several=True,
        parameters={
            **FEATURES,
            "beta": double(2.0**-40, 2.0**40),
            "threshold": double(1e-100, 1e100),
            "start": double(1e-100, 1e100),
            **CLASSES,
        },
        check_together=check_classes,
        replay=replay_sparse_network,
        domain=lambda _: Domain(Fraction(0), ONE),
        strongest=True,
    ),
)
