"""Models that make pairs of features: exports make the same pairs of the same rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.export.databases import Cell, DuckDb, Postgres, Sqlite
from tests.export.runners import InC, InJavaScript, InJson, Pairs
from tests.reference.crossing import are_a_pair, column_of_pair
from thresher.errors import ExportError, ThresherError
from thresher.export import FORMS, exported, to_json, to_sql
from thresher.models.input_data import InputData
from thresher.models.model import Model
from thresher.models.opening import open_for_model
from thresher.streams.recipe import NGrams, Recipe

HEADERS = {"csv": 'label,7,size,"a ""b""",kind\n'}
LINES = {
    "vw": "1 |a x y:2 |b p q:0.5\n-1 |a y |b p |c 7:3\n1 |b q 7 |a x^z\n-1 |c 7 w:-1 |a x:-2\n",
    "csv": "1,2,0.5,x,it's\n-1,1,2,,7\n1,-1,0,y,7\n-1,3,1,x,\n",
    "json": '{"label":1,"7":2,"b":"p","a":"x"}\n{"label":-1,"a":0.5,"b":"q","c":["u","v"]}\n'
    '{"label":1,"b":"p","c":["v"],"d":{"a":3}}\n{"label":-1,"a":-1,"7":1}\n',
    "text": "1\tfree cash now 7\n-1\tlunch at 7 noon\n1\tcash now now prizes\n-1\tnoon lunch\n",
    "svmlight": "1 7:2 9:0.5\n-1 7:1 3:-2 1:1\n1 3:1 7:-1\n-1 9:2 1:1\n",
}
AS_NAMES: dict[str, list[Pairs]] = {
    "vw": [
        [("a^x", 1.0), ("a^y", 2.0), ("b^p", 1.0), ("b^q", 0.5)],
        [("a^y", 1.0), ("b^p", 1.0), ("c^7", 3.0)],
        [("b^q", 1.0), ("b^7", 1.0), ("a^x^z", 1.0)],
        [("c^7", 1.0), ("c^w", -1.0), ("a^x", -2.0)],
    ],
    "csv": [
        [("7", 2.0), ("size", 0.5), ('a "b"=x', 1.0), ("kind=it's", 1.0)],
        [("7", 1.0), ("size", 2.0), ("kind=7", 1.0)],
        [("7", -1.0), ('a "b"=y', 1.0), ("kind=7", 1.0)],
        [("7", 3.0), ("size", 1.0), ('a "b"=x', 1.0)],
    ],
    "json": [
        [("7", 2.0), ("b=p", 1.0), ("a=x", 1.0)],
        [("a", 0.5), ("b=q", 1.0), ("c=u", 1.0), ("c=v", 1.0)],
        [("b=p", 1.0), ("c=v", 1.0), ("d.a", 3.0)],
        [("a", -1.0), ("7", 1.0)],
    ],
    "text": [
        [("free", 1.0), ("cash", 1.0), ("now", 1.0), ("7", 1.0)],
        [("lunch", 1.0), ("at", 1.0), ("7", 1.0), ("noon", 1.0)],
        [("cash", 1.0), ("now", 1.0), ("prizes", 1.0)],
        [("noon", 1.0), ("lunch", 1.0)],
    ],
    "svmlight": [
        [("7", 2.0), ("9", 0.5)],
        [("1", 1.0), ("3", -2.0), ("7", 1.0)],
        [("3", 1.0), ("7", -1.0)],
        [("1", 1.0), ("9", 2.0)],
    ],
}
#: Formats and pairs; pairs of groups that share features, and with each other.
ASKED = [
    ("vw", ("a,b",)),
    ("vw", ("a,b", "b,a", "a,a", "c,a^x")),
    ("vw", ("all",)),
    ("csv", ("7,kind", 'a "b",size', "7,size")),
    ("csv", ("all",)),
    ("json", ("a,b", "c,c")),
    ("json", ("all",)),
    ("text", ("cash,now", "7,noon")),
    ("text", ("all",)),
    ("svmlight", ("all",)),
]

#: How many features, half of them of a and half of b, have hardly fewer pairs than a row may have.
NEARLY_TOO_MANY: dict[tuple[str, ...], int] = {("a,b",): 900, ("all",): 700}


def made(
    folder: Path, format_: str, pairs: tuple[str, ...], learner: str, n_features: int | None
) -> tuple[Model, list[Any]]:
    """A model of a file, and the scores of the first lines."""
    path = folder / f"rows.{format_}"
    path.write_text(HEADERS.get(format_, "") + LINES[format_] * 12)
    size: dict[str, Any] = {"n_features": n_features} if n_features else {"vocabulary": True}
    recipe = Recipe(format=format_, pairs=pairs, text=NGrams(words=(1, 1)))
    model = th.train(path, learner, recipe=recipe, passes=2, **size)
    stream = open_for_model(model, InputData.described(path), labels=False)
    scores = np.concatenate([model.learner.scores(chunk.rows) for chunk in stream.chunks()])
    return model, scores[:4].reshape(4, -1).tolist()


