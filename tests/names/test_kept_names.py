from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from thresher.errors import StateError
from thresher.kernels.rows.named_rows import NameTable
from thresher.names.kept import KeptNames
from thresher.streams.label_scheme import LabelScheme
from thresher.streams.read_settings import ReadSettings
from thresher.streams.reading import read_stream
from thresher.streams.recipe import NGrams, Recipe

TEXTS = ["free cash now", "lunch at noon", "cash prize", "meet at lunch", "free lunch", "win now"]
LINES = [f"{'spam' if k % 2 == 0 else 'ham'}\t{TEXTS[k * k % 6]} w{k % 7}" for k in range(40)]


def trained(
    file: Path, kept: KeptNames, settings: ReadSettings | None = None, recipe: Recipe | None = None
) -> th.Perceptron:
    """A Perceptron that has learned a file, and the names of its updates."""
    learner = th.Perceptron(n_features=kept.table.n_features)
    stream = read_stream(
        file,
        names=kept.table,
        scheme=LabelScheme.of("spam"),
        settings=settings,
        recipe=recipe or Recipe(format="text", text=NGrams(words=(1, 2))),
    )
    for chunk in stream.chunks():
        batch = stream.batch(chunk)
        kept.add_rows(stream.reader, chunk, learner.learn(batch).mistaken)
    return learner


def words_and_pairs(text: str) -> list[str]:
    words = text.split()
    return [n for k in range(len(words)) for n in (words[k], " ".join(words[k : k + 2]))][:-1]


@pytest.mark.parametrize("limit", [5, 2**20])
@pytest.mark.parametrize("chunk_bytes", [1, 50, 10**6])
def test_names_come_from_updates_alone_however_the_file_is_cut(
    tmp_path: Path, limit: int, chunk_bytes: int
) -> None:
    file = tmp_path / "mail.txt"
    file.write_text("\n".join(LINES))
    kept = KeptNames(NameTable(2**18, True), limit)
    trained(file, kept, ReadSettings(chunk_bytes=chunk_bytes, threads=2))

    learner, by_hand = th.Perceptron(n_features=2**18), KeptNames(NameTable(2**18, True), limit)
    for line in LINES:
        label, _, text = line.partition("\t")
        features = dict.fromkeys(words_and_pairs(text), 1.0)
        before = learner.mistakes
        learner.learn_one(features, 1 if label == "spam" else -1)
        if learner.mistakes > before:
            by_hand.add([list(features)])
    assert kept == by_hand
    assert 0 < len(kept) <= limit
    assert (kept.dropped > 0) == (limit == 5)


def test_every_weight_has_a_name(tmp_path: Path) -> None:
    file = tmp_path / "mail.txt"
    file.write_text("\n".join(LINES))
    kept = KeptNames(NameTable(2**18, True))
    learner = trained(file, kept)
    weighty = np.flatnonzero(learner.weights)
    assert len(weighty) > 5
    for column in weighty.tolist():
        names = kept.name_of(column)
        assert names
        assert {kept.table.column_of(name) for name in names} == {column}


def test_numbers_that_are_columns_are_nobody_s_names(tmp_path: Path) -> None:
    vw, svm = tmp_path / "a.vw", tmp_path / "a.svm"
    vw.write_text("spam | 7 x\nham |n 8 y\nspam | 9\n")
    svm.write_text("spam 7:1\nham 8:1\nspam 9:1\n")
    kept = KeptNames(NameTable(64, True))
    trained(vw, kept, recipe=Recipe())
    assert set(kept.updates()) == {"n^8", "n^y"}
    kept = KeptNames(NameTable(64, True))
    trained(svm, kept, recipe=Recipe())
    assert len(kept) == 0


ROWS = [
    {"label": "spam" if k % 3 else "ham", "size": k % 4 / 2, "7": k, "who": f"w{k % 5}", "odd": odd}
    for k, odd in enumerate(["x", 'a "b", c', "two\nlines", "", "7", "=", "\u00e9\u4e2d"] * 9)
]


def as_csv(file: Path) -> None:
    with file.open("w", newline="") as out:
        table = csv.DictWriter(out, list(ROWS[0]))
        table.writeheader()
        table.writerows(ROWS)


def as_json(file: Path) -> None:
    file.write_text("".join(json.dumps(row) + "\n" for row in ROWS))


def as_parquet(file: Path) -> None:
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(ROWS), file, row_group_size=20)


