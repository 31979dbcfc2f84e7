"""One record per algorithm: complete, under one name, and known to whoever builds on it."""

from __future__ import annotations

import ast
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import thresher as th
from thresher.certifier import identity
from thresher.certifier.witnesses.search import SEARCH
from thresher.concepts import Disjunctions
from thresher.errors import CertificateError, DimensionError, FeatureRangeError
from thresher.proofs.potentials import POTENTIALS
from thresher.theory import Conjunction, Disjunction, Experts, Separator, catalogue
from thresher.verifier import ALGORITHMS, Algorithm, read_rows
from thresher.verifier.algorithms import RECORDS
from thresher.verifier.readers.labelled_rows import LabelledRows

ROOMS = Path(th.__file__).parent
records = pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)


#: Whether a learner with its defaults promises something on a disjunction, a conjunction, a
#: separator of 2-norm 1, one of 1-norm 1, and on experts.
ANSWERS = {
    "perceptron": [False, False, True, True, True],
    "winnow": [True, False, False, False, False],
    "p_norm_perceptron": [False, False, False, True, False],
    "normalized_winnow": [False, False, False, False, True],
    "signed_winnow": [False, False, False, True, True],
    "elimination": [True, False, False, False, False],
    "conjunction": [False, True, False, False, False],
    "weighted_majority": [False, False, False, False, True],
}


def has_a_theorem(record: Algorithm) -> bool:
    return record.bounds is not None or record.expectations is not None


@records
def test_name_and_title_are_those_of_the_learner(record: Algorithm) -> None:
    assert getattr(th, record.title).name == record.name
    assert ALGORITHMS[record.name] is record


def test_no_two_records_share_a_name_or_a_title() -> None:
    assert len(ALGORITHMS) == len(RECORDS) == len({record.title for record in RECORDS})


@records
def test_theorems_speak_of_the_learner_by_its_title(record: Algorithm) -> None:
    spoken_of = {title for theorem in catalogue() for title in theorem.learners}
    knows = has_a_theorem(record) or record.learns_a_class or record.run_bounds is not None
    assert (record.title in spoken_of) == knows


def test_witnesses_are_searched_for_where_a_theorem_can_use_one() -> None:
    assert set(SEARCH) == {record.name for record in RECORDS if has_a_theorem(record)}


def test_algorithms_without_a_proof_to_follow_are_these() -> None:
    # No potential is followed for the standard optimal algorithm: its journal has no audit.
    alone = {
        "adagrad",
        "arow",
        "calibrated",
        "committee",
        "modified_balanced_winnow",
        "p_norm_perceptron",
        "passive_aggressive",
        "standard_optimal",
    }
    several = {record.name for record in RECORDS if record.several}
    assert set(ALGORITHMS) - set(POTENTIALS) == alone | several


@records
def test_a_witness_has_errors_exactly_where_a_theorem_uses_it(record: Algorithm) -> None:
    assert (record.witness_errors is not None) == has_a_theorem(record)