@pytest.mark.parametrize(("format_", "pairs"), ASKED)
@pytest.mark.parametrize(
    ("learner", "n_features"),
    [("arow", 2**12), ("arow", 11), ("arow", None), ("committee", 2**9)],
)
def test_c_and_javascript_make_the_pairs_of_the_model(
    format_: str, pairs: tuple[str, ...], learner: str, n_features: int | None, tmp_path: Path
) -> None:
    if format_ == "svmlight" and n_features is None:
        n_features = 2**20
    model, expected = made(tmp_path, format_, pairs, learner, n_features)
    for runner in (InC(model, tmp_path), InJavaScript(model)):
        assert [runner.named(row)[0] for row in AS_NAMES[format_]] == expected
        if format_ == "text":
            texts = [line.split("\t")[1] for line in LINES["text"].splitlines()[:4]]
            assert [runner.text(text)[0] for text in texts] == expected


def test_columns_alone_have_all_pairs(tmp_path: Path) -> None:
    model, expected = made(tmp_path, "svmlight", ("all",), "arow", 300)
    rows = [{int(name): x for name, x in row} for row in AS_NAMES["svmlight"]]
    in_c, in_js = InC(model, tmp_path), InJavaScript(model)
    assert [in_c.with_pairs(row)[0] for row in rows] == expected
    assert [in_js.row(row)[0] for row in rows] == expected


@pytest.mark.parametrize(("format_", "pairs"), ASKED)
@pytest.mark.parametrize("n_features", [2**20, None])
def test_the_document_says_how_pairs_are_made(
    format_: str, pairs: tuple[str, ...], n_features: int | None, tmp_path: Path
) -> None:
    """By the formulas of docs/exports.md, where no two names share a column."""
    if format_ == "svmlight":
        n_features = 2**20
    model, expected = made(tmp_path, format_, pairs, "arow", n_features)
    document = json.loads(to_json(model))
    groups = [(one.encode(), other.encode()) for one, other in document["pairs"]["groups"]]
    listed = {name: f["column"] for f in document["features"] for name in f["names"]}
    runner = InJson(to_json(model))
    names = document["names"]
    for row, scores in zip(AS_NAMES[format_], expected, strict=True):
        columns: dict[int, float] = {}
        own = {
            name: int(name) if names.get("numbers_are_columns") and name.isdigit()
            else model.name_table.column_of(name)
            for name, _ in row
        }  # fmt: skip
        for i, (one, x) in enumerate(row):
            columns[own[one]] = x  # type: ignore[index]
            for other, y in row[:i]:
                if not are_a_pair(one.encode(), other.encode(), groups):
                    continue
                if names["kind"] == "vocabulary":
                    joined = document["pairs"]["joint"].join(sorted((one, other)))
                    column = listed.get(joined, -1)
                else:
                    column = column_of_pair(own[one], own[other], names["columns"])  # type: ignore[arg-type]
                columns[column] = columns.get(column, 0.0) + x * y
        columns.pop(-1, None)
        assert runner.row(columns)[0] == scores


@pytest.mark.parametrize("pairs", NEARLY_TOO_MANY)
def test_what_the_model_refuses_the_exports_refuse(pairs: tuple[str, ...], tmp_path: Path) -> None:
    model, _ = made(tmp_path, "vw", pairs, "arow", 2**20)
    many = [(f"{'ab'[i % 2]}^{i}", 1.0) for i in range(1100)]
    in_c, in_js = InC(model, tmp_path), InJavaScript(model)
    for row in (
        many,
        [("a^x ∧ b^y", 1.0)],
        [("a^x", 1e200), ("b^y", 1e200)],
        [("a^x", float("nan"))],
    ):
        with pytest.raises(ThresherError):
            model.rows([dict(row)])
        assert in_c.refuses(row)
        pairs_of_js = "[" + ",".join(f"[{json.dumps(n)},{x!r}]" for n, x in row) + "]"
        assert in_js.fails(pairs_of_js.replace("nan", "NaN")) != "undefined"
    # As many as are allowed, nearly; JavaScript takes its time with them, and gets its own test.
    few = many[: NEARLY_TOO_MANY[pairs]]
    assert in_c.named(few)[0] == model.learner.scores(model.rows([dict(few)])).tolist()
    some = many[:120]
    assert in_js.named(some)[0] == model.learner.scores(model.rows([dict(some)])).tolist()


# Hundreds of thousands of pairs are hashed by an interpreter without a compiler.
@pytest.mark.long
@pytest.mark.parametrize("pairs", NEARLY_TOO_MANY)
def test_javascript_takes_as_many_pairs_as_the_model(
    pairs: tuple[str, ...], tmp_path: Path
) -> None:
    model, _ = made(tmp_path, "vw", pairs, "arow", 2**20)
    row = [(f"{'ab'[i % 2]}^{i}", 1.0) for i in range(NEARLY_TOO_MANY[pairs])]
    expected = model.learner.scores(model.rows([dict(row)])).tolist()
    assert InJavaScript(model).named(row)[0] == expected