@pytest.mark.parametrize(
    ("name", "write"),
    [("a.csv", as_csv), ("a.jsonl", as_json), ("a.parquet", as_parquet)],
)
def test_tables_have_the_names_that_their_rows_give_by_hand(
    tmp_path: Path, name: str, write: Callable[[Path], None]
) -> None:
    write(tmp_path / name)
    recipe = Recipe(categorical=("odd",)) if name.endswith("csv") else Recipe()
    kept = KeptNames(NameTable(2**18, True))
    trained(tmp_path / name, kept, ReadSettings(chunk_bytes=200), recipe)
    learner, by_hand = th.Perceptron(n_features=2**18), KeptNames(NameTable(2**18, True))
    for row in ROWS:
        named = {f"{f}={row[f]}": 1.0 for f in ("who", "odd") if row[f]}
        features = {"size": float(row["size"]), **named}
        before = learner.mistakes
        everything: dict[Any, float] = {**features, 7: float(row["7"])}
        learner.learn_one(everything, 1 if row["label"] == "spam" else -1)
        if learner.mistakes > before:
            by_hand.add([[f for f, x in features.items() if x]])
    assert len(by_hand) > 8
    assert kept == by_hand


def test_a_vocabulary_is_asked_for_its_names(tmp_path: Path) -> None:
    file = tmp_path / "mail.txt"
    file.write_text("\n".join(LINES))
    table = NameTable(2**10, False)
    kept = KeptNames(table)
    trained(file, kept)
    assert kept.name_of(0) == ["free"]
    assert kept.name_of(999) == []
    assert len(kept) == len(table.vocabulary)
    assert kept.to_arrays()["text"].size == 0


names = st.sampled_from([f"{letter}{k}" for letter in "abé" for k in range(6)])
rows = st.lists(st.lists(names, max_size=6), max_size=12)


@given(rows, rows, st.integers(1, 12))
def test_saved_and_loaded_in_between_equals_one_run(
    first: list[list[str]], then: list[list[str]], limit: int
) -> None:
    table = NameTable(8, True, 3)
    whole, half = KeptNames(table, limit), KeptNames(table, limit)
    whole.add(first + then)
    half.add(first)
    resumed = KeptNames.from_arrays(table, half.to_arrays())
    assert resumed == half
    resumed.add(then)
    assert resumed == whole
    assert resumed.columns() == whole.columns()


def test_names_of_a_column_are_in_the_order_of_their_updates() -> None:
    kept = KeptNames(NameTable(1, True))
    kept.add([["a", "b"], ["b", "c"], ["c"], ["c"]])
    assert kept.name_of(0) == ["c", "b", "a"]
    kept.add([["a"], ["a"], ["a"]])
    assert kept.name_of(0) == ["a", "c", "b"]


SOUND = {
    "text": np.frombuffer(b"abc", np.uint8),
    "stop": np.array([1, 3]),
    "updates": np.array([2, 1]),
    "limits": np.array([10, 100, 0]),
}


@pytest.mark.parametrize(
    "lie",
    [
        {"text": None},
        {"text": np.frombuffer(b"ab\xff", np.uint8)},
        {"text": np.frombuffer(b"abcd", np.uint8)},
        {"stop": np.array([3, 1])},
        {"stop": np.array([-1, 3])},
        {"stop": np.array([1.0, 3.0])},
        {"stop": np.array([3])},
        {"updates": np.array([0, 1])},
        {"updates": np.array([[2, 1]])},
        {"limits": np.array([1, 100, 0])},
        {"limits": np.array([10, 3, 0])},
        {"limits": np.array([10, 100])},
        {"limits": np.array([10, 100, -1])},
        {"text": np.frombuffer(b"aa", np.uint8), "stop": np.array([1, 2])},
    ],
)
def test_a_damaged_table_is_refused(lie: dict[str, Any]) -> None:
    table = NameTable(8, True)
    assert KeptNames.from_arrays(table, SOUND).updates() == {"a": 2, "bc": 1}
    damaged = {name: array for name, array in (SOUND | lie).items() if array is not None}
    with pytest.raises(StateError, match="the table of names is damaged"):
        KeptNames.from_arrays(table, damaged)


@pytest.mark.parametrize("chunk_bytes", [40, 10**6])
def test_a_thread_of_their_own_keeps_the_same_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk_bytes: int
) -> None:
    file = tmp_path / "mail.txt"
    file.write_text("\n".join(LINES * 3))
    found = []
    for worth in (0, 10**9):
        monkeypatch.setattr("thresher.names.kept.WORTH_A_THREAD", worth)
        kept = KeptNames(NameTable(64, True), limit=30)
        trained(file, kept, ReadSettings(chunk_bytes=chunk_bytes))
        found.append((kept.updates(), kept.dropped))
    assert found[0] == found[1]
    assert found[0][0]


def test_what_goes_wrong_in_that_thread_is_raised_by_whoever_asks_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thresher.names.kept.WORTH_A_THREAD", 0)

    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("thresher.streams.formats.raw_text.RawText.count_names", fail)
    file = tmp_path / "mail.txt"
    file.write_text("\n".join(LINES))
    kept = KeptNames(NameTable(64, True))

    def train_and_count() -> int:
        trained(file, kept)
        return len(kept)

    with pytest.raises(MemoryError):
        train_and_count()
    assert len(kept) == 0
