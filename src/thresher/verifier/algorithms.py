"""The algorithms that can be certified: one record each, asked by everything that checks."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from thresher.verifier.algorithm import Algorithm, Domain
from thresher.verifier.committee import COMMITTEE
from thresher.verifier.composites import composites
from thresher.verifier.measures.adagrad import Ledger, adagrad_bounds
from thresher.verifier.measures.claims import (
    exponentiated_allowance,
    perceptron_allowance,
    textbook_allowance,
)
from thresher.verifier.measures.experts import majority_bounds, majority_expectations
from thresher.verifier.measures.exponentiated import exponentiated_bounds
from thresher.verifier.measures.finite_classes import halving_bounds, optimal_bounds
from thresher.verifier.measures.literal_sets import conjunction_bounds, elimination_bounds
from thresher.verifier.measures.p_norm import p_norm_allowance, p_norm_bounds
from thresher.verifier.measures.passive_aggressive import passive_aggressive_bounds
from thresher.verifier.measures.perceptron import (
    perceptron_bounds,
    perceptron_varied,
    thick_allowance,
)
from thresher.verifier.measures.winnow import winnow_bounds, winnow_varied
from thresher.verifier.measures.witness_errors import (
    errors_as_a_conjunction,
    errors_as_a_disjunction,
    errors_as_a_separator,
)
from thresher.verifier.replays.class_shape import check_any_class, check_table
from thresher.verifier.replays.concept_classes import unknown_point
from thresher.verifier.replays.conjunction import replay_conjunction
from thresher.verifier.replays.elimination import replay_elimination
from thresher.verifier.replays.exponentiated import check_margin, replay_exponentiated
from thresher.verifier.replays.hinge_steps import (
    LOSSES,
    VARIANTS,
    replay_adagrad,
    replay_arow,
    replay_passive_aggressive,
)
from thresher.verifier.replays.literals import as_kept, as_kept_with_opposites, as_seen
from thresher.verifier.replays.modified_balanced_winnow import replay_modified_balanced_winnow
from thresher.verifier.replays.options import OPTIONS, PLAIN, double
from thresher.verifier.replays.p_norm import replay_p_norm
from thresher.verifier.replays.paper import (
    exponentiated_on_paper,
    passive_aggressive_on_paper,
    perceptron_on_paper,
    winnow_on_paper,
)
from thresher.verifier.replays.perceptron import check_decay, replay_perceptron
from thresher.verifier.replays.playing import Parameters
from thresher.verifier.replays.ranges import (
    exponentiated_range,
    perceptron_range,
    winnow_range,
)
from thresher.verifier.replays.version_space import replay_halving, replay_standard_optimal
from thresher.verifier.replays.weighted_majority import (
    replay_randomized,
    replay_weighted_majority,
)
from thresher.verifier.replays.winnow import (
    check_winnow,
    replay_balanced_winnow,
    replay_winnow,
)
from thresher.verifier.several_classes import SEVERAL_CLASSES
from thresher.verifier.shapes import POSITIVE, ROOM, SHORT_NUMBER, Text, Whole, between

ONE = Fraction(1)
# These limits are those of the learners: numbers beyond them belong to no run, and powers of them
# can take as long as somebody wants.
TINY = Fraction(1, 2**40)
SMALL = between(Fraction(1e-30), 1, "from 1e-30 to 1")
STEP_SIZE = between(TINY, 2**40, "from 2**-40 to 2**40")
ANY_POSITIVE = between(Fraction(1e-100), Fraction(1e100), "from 1e-100 to 1e100")
FACTOR = Text(
    "0 or an exact number from 2**-40 to 1 - 2**-40 such as '3/8'",
    SHORT_NUMBER,
    lambda text: text == "0" or TINY <= Fraction(text) <= 1 - TINY,
    exact=True,
)
BITS = Domain(Fraction(0), ONE, whole=True)
VOTES = Domain(-ONE, ONE, whole=True)
UP_TO_ONE = Domain(-ONE, ONE)
ANY_SIZE = Domain(Fraction(-1e100), Fraction(1e100))
NOT_NEGATIVE = Domain(Fraction(0), Fraction(1e100))

STEP = {
    "n_features": ROOM,
    "eta": (POSITIVE, None),
    "margin": (POSITIVE, None),
    "radius": ANY_POSITIVE,
    "bias": bool,
    **OPTIONS,
}
#: What the learners share whose weights are sums of steps.
GROWING = {"n_features": (ROOM, None), "bias": bool, "average": bool, **OPTIONS}
UNVARIED = {"average": False, **PLAIN}
#: What the Winnow family takes besides.
THICK = {"margin": double(0.0, 1e100), "floor": (SMALL, None), **OPTIONS}
THIN = {"margin": Fraction(0), "floor": None, **PLAIN}
PERCEPTRON = {"margin": Fraction(0), "decay": Fraction(0), **UNVARIED}


def _unit_interval(parameters: Parameters) -> Domain:
    if parameters["scaling"] is not None:
        return NOT_NEGATIVE
    return Domain(Fraction(0), ONE, whole=parameters["zeroing"] or parameters["literals"])


def _up_to_one(parameters: Parameters) -> Domain:
    return UP_TO_ONE if parameters["scaling"] is None else ANY_SIZE


def _within_radius(parameters: Parameters) -> Domain:
    if parameters["scaling"] is not None:
        return ANY_SIZE
    radius = Fraction(parameters["radius"])
    return Domain(-radius, radius)


def _n_experts(parameters: Parameters) -> int:
    return int(parameters["n_experts"])


def _n_variables(parameters: Parameters) -> int:
    return int(parameters["concepts"]["n_variables"])


TWO_CLASSES = (
    Algorithm(
        name="perceptron",
        title="Perceptron",
        parameters={
            **GROWING,
            "margin": double(0.0, 1e100),
            "decay": double(0.0, 0.5),
        },
        optional=PERCEPTRON,
        textbook=PERCEPTRON,
        check_together=check_decay,
        replay=replay_perceptron,
        mixing="average",
        ranges=perceptron_range,
        same_on_paper=perceptron_on_paper,
        domain=lambda _: ANY_SIZE,
        bounds=perceptron_bounds,
        varied_bounds=perceptron_varied,
        uses_level=True,
        witness_errors=errors_as_a_separator,
        claims=perceptron_allowance,
        varied_claims=thick_allowance,
    ),
    Algorithm(
        name="p_norm_perceptron",
        title="PNormPerceptron",
        parameters={
            "n_features": ROOM,
            "bias": bool,
            "p": double(2.0, 64.0),
            "margin": double(0.0, 1e100),
            **OPTIONS,
        },
        textbook=PLAIN,
        replay=replay_p_norm,
        mixing="average",
        domain=lambda _: ANY_SIZE,
        bounds=p_norm_bounds,
        uses_level=True,
        witness_errors=errors_as_a_separator,
        claims=p_norm_allowance,
    ),
    Algorithm(
        name="passive_aggressive",
        title="PassiveAggressive",
        parameters={**GROWING, "variant": VARIANTS, "C": double(1e-12, 1e12)},
        textbook=UNVARIED,
        replay=replay_passive_aggressive,
        mixing="average",
        same_on_paper=passive_aggressive_on_paper,
        domain=lambda _: ANY_SIZE,
        bounds=passive_aggressive_bounds,
        uses_level=True,
        witness_errors=errors_as_a_separator,
    ),
    # No theorem is known: its certificates state the count alone.
    Algorithm(
        name="arow",
        title="AROW",
        parameters={**GROWING, "r": double(1e-12, 1e12)},
        textbook=UNVARIED,
        replay=replay_arow,
        mixing="precision",
        domain=lambda _: ANY_SIZE,
    ),
    Algorithm(
        name="adagrad",
        title="AdaGrad",
        parameters={**GROWING, "rate": double(1e-12, 1e12), "loss": LOSSES},
        textbook=UNVARIED,
        replay=replay_adagrad,
        mixing="squares",
        measured=Ledger.of,
        domain=lambda _: ANY_SIZE,
        bounds=adagrad_bounds,
        witness_errors=errors_as_a_separator,
    ),
    Algorithm(
        name="winnow",
        title="Winnow",
        parameters={
            "n_features": ROOM,
            "beta": STEP_SIZE,
            "threshold": ANY_POSITIVE,
            "zeroing": bool,
            "literals": bool,
            **THICK,
        },
        optional={"literals": False, **THIN},
        textbook=THIN,
        check_together=check_winnow,
        replay=replay_winnow,
        mixing="average",
        ranges=partial(winnow_range, mirrored=False),
        same_on_paper=partial(winnow_on_paper, mirrored=False),
        domain=_unit_interval,
        strongest=True,
        kept=as_kept,
        seen=as_seen,
        bounds=winnow_bounds,
        varied_bounds=winnow_varied,
        uses_rho=True,
        witness_errors=errors_as_a_disjunction,
        claims=textbook_allowance,
    ),
    # No theorem is known: its certificates state the count alone.
    Algorithm(
        name="balanced_winnow",
        title="BalancedWinnow",
        parameters={
            "n_features": ROOM,
            "beta": STEP_SIZE,
            "threshold": ANY_POSITIVE,
            **THICK,
        },
        optional=THIN,
        textbook=THIN,
        check_together=check_winnow,
        replay=replay_balanced_winnow,
        mixing="average",
        ranges=partial(winnow_range, mirrored=True),
        same_on_paper=partial(winnow_on_paper, mirrored=True),
        domain=_up_to_one,
        strongest=True,
    ),
    Algorithm(
        name="normalized_winnow",
        title="NormalizedWinnow",
        parameters={"literals": bool, **STEP},
        optional={"literals": False, **PLAIN},
        textbook=PLAIN,
        check_together=check_margin,
        replay=partial(replay_exponentiated, signed=False),
        mixing="average",
        ranges=partial(exponentiated_range, signed=False),
        same_on_paper=partial(exponentiated_on_paper, signed=False),
        domain=_within_radius,
        strongest=True,
        kept=as_kept_with_opposites,
        seen=as_seen,
        bounds=partial(exponentiated_bounds, signed=False),
        uses_level=True,
        witness_errors=errors_as_a_separator,
        claims=partial(exponentiated_allowance, signed=False),
    ),
    Algorithm(
        name="signed_winnow",
        title="SignedWinnow",
        parameters=STEP,
        optional=PLAIN,
        textbook=PLAIN,
        check_together=check_margin,
        replay=partial(replay_exponentiated, signed=True),
        mixing="average",
        ranges=partial(exponentiated_range, signed=True),
        same_on_paper=partial(exponentiated_on_paper, signed=True),
        domain=_within_radius,
        strongest=True,
        bounds=partial(exponentiated_bounds, signed=True),
        uses_level=True,
        witness_errors=errors_as_a_separator,
        claims=partial(exponentiated_allowance, signed=True),
    ),
    # No theorem is known: its certificates state the count alone.
    Algorithm(
        name="modified_balanced_winnow",
        title="ModifiedBalancedWinnow",
        parameters={
            "n_features": ROOM,
            "promotion": double(1.0, 1e6),
            "demotion": double(1e-6, 1.0),
            "margin": double(0.0, 1e100),
        },
        replay=replay_modified_balanced_winnow,
        domain=lambda _: NOT_NEGATIVE,
    ),
    Algorithm(
        name="elimination",
        title="Elimination",
        parameters={"n_features": ROOM, "literals": bool},
        replay=replay_elimination,
        domain=lambda _: BITS,
        strongest=True,
        kept=as_kept,
        seen=as_seen,
        bounds=elimination_bounds,
        witness_errors=errors_as_a_disjunction,
        claims=textbook_allowance,
    ),
    Algorithm(
        name="conjunction",
        title="Conjunction",
        parameters={"n_features": ROOM, "literals": bool},
        replay=replay_conjunction,
        domain=lambda _: BITS,
        strongest=True,
        kept=as_kept,
        seen=as_seen,
        bounds=conjunction_bounds,
        witness_errors=errors_as_a_conjunction,
        claims=textbook_allowance,
    ),
    Algorithm(
        name="weighted_majority",
        title="WeightedMajority",
        parameters={"n_experts": ROOM, "beta": FACTOR},
        room=_n_experts,
        replay=replay_weighted_majority,
        domain=lambda _: VOTES,
        strongest=True,
        bounds=majority_bounds,
        witness_errors=errors_as_a_separator,
        claims=textbook_allowance,
    ),
    Algorithm(
        name="randomized_weighted_majority",
        title="RandomizedWeightedMajority",
        parameters={"n_experts": ROOM, "beta": FACTOR, "seed": Whole(0, below=2**64)},
        room=_n_experts,
        replay=replay_randomized,
        domain=lambda _: VOTES,
        strongest=True,
        expectations=majority_expectations,
        witness_errors=errors_as_a_separator,
    ),
    Algorithm(
        name="halving",
        title="Halving",
        parameters={"concepts": dict},
        check_together=check_any_class,
        room=_n_variables,
        replay=replay_halving,
        domain=lambda _: BITS,
        strongest=True,
        check_rows=unknown_point,
        class_bounds=halving_bounds,
    ),
    Algorithm(
        name="standard_optimal",
        title="StandardOptimal",
        parameters={"concepts": dict},
        check_together=check_table,
        room=_n_variables,
        replay=replay_standard_optimal,
        domain=lambda _: BITS,
        strongest=True,
        check_rows=unknown_point,
        class_bounds=optimal_bounds,
    ),
    COMMITTEE,
)

RECORDS = (*TWO_CLASSES, *SEVERAL_CLASSES, *composites(TWO_CLASSES))

#: The records by name.
ALGORITHMS = {algorithm.name: algorithm for algorithm in RECORDS}