@pytest.mark.parametrize("n_features", [16, 2**10, None])
def test_of_names_that_share_a_column_the_strongest_makes_the_pair(
    n_features: int | None, tmp_path: Path
) -> None:
    model, expected = made(tmp_path, "text", ("all",), "winnow", n_features)
    for runner in (InC(model, tmp_path), InJavaScript(model)):
        assert [runner.named(row)[0] for row in AS_NAMES["text"]] == expected


@pytest.mark.parametrize("pairs", [pairs for format_, pairs in ASKED if format_ == "csv"])
@pytest.mark.parametrize("learner", ["arow", "perceptron:scaling=online"])
@pytest.mark.parametrize("n_features", [2**20, None])
def test_a_table_has_its_pairs_in_a_database(
    pairs: tuple[str, ...],
    learner: str,
    n_features: int | None,
    databases: list[Sqlite | DuckDb | Postgres],
    tmp_path: Path,
) -> None:
    model, expected = made(tmp_path, "csv", pairs, learner, n_features)
    rows: list[list[Cell]] = [
        [0.0, 2.0, 0.5, "x", "it's"],
        [1.0, 1.0, 2.0, None, "7"],
        [2.0, -1.0, None, "y", "7"],
        [3.0, 3.0, 1.0, "x", ""],
    ]
    for base in databases:
        real, text = base.types
        columns = {"id": real, "7": real, "size": real, 'a "b"': text, "kind": text}
        found = base.found(to_sql(model), columns, rows)
        scores = [[row["score"]] for row in found]
        np.testing.assert_allclose(scores, expected, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize(
    ("format_", "pairs"), [case for case in ASKED if case[0] in ("vw", "text")]
)
@pytest.mark.parametrize(
    ("learner", "n_features"),
    [("arow", 2**20), ("arow", None), ("winnow", None), ("multiclass_perceptron", 2**20)],
)
def test_lines_of_features_have_their_pairs_in_a_database(
    format_: str,
    pairs: tuple[str, ...],
    learner: str,
    n_features: int | None,
    databases: list[Sqlite | DuckDb | Postgres],
    tmp_path: Path,
) -> None:
    if learner == "winnow" and format_ == "vw":
        learner = "adagrad"
    model, expected = made(tmp_path, format_, pairs, learner, n_features)
    lines: list[list[Cell]] = [
        [float(t), name, x] for t, row in enumerate(AS_NAMES[format_]) for name, x in row
    ]
    for base in databases:
        real, text = base.types
        found = base.found(to_sql(model), {"id": real, "feature": text, "value": real}, lines)
        scores = [[x for name, x in row.items() if name.startswith("score")] for row in found]
        np.testing.assert_allclose(scores, expected, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_what_cannot_make_pairs_says_who_can(tmp_path: Path, form: str) -> None:
    path = tmp_path / "a.vw"
    path.write_text("1 |a x |b y\n0 |a x\n0 |b y\n" * 40)
    model = th.train(path, "winnow", pairs="a,b", n_features=64, passes=3)
    if form in ("text", "rule"):
        assert "a^x ∧ b^y" in exported(model, form, reach=0.01).content.decode()
    elif form == "onnx":
        with pytest.raises(ExportError, match="makes pairs of features"):
            exported(model, form)
    elif form == "sql":
        with pytest.raises(ExportError, match="no update has touched weighs 1"):
            exported(model, form)
        with pytest.raises(ExportError, match="names of 1 features were not kept"):
            exported(model, form, reach=0.01)
    else:
        assert exported(model, form).content
    numbers, _ = made(tmp_path, "svmlight", ("all",), "arow", 64)
    if form == "sql":
        with pytest.raises(ExportError, match="have no names"):
            exported(numbers, form)


def test_a_rule_of_pairs_holds_where_both_features_do(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    lines = "".join(f"{int(a == b == 'x')},{a},{b},1\n" for a in "xyz" for b in "xy")
    path.write_text("label,a,b,flag\n" + lines * 30)
    model = th.train(path, "elimination", pairs="a,b", n_features=16, vocabulary=True)
    sql = exported(model, "sql", reach=1.0).content.decode()
    rows: list[list[Cell]] = [[0.0, "x", "x", 1.0], [1.0, "x", "y", 1.0], [2.0, "y", "x", 1.0]]
    columns = {"id": "REAL", "a": "TEXT", "b": "TEXT", "flag": "REAL"}
    found = Sqlite().found(sql, columns, rows)
    assert [row["predicted"] for row in found] == ["1", "0", "0"]
    assert "\"a\" = 'x' AND \"b\" = 'x'" in sql
