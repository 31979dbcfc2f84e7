"""The C header itself: what it is called, what cannot break it, what compiles."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import thresher as th
from tests.export.runners import InC
from thresher.export import to_c
from thresher.export.c_header import identifier, in_comment
from thresher.kernels.rows.murmur3 import hash_bytes
from thresher.models.history import Training
from thresher.models.model import Model
from thresher.streams.recipe import Recipe


def test_sparse_weights_take_a_sparse_table(tmp_path: Path) -> None:
    learner = th.Winnow(2**20, threshold=50)
    learner.learn([{7: 1, 2**20 - 1: 1, 40: 1}], [+1])
    runner = InC(Model(learner=learner), tmp_path)
    assert len(runner.header) < 9000
    assert runner.row({0: 1.0, 7: 0.5, 41: 1.0, 2**20 - 1: 0.25})[0] == [0.5 * 2 + 0.25 * 2 + 2]
    # What is outside counts for nothing.
    assert runner.row({7: 1.0, 2**20: 1.0, 2**26: 1.0})[0] == [2.0]


def test_a_model_that_has_learned_nothing_compiles(tmp_path: Path) -> None:
    assert InC(Model(learner=th.Perceptron(9)), tmp_path).row({3: 2.0}) == ([0.0], "+1")


@pytest.mark.parametrize("n_features", [16, 1000, 2**20])
@pytest.mark.parametrize("format_", [None, "csv"])
def test_a_name_has_the_column_that_the_hash_gives(
    n_features: int, format_: str | None, tmp_path: Path
) -> None:
    learner = th.Perceptron(n_features, names=th.Hashed(3))
    runner = InC(Model(learner=learner, recipe=Recipe(format=format_)), tmp_path)
    for length in range(40):
        name = bytes(range(65, 65 + length))
        assert runner.column(name) == hash_bytes(name, 3) % n_features
    for name in (b"0", b"7", b"15"):
        # A program says 7 for a column; in a file the name that writes it is the column.
        expected = hash_bytes(name, 3) % n_features if format_ is None else int(name)
        assert runner.column(name) == expected
    assert runner.column(b"07") == hash_bytes(b"07", 3) % n_features
    assert runner.column(b"2147483648") == hash_bytes(b"2147483648", 3) % n_features
    if format_ == "csv":
        assert runner.column(str(n_features).encode()) == -1


def test_what_was_typed_cannot_end_a_comment(tmp_path: Path) -> None:
    run = Training(command='thresher train "*/ int x;" é\n??/', version="1")
    model = Model(learner=th.Perceptron(2), history=(run,))
    runner = InC(model, tmp_path)
    assert "*/ int x;" not in runner.header
    assert in_comment("a??/b") == "a? ?/b"


@pytest.mark.parametrize(
    "learner",
    [th.Perceptron(8), th.Committee(8), th.Committee(), th.OneVersusRest(th.AROW(8, scaling="l2"))],
    ids=lambda learner: learner.plain_name,
)
@pytest.mark.parametrize("format_", [None, "text"])
def test_the_header_compiles_as_cpp(
    learner: th.Perceptron, format_: str | None, tmp_path: Path
) -> None:
    learner = learner.copy()
    labels = ["x", "y"] if learner.several else [-1, 1]
    learner.learn([{"a": 1, "b": 2}, {"c": 1}], labels)
    model = Model(learner=learner, recipe=Recipe(format=format_))
    (tmp_path / "model.h").write_text(to_c(model, "m"))
    (tmp_path / "m.cpp").write_text(
        '#include "model.h"\nint main() { return m_predict(0, 0, 0); }\n'
    )
    flags = ["-std=c++11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only"]
    subprocess.run(["g++", *flags, str(tmp_path / "m.cpp")], check=True)


def test_two_headers_fit_into_one_program(tmp_path: Path) -> None:
    model = Model(learner=th.Committee(3), recipe=Recipe(format="text"))
    for name in ("one", "two"):
        (tmp_path / f"{name}.h").write_text(to_c(model, name))
    (tmp_path / "m.c").write_text(
        '#include "one.h"\n#include "two.h"\nint main(void) { return 0; }\n'
    )
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only"]
    subprocess.run(["gcc", *flags, str(tmp_path / "m.c")], check=True)


def test_identifiers_are_identifiers() -> None:
    assert [identifier(name) for name in ("", "a b", "é", "9")] == ["model", "a_b", "m__", "m_9"]
