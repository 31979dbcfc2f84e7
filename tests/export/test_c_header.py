"""The C header, compiled and run."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.export.models import WEIGHED, asked, too_close, trained
from tests.learners.makers import Maker
from thresher.export import form_of, to_c
from thresher.export.c_header import identifier
from thresher.kernels.rows.murmur3 import hash_bytes
from thresher.models.history import Training
from thresher.models.model import Model
from thresher.streams import Rows

DOORS = """
#include "model.h"
double score(const int32_t *c, const double *v, size_t n) { return m_score(c, v, n); }
int predict(const int32_t *c, const double *v, size_t n) { return m_predict(c, v, n); }
"""
NAMES = """
int32_t column(const char *name, size_t n) { return m_column(name, n); }
double score_names(const char *const *name, const double *x, size_t n, int32_t *c, double *v)
{ return m_score_names(name, x, n, c, v); }
"""
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2", "-shared", "-fPIC"]


def compiled(folder: Path, header: str, names: bool = False) -> Any:
    (folder / "model.h").write_text(header, "ascii")
    (folder / "doors.c").write_text(DOORS + (NAMES if names else ""))
    command = ["gcc", *STRICT, "-o", str(folder / "m.so"), str(folder / "doors.c")]
    subprocess.run(command, check=True)
    library = ctypes.CDLL(str(folder / "m.so"))
    library.score.restype = ctypes.c_double
    if names:
        library.score_names.restype = ctypes.c_double
    return library


def played(library: Any, rows: Rows) -> tuple[list[float], list[int]]:
    scores, labels = [], []
    for row in rows:
        column = np.array(list(row), np.int32)
        value = np.array(list(row.values()), np.float64)
        arguments = (
            ctypes.c_void_p(column.ctypes.data),
            ctypes.c_void_p(value.ctypes.data),
            ctypes.c_size_t(len(row)),
        )
        scores.append(library.score(*arguments))
        labels.append(library.predict(*arguments))
    return scores, labels


@pytest.mark.parametrize("maker", WEIGHED, ids=str)
def test_compiled_scores_are_those_of_the_model_to_the_bit(maker: Maker, tmp_path: Path) -> None:
    model, rows = trained(maker), asked(maker)
    scores, labels = played(compiled(tmp_path, to_c(model, "m")), rows)
    assert scores == form_of(model.learner).scores(rows).tolist()
    settled = too_close(model.learner, model.learner.scores(rows))
    same = np.array(labels) == model.learner.predict(rows)
    assert np.all(same | settled)


def test_sparse_weights_take_a_sparse_table(tmp_path: Path) -> None:
    learner = th.Winnow(2**20, threshold=50)
    learner.learn([{7: 1, 2**20 - 1: 1, 40: 1}], [+1])
    header = to_c(Model(learner=learner), "m")
    assert len(header) < 8000
    library = compiled(tmp_path, header)
    rows = Rows.of([{0: 1.0, 7: 0.5, 41: 1.0, 2**20 - 1: 0.25}, {8: 1.0}])
    assert (
        played(library, rows)[0] == [0.5 * 2 + 0.25 * 2 + 2, 1.0] == learner.scores(rows).tolist()
    )
    outside = Rows.of([{7: 1.0, 2**20: 1.0, 2**26: 1.0}])
    assert played(library, outside)[0] == [2.0]


def test_a_model_that_has_learned_nothing_compiles(tmp_path: Path) -> None:
    library = compiled(tmp_path, to_c(Model(learner=th.Perceptron(9)), "m"))
    assert played(library, Rows.of([{3: 2.0}])) == ([0.0], [1])


def named_scores(library: Any, row: dict[str, float]) -> float:
    n = len(row)
    names = (ctypes.c_char_p * n)(*(name.encode() for name in row))
    given = np.array(list(row.values()))
    column, value = np.zeros(n, np.int32), np.zeros(n)
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in (given, column, value)]
    found: float = library.score_names(names, pointers[0], ctypes.c_size_t(n), *pointers[1:])
    return found


WORDS = [f"word{k}" for k in range(40)] + ["", "né", "日本", 'a"b\\?', "x" * 50, "-1", "007"]


@pytest.mark.parametrize(
    "learner",
    [
        th.Perceptron(16, names=th.Hashed(5)),
        th.Perceptron(37, bias=True),
        th.Perceptron(names=th.Vocabulary()),
        th.BalancedWinnow(16, threshold=1, names=th.Hashed(2**32 - 1)),
        th.BalancedWinnow(64, threshold=1, names=th.Vocabulary()),
    ],
    ids=repr,
)
def test_names_are_scored_as_the_model_scores_them(learner: Any, tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    rows = [
        {str(w): float(random.choice([1.0, -1.0, 0.5])) for w in random.choice(WORDS, 6)}
        for _ in range(60)
    ]
    learner = learner.copy()
    learner.learn(rows[:30], random.choice([-1, 1], 30))
    library = compiled(tmp_path, to_c(Model(learner=learner), "m"), names=True)
    # Half of the names on 16 columns share one with another, and a row has six of them.
    assert [named_scores(library, row) for row in rows] == [learner.score_one(row) for row in rows]


@pytest.mark.parametrize("n_features", [16, 1000, 2**20])
def test_a_name_has_the_column_that_the_hash_gives(n_features: int, tmp_path: Path) -> None:
    learner = th.Perceptron(n_features, names=th.Hashed(3))
    library = compiled(tmp_path, to_c(Model(learner=learner), "m"), names=True)

    def column(name: bytes) -> int:
        found: int = library.column(name, ctypes.c_size_t(len(name)))
        return found

    for length in range(40):
        name = bytes(range(65, 65 + length))
        assert column(name) == hash_bytes(name, 3) % n_features
    assert [column(name) for name in (b"0", b"7", b"15")] == [0, 7, 15]
    assert column(b"07") == hash_bytes(b"07", 3) % n_features
    assert column(str(n_features).encode()) == -1
    assert column(b"2147483648") == hash_bytes(b"2147483648", 3) % n_features


def test_what_was_typed_cannot_end_a_comment(tmp_path: Path) -> None:
    run = Training(command='thresher train "*/ int x;" é\n', version="1")
    header = to_c(Model(learner=th.Perceptron(2), history=(run,)), "m")
    assert "*/ int x;" not in header
    compiled(tmp_path, header)


def test_the_header_compiles_as_cpp(tmp_path: Path) -> None:
    learner = th.Perceptron(8)
    learner.learn([{"a": 1, "b": 2}], [-1])
    (tmp_path / "model.h").write_text(to_c(Model(learner=learner), "m"))
    (tmp_path / "m.cpp").write_text(
        '#include "model.h"\nint main() { return m_predict(0, 0, 0); }\n'
    )
    flags = ["-std=c++11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
    subprocess.run(["g++", *flags, str(tmp_path / "m.cpp")], check=True)


def test_identifiers_are_identifiers() -> None:
    assert [identifier(name) for name in ("", "a b", "é", "9")] == ["model", "a_b", "_", "_9"]
