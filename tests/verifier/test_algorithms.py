"""One record per algorithm: complete, under one name, and known to whoever builds on it."""

from __future__ import annotations

import ast
from fractions import Fraction
from pathlib import Path

import pytest

import thresher as th
from thresher.certifier.witnesses.search import SEARCH
from thresher.errors import CertificateError
from thresher.proofs.potentials import POTENTIALS
from thresher.theory import catalogue
from thresher.verifier import ALGORITHMS, Algorithm, read_rows
from thresher.verifier.algorithms import RECORDS

ROOMS = Path(th.__file__).parent
records = pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)


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
    knows = has_a_theorem(record) or record.learns_a_class
    assert (record.title in spoken_of) == knows


def test_witnesses_are_searched_for_where_a_theorem_can_use_one() -> None:
    assert set(SEARCH) == {record.name for record in RECORDS if has_a_theorem(record)}


def test_every_algorithm_but_one_has_a_proof_to_follow() -> None:
    # No potential is followed for the standard optimal algorithm: its journal has no audit.
    assert set(POTENTIALS) == set(ALGORITHMS) - {"standard_optimal"}


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
        ("winnow", {"beta": "0"}, r"\$\.beta must be an exact number above 0 .* found '0'"),
        ("winnow", {"threshold": "-1"}, r"\$\.threshold must be an exact number above 0"),
        ("weighted_majority", {"beta": "1"}, r"\$\.beta must be .* below 1"),
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
    given = {key: sound[key] for key in record.parameters}
    if name != "standard_optimal":
        record.check(given, "$")
    with pytest.raises(CertificateError, match=says):
        record.check(given | parameters, "$")


def test_a_record_says_why_a_stream_is_beyond_its_learner() -> None:
    given = {"n_features": 2, "beta": Fraction(1), "threshold": Fraction(2), "zeroing": False}
    winnow = ALGORITHMS["winnow"]
    faults = [
        winnow.fault(given, read_rows([row], [1])) for row in ([1, 0], [0.5, 1], [1, 2], [0, 0, 1])
    ]
    assert faults == [
        None,
        None,
        "value 2.0, where the learner takes 0 to 1",
        "column 2, where the learner has 2",
    ]