def names_compared_in(path: Path) -> list[str]:
    """Names of algorithms in a file, wherever they are compared or looked for."""
    tree = ast.parse(path.read_text("utf-8"))
    return [
        str(leaf.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        for leaf in ast.walk(node)
        if isinstance(leaf, ast.Constant) and leaf.value in ALGORITHMS
    ]


def test_nobody_tells_algorithms_apart_by_their_names() -> None:
    files = [
        path
        for room in ("verifier", "certifier", "proofs")
        for path in ROOMS.glob(f"{room}/**/*.py")
    ]
    assert len(files) > 60
    assert {path.name: found for path in files if (found := names_compared_in(path))} == {}


def test_comparing_a_name_would_be_noticed(tmp_path: Path) -> None:
    (tmp_path / "lie.py").write_text('if run.name in ("winnow", "other"):\n    pass\n')
    assert names_compared_in(tmp_path / "lie.py") == ["winnow"]


@pytest.mark.parametrize(
    ("name", "parameters", "says"),
    [
        ("winnow", {"beta": "0"}, r"\$\.beta must be an exact number from 2\*\*-40 .* found '0'"),
        ("winnow", {"threshold": "-1"}, r"\$\.threshold must be an exact number from 1e-100"),
        ("weighted_majority", {"beta": "1"}, r"\$\.beta must be 0 or .* to 1 - 2"),
        ("randomized_weighted_majority", {"seed": 2**64}, r"\$\.seed must be .* below"),
        ("signed_winnow", {"margin": "2"}, r"\$\.margin must be at most the radius, found '2'"),
        ("perceptron", {"bias": 1}, r"\$\.bias must be true or false"),
        ("elimination", {"n_features": 0}, r"\$\.n_features must be a whole number from 1 on"),
        ("halving", {"concepts": {"class": "Oracles"}}, r"\$\.concepts\.class must be"),
        (
            "standard_optimal",
            {"concepts": {"class": "Disjunctions"}},
            r"\$\.concepts\.class must be 'TruthTable'",
        ),
    ],
)
def test_parameters_that_no_learner_can_have_are_refused_by_the_place(
    name: str, parameters: dict[str, object], says: str
) -> None:
    sound: dict[str, object] = {
        "n_features": 3,
        "n_experts": 3,
        "beta": "1/2",
        "threshold": "3",
        "zeroing": False,
        "eta": None,
        "margin": "1",
        "radius": "1",
        "bias": False,
        "literals": False,
        "seed": 7,
        "concepts": {"class": "Disjunctions", "n_variables": 3, "k": 1, "negations": False},
    }
    record = ALGORITHMS[name]
    given = {key: sound[key] for key in record.parameters if key not in record.optional}
    if name != "standard_optimal":
        record.check(given, "$")
    with pytest.raises(CertificateError, match=says):
        record.check(given | parameters, "$")


def learner_of(record: Algorithm) -> Any:
    """A learner of three features, as the record names it."""
    make = getattr(th, record.title)
    if record.learns_a_class:
        return make(Disjunctions(3))
    if "learner" in record.parameters:
        return make(th.Perceptron(3))
    given = {"eta": 1} if record.several and "eta" in record.parameters else {}
    return make(3, **given)


# Where another learner is inside, that one knows.
@pytest.mark.parametrize(
    "record", [record for record in ALGORITHMS.values() if "learner" not in record.parameters]
)
def test_a_record_knows_what_becomes_of_names_that_share_a_column(record: Algorithm) -> None:
    table = learner_of(record).name_table
    # Where a learner takes no names, nothing is added up, as where several see the same rows.
    assert record.strongest == (table is None or table.strongest)


def one_row(record: Algorithm, row: list[float]) -> LabelledRows:
    """A stream of one row, whose label is 1."""
    return read_rows([row], [1], ["1"] if record.several else None)


@records
@pytest.mark.parametrize("value", [-2.0, -1.0, -0.5, 0.5, 1.0, 2.0, 1e99])
def test_a_record_accepts_the_values_that_its_learner_accepts(
    record: Algorithm, value: float
) -> None:
    learner = learner_of(record)
    _, parameters = identity(learner)
    try:
        learner.learn([[0, value, 0]], [1])
        accepted = True
    except FeatureRangeError:
        accepted = False
    fault = record.fault(parameters, one_row(record, [0, value, 0]))
    assert (fault is None) == accepted, fault


@records
def test_a_record_has_the_room_that_its_learner_has(record: Algorithm) -> None:
    learner = learner_of(record)
    _, parameters = identity(learner)
    assert record.room(parameters) == 3
    fault = record.fault(parameters, one_row(record, [0, 0, 0, 1]))
    assert fault == "column 3, where the learner has 3"
    with pytest.raises(DimensionError):
        learner.learn([[0, 0, 0, 1]], [1])


def test_a_learner_that_guesses_its_margin_makes_no_promise_beyond_its_weights() -> None:
    given = {"n_features": 3, "eta": None, "margin": None, "radius": Fraction(1), "bias": False}
    claims = [Separator(Fraction(1, 2), norm=1, signed=signed) for signed in (0, 1)]
    promises = {
        name: [ALGORITHMS[name].allowance(given, claim) is not None for claim in claims]
        for name in ("normalized_winnow", "signed_winnow")
    }
    # Weights that are never negative promise nothing about targets that may be.
    assert promises == {"normalized_winnow": [True, False], "signed_winnow": [True, True]}


@records
def test_a_claim_has_an_answer_where_a_theorem_knows_one(record: Algorithm) -> None:
    _, parameters = identity(learner_of(record))
    claims = (
        Disjunction(k=1, n=3),
        Conjunction(k=2, n=3),
        Separator(Fraction(1, 2)),
        Separator(Fraction(1, 2), norm=1),
        Experts(n=3),
    )
    answers = [record.allowance(parameters, claim) is not None for claim in claims]
    assert answers == ANSWERS.get(record.name, [False] * 5)
