"""Pairs of features as a step of reading: any format, any chunks, one set of names."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import thresher as th
from tests.streams.reads import Everything, everything
from thresher.errors import (
    BadLineError,
    FormatError,
    ParameterError,
    UnsoundBatchError,
)
from thresher.kernels.rows.named_rows import NameTable
from thresher.streams.bad_lines import BadLinePolicy
from thresher.streams.pairs import Pairs
from thresher.streams.read_settings import ReadSettings
from thresher.streams.recipe import Recipe

VW = "1 |a x:2 y |b z w:3\n-1 |a x y:1 q:1 |b z:0.5 | 7:2\n1 |b w\n-1 |a x x |b z\n" * 3
CSV = "label,colour,size,age\n" + "1,red,3,2\n0,blue,2,1\n1,red,,1\n0,,5,0\n" * 3
JSON = '{"label":1,"colour":"red","size":3}\n{"label":0,"tags":["a","b"],"size":2}\n' * 3
TEXT = "spam\tfree cash now\nham\tlunch at noon\n" * 3


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def names_of(model: th.Model) -> set[str]:
    assert model.kept is not None
    return {name for names in model.kept.columns().values() for name in names}


@pytest.mark.parametrize("hashed", [True, False])
@pytest.mark.parametrize(
    ("name", "text"), [("a.vw", VW), ("a.csv", CSV), ("a.jsonl", JSON), ("a.txt", TEXT)]
)
@pytest.mark.parametrize("pairs", ["all", "colour,size", "a,b", "a,a"])
def test_rows_do_not_depend_on_how_a_file_is_cut(
    tmp_path: Path, name: str, text: str, pairs: str, hashed: bool
) -> None:
    if name == "a.csv" and pairs == "a,a":
        pairs = "a,b"
    if name == "a.csv" and "a" in pairs.split(","):
        text = text.replace("age", "a").replace("size", "b")
    path = written(tmp_path, name, text)
    recipe = Recipe(pairs=(pairs,), format="text" if name == "a.txt" else None)

    def read(chunk_bytes: int, threads: int) -> tuple[Everything, dict[str, int]]:
        table = NameTable(512, True) if hashed else NameTable(None, False)
        settings = ReadSettings(chunk_bytes=chunk_bytes, threads=threads)
        found = everything(path, recipe=recipe, settings=settings, names=table)
        assert found.error is None
        return found, dict(table.vocabulary)

    ways = [read(*way) for way in ((1 << 20, 1), (1, 1), (40, 3), (1 << 20, 2))]
    assert all(one == other for one, other in pairwise(ways))


def test_a_namespace_with_itself_gives_each_pair_once(tmp_path: Path) -> None:
    path = written(tmp_path, "a.vw", "1 |a x y z |b w\n-1 |a x\n")
    found = names_of(th.train(path, "perceptron", pairs="a,a"))
    assert {name for name in found if "∧" in name} == set()
    found = names_of(th.train(path, "arow", pairs="a,a"))
    assert {name for name in found if "∧" in name} == {
        "a^x ∧ a^y", "a^x ∧ a^z", "a^y ∧ a^z"
    }  # fmt: skip


def test_products_of_columns_are_the_same_in_memory_and_in_a_file(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", CSV)
    [read] = [list(batch) for batch in th.read(path, recipe=Recipe(pairs=("colour,size",)))]
    learner = th.Perceptron(2**18)
    row = {"colour=red": 1, "size": 3, "age": 2}
    [made] = Pairs("colour,size", "age,age").rows([row], learner)
    assert made == read[0]
    assert sorted(made.values()) == [1.0, 2.0, 3.0, 3.0]


def test_rows_of_columns_have_all_pairs_and_named_groups_need_names() -> None:
    learner = th.Perceptron(64)
    matrix = np.array([[0.0, 2.0, 3.0], [1.0, 0.0, 0.0]])
    rows = list(Pairs("all").rows(matrix, learner))
    assert sorted(rows[0].values()) == [2.0, 3.0, 6.0]
    assert rows[1] == {0: 1.0}
    assert rows == list(Pairs("all").rows([{1: 2.0, 2: 3.0}, {0: 1.0}], learner))
    with pytest.raises(ParameterError, match="dicts by names"):
        Pairs("a,b").rows(matrix, learner)


def test_a_model_makes_the_pairs_of_new_rows_itself(tmp_path: Path) -> None:
    # Exclusive or: no weights of single features tell these apart.
    lines = "".join(f"{a ^ b},{a},{b}\n" for a in (0, 1) for b in (0, 1))
    path = written(tmp_path, "xor.csv", "label,a,b\n" + lines * 60)
    options = {"categorical": ("a", "b"), "passes": 2}
    plain = th.train(path, "perceptron", **options)  # type: ignore[arg-type]
    paired = th.train(path, "perceptron", pairs="a,b", **options)  # type: ignore[arg-type]
    assert (plain.test(path).error or 0.0) > 0.2
    assert paired.test(path).error == 0.0
    rows = [{f"a={a}": 1, f"b={b}": 1} for a in (0, 1) for b in (0, 1)]
    assert paired.predict(rows).tolist() == ["0", "1", "1", "0"]
    assert paired.test(rows, [0, 1, 1, 0]).error == 0.0
    named = {name for part in paired.explain(rows[1]).contributions for name in part.names}
    assert named == {"a=0", "b=1", "a=0 ∧ b=1"}
    paired.save(tmp_path / "m.thr")
    again = th.Model.load(tmp_path / "m.thr")
    assert again.recipe.pairs == ("a,b",)
    assert again.predict(path).tolist() == paired.predict(path).tolist()
    assert names_of(again) == names_of(paired) >= {"a=0 ∧ b=1", "a=1 ∧ b=1"}
    more = th.train(path, resume=tmp_path / "m.thr")
    assert more.test(path).error == 0.0
    assert more.learner.mistakes == paired.learner.mistakes


def test_svmlight_and_binary_files_have_all_pairs_in_the_same_columns(tmp_path: Path) -> None:
    path = written(tmp_path, "a.svm", "1 0:1 5:2 7:1\n0 1:1 5:2\n" * 4)
    th.convert(path, tmp_path / "a.thb")
    recipe = Recipe(pairs=("all",))
    one, other = (
        [row for batch in th.read(tmp_path / name, recipe=recipe) for row in batch]
        for name in ("a.svm", "a.thb")
    )
    assert one == other
    assert sorted(one[0].values()) == [1, 1, 1, 2, 2, 2]
    model = th.train(path, "perceptron", pairs="all")
    assert names_of(model) >= {"0 ∧ 5", "1 ∧ 5"}
    with pytest.raises(FormatError, match="have no names"):
        th.read(path, recipe=Recipe(pairs=("a,b",)))
    with pytest.raises(FormatError, match="vocabulary"):
        th.train(path, "perceptron", pairs="all", vocabulary=True)


@pytest.mark.parametrize("name", ["a.vw", "a.csv", "a.jsonl", "a.svm", "a.txt"])
def test_a_row_of_10_000_features_is_a_bad_line(tmp_path: Path, name: str) -> None:
    words = [f"f{i}" for i in range(10_000)]
    listed = ", ".join(f'"{word}"' for word in words)
    text = {
        "a.vw": f"1 |a x y\n1 |a {' '.join(words)}\n0 |a x\n",
        "a.csv": f"label,{','.join(words)}\n1,1{',' * 9_999}\n1{',1' * 10_000}\n0,1{',' * 9_999}\n",
        "a.jsonl": f'{{"label":1,"x":1}}\n{{"label":1,"x":[{listed}]}}\n{{"label":0,"x":2}}\n',
        "a.svm": "1 1:1\n1 " + " ".join(f"{i}:1" for i in range(10_000)) + "\n0 2:1\n",
        "a.txt": f"1\tx y\n1\t{' '.join(words)}\n0\tx\n",
    }[name]
    path = written(tmp_path, name, text)
    recipe = Recipe(pairs=("all",), format="text" if name == "a.txt" else None)
    with pytest.raises(BadLineError, match=r":[23]: found features that make \d+,\d+,\d+ pairs"):
        list(th.read(path, recipe=recipe, n_features=2**22))
    skipped = th.read(path, recipe=recipe, n_features=2**22, on_bad=BadLinePolicy("skip"))
    assert sum(len(batch) for batch in skipped) == 2
    assert skipped.bad.count == 1


def test_a_feature_named_like_a_pair_is_refused_where_pairs_are_made(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", "label,a,b\n1,x ∧ y,2\n0,z,1\n")
    assert th.train(path, "perceptron").learner.n_rounds == 2
    with pytest.raises(BadLineError, match="in its name"):
        th.train(path, "perceptron", pairs="a,b")
    with pytest.raises(UnsoundBatchError, match="in its name"):
        Pairs("all").rows([{"x ∧ y": 1}], th.Perceptron(64))


def test_columns_that_are_not_there_make_no_pairs_unnoticed(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", CSV)
    with pytest.raises(FormatError, match="no column 'sizze'"):
        th.train(path, "perceptron", pairs="colour,sizze")


@pytest.mark.parametrize("pairs", ["age,age", "colour,colour", "colour=red,colour"])
def test_a_column_of_a_table_makes_no_pairs_with_itself(tmp_path: Path, pairs: str) -> None:
    path = written(tmp_path, "a.csv", CSV)
    with pytest.raises(FormatError, match=r"one feature of the column .* Name two columns\."):
        th.train(path, "perceptron", pairs=pairs)


@pytest.mark.parametrize("column", ["label", "size"])
def test_the_label_and_what_is_left_out_make_no_pairs(tmp_path: Path, column: str) -> None:
    path = written(tmp_path, "a.csv", CSV)
    told = rf"the column '{column}' has no features, .* Columns are: colour, age\."
    with pytest.raises(FormatError, match=told):
        th.train(path, "perceptron", pairs=f"colour,{column}", ignored="size")


@pytest.mark.parametrize("wrong", [(), ("a",), ("a,",), ("a,b,c",), ("all", "a,b"), (3,)])
def test_what_names_no_pairs_is_refused(wrong: tuple[str, ...]) -> None:
    with pytest.raises(ParameterError, match="two names with a comma"):
        Pairs(*wrong)


def test_a_batch_with_a_bad_row_leaves_no_names() -> None:
    learner = th.Perceptron(names=th.Vocabulary())
    with pytest.raises(UnsoundBatchError, match="row 1"):
        Pairs("all").rows([{"a": 1, "b": 1}, {"x ∧ y": 1}], learner)
    assert not learner.vocabulary
    Pairs("all").rows([{"a": 1, "b": 1}], learner)
    assert list(learner.vocabulary) == ["a", "b", "a ∧ b"]
    [row] = Pairs("all").rows([{"a": 1, "c": 1}], learner, add=False)
    assert row == {0: 1.0}
