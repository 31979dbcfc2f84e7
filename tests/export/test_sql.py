"""SQL, run by SQLite, DuckDB and PostgreSQL: the same text in all three."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.export.databases import Cell, Postgres, Sqlite
from tests.export.models import ROUNDED, WEIGHED, asked, too_close, trained
from tests.learners.makers import Maker
from thresher.errors import ExportError
from thresher.export import form_of, to_sql
from thresher.export.sql_terms import number
from thresher.models.model import Model
from thresher.models.train import train
from thresher.streams import load_mushrooms
from thresher.streams.label_scheme import LabelScheme
from thresher.streams.recipe import Recipe

Databases = list[Sqlite | Postgres]


def compare(
    databases: Databases, sql: str, table: list[dict[str, Cell]], expected: Any, labels: list[str]
) -> None:
    """Scores to the last digits, and labels where no score is that close to a rival."""
    texts = {name for row in table for name, cell in row.items() if isinstance(cell, str)}
    names = list(dict.fromkeys(name for row in table for name in row))
    rows: list[list[Cell]] = [
        [float(t), *(row.get(name) for name in names)] for t, row in enumerate(table)
    ]
    expected = np.asarray(expected).reshape(len(table), -1)
    for base in databases:
        real, text = base.types
        columns = {"id": real, **{name: text if name in texts else real for name in names}}
        found = base.found(sql, columns, rows)
        each = [[x for key, x in row.items() if key.startswith("score")] for row in found]
        scale = np.abs(expected).max() + 1.0
        np.testing.assert_allclose(each, expected, rtol=1e-12, atol=1e-13 * scale)
        assert [row["predicted"] for row in found] == labels


SUMS = [maker for maker in WEIGHED + ROUNDED if not maker.title.endswith(("-l2", "-max"))]


@pytest.mark.parametrize("maker", SUMS, ids=str)
def test_every_linear_learner_scores_in_a_database(maker: Maker) -> None:
    model, rows = trained(maker), asked(maker)
    scores = form_of(model.learner).scores(rows)
    clear = ~too_close(model.learner, scores)
    kept = [dict(row) for row, clear in zip(rows, clear, strict=True) if clear]
    table: list[dict[str, Cell]] = [{str(i): row.get(i) for i in range(6)} for row in kept]
    labels = ["+1" if y > 0 else "-1" for y in model.learner.predict(rows)[clear]]
    compare([Sqlite()], to_sql(model), table, scores[clear], labels)


MAKERS = {
    "arow": lambda: th.AROW(bias=True),
    "online": lambda: th.AdaGrad(scaling="online"),
    "winnow": lambda: th.Winnow(300, names=th.Vocabulary(), beta=0.5, threshold=9),
    "classes": lambda: th.OneVersusRest(th.AROW(bias=True)),
    "winnow-classes": lambda: th.OneVersusRest(th.Winnow(300, names=th.Vocabulary())),
    "multiclass": lambda: th.MulticlassPerceptron(),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_mushrooms_are_told_apart_by_a_database(make: Any, databases: Databases) -> None:
    mushrooms, names = load_mushrooms(order=1)
    learner = make()
    rows = [{names[i]: 1.0 for i in row} for row in mushrooms[:1200]]
    labels = ["poison" if y > 0 else "food" for y in mushrooms.label[:1200]]
    if learner.several:
        labels = [f"{y}, {'few' if 'population=several' in row else 'it''s'}"
                  for y, row in zip(labels, rows, strict=True)]  # fmt: skip
        learner.learn(rows[:900], labels[:900])
    else:
        learner.learn(rows[:900], mushrooms.label[:900])
    fields = tuple(dict.fromkeys(name.split("=")[0] for name in names))
    model = Model(
        learner=learner,
        labels=LabelScheme("poison", "food"),
        recipe=Recipe(format="csv", categorical=fields),
    )
    table: list[dict[str, Cell]] = [dict(name.split("=") for name in row) for row in rows[900:]]  # type: ignore[misc]
    table[3] = {**table[3], "odor": None}
    rows[903] = {name: 1.0 for name in rows[903] if not name.startswith("odor=")}
    table[4] = {**table[4], "odor": "never seen"}
    rows[904] = {name: 1.0 for name in rows[904] if not name.startswith("odor=")}
    scores = learner.scores(rows[900:])
    numbers = learner.predicted_numbers(scores)
    predicted = (
        [learner.classes[n] for n in numbers] if learner.several
        else [("food", "poison")[n] for n in numbers]
    )  # fmt: skip
    compare(databases, to_sql(model), table, scores, predicted)


NAMES = ['say "x"', "it's", "select", "order", "né", "日本 😀", "a b", "back\\slash", "--", ";",
         "7", "a\nb", "/*", "$1", "?", ":x", "%s", "score", "predicted", "Label",
         "x" * 60]  # fmt: skip


@pytest.mark.parametrize("kind", ["numbers", "categories"])
def test_any_name_is_a_column(kind: str, databases: Databases) -> None:
    learner = th.AROW(bias=True)
    random = np.random.default_rng(3)
    values = ["it's", 'say "x"', "=", "a=b", "né", "\\", "7", "NULL"]
    table: list[dict[str, Cell]]
    if kind == "numbers":
        table = [{n: float(x) for n, x in zip(NAMES, random.normal(size=len(NAMES)), strict=True)}
                 for _ in range(40)]  # fmt: skip
        rows = table
        recipe = Recipe(format="csv", numeric=tuple(NAMES), label_field="kind")
    else:
        table = [{n: str(random.choice(values)) for n in NAMES} for _ in range(40)]
        rows = [{f"{n}={x}": 1.0 for n, x in row.items()} for row in table]
        recipe = Recipe(format="csv", categorical=tuple(NAMES), label_field="kind")
    learner.learn(rows, random.choice([-1, 1], 40))
    model = Model(learner=learner, labels=LabelScheme("it's", 'no "'), recipe=recipe)
    labels = ["it's" if y > 0 else 'no "' for y in learner.predict(rows)]
    # The table has a column called score, so that the score is called otherwise.
    sql = to_sql(model)
    assert "score_" in sql
    assert "predicted_" in sql
    scores = learner.scores(rows)
    for base in databases:
        real, text = base.types
        columns = {"id": real, **dict.fromkeys(NAMES, real if kind == "numbers" else text)}
        cells = [[float(t), *(row[n] for n in NAMES)] for t, row in enumerate(table)]
        found = base.found(sql, columns, cells)
        np.testing.assert_allclose([row["score_"] for row in found], scores, rtol=1e-11, atol=1e-12)
        assert [row["predicted_"] for row in found] == labels


TEXTS = (
    "spam\tfree cash now free\nham\tlunch at noon 7\nspam\tcash 7 prizes it's\nham\tnoon talk\n" * 9
)


@pytest.mark.parametrize("learner", ["arow", "winnow", "multiclass_perceptron"])
@pytest.mark.parametrize("bits", [4, 18, None])
def test_texts_are_tables_of_words(
    learner: str, bits: int | None, databases: Databases, tmp_path: Path
) -> None:
    (tmp_path / "mail.tsv").write_text(TEXTS)
    options: dict[str, Any] = {"format": "text"}
    if learner != "multiclass_perceptron":
        options["positive"] = "spam"
    options |= {"vocabulary": True} if bits is None else {"n_features": 2**bits}
    model = train(tmp_path / "mail.tsv", learner, **options)
    asked = ["free lunch 7", "it's cash", "noon talk free prizes", "it's noon"]
    # A hash of 16 columns gives every word one that is taken, and SQL cannot compute it.
    asked += ["nobody knows it's noon"] if bits != 4 else []
    (tmp_path / "asked.txt").write_text("\n".join(asked) + "\n")
    lines = [(t, word, 1.0) for t, text in enumerate(asked) for word in set(text.split())]
    expected = model.predict(tmp_path / "asked.txt").tolist()
    for base in databases:
        real, text = base.types
        found = base.found(to_sql(model), {"id": real, "feature": text, "value": real}, lines)
        assert [row["predicted"] for row in found] == expected


def test_sparse_columns_are_a_table_of_numbers(databases: Databases) -> None:
    learner = th.PassiveAggressive(2**20, bias=True)
    random = np.random.default_rng(5)
    rows = [{int(c): float(x) for c, x in zip(random.choice(2**20, 9), random.normal(size=9),
                                              strict=True)} for _ in range(60)]  # fmt: skip
    learner.learn(rows, random.choice([-1, 1], 60))
    model = Model(learner=learner, recipe=Recipe(format="svmlight", one_based=True))
    rows[7] = {5: 1.0, **rows[7]}
    lines = [(float(t), float(c + 1), x) for t, row in enumerate(rows) for c, x in row.items()]
    for base in databases:
        real, _ = base.types
        found = base.found(to_sql(model), {"id": real, "feature": real, "value": real}, lines)
        np.testing.assert_allclose(
            [row["score"] for row in found], learner.scores(rows), rtol=1e-12
        )


def test_many_fields_are_not_too_deep(databases: Databases) -> None:
    learner = th.Perceptron(900)
    random = np.random.default_rng(6)
    rows = random.normal(size=(30, 900))
    learner.learn(rows, random.choice([-1, 1], 30))
    table: list[dict[str, Cell]] = [dict(zip(map(str, range(900)), row, strict=True))
                                    for row in rows.tolist()[:3]]  # fmt: skip
    scores = learner.scores(rows[:3])
    compare(databases, to_sql(Model(learner=learner)), table, scores,
            ["+1" if score >= 0 else "-1" for score in scores])  # fmt: skip


def test_doubles_are_read_as_they_are_meant(databases: Databases) -> None:
    random = np.random.default_rng(7)
    odd = [0.1, 1 / 3, 5e-324, 1.7976931348623157e308, 1e22, 1e23, 9007199254740993.0, -2.5e-8]
    wide = random.normal(size=300) * 10.0 ** random.uniform(-30, 30, 300)
    values = [*wide.tolist(), *random.normal(size=300).tolist(), *odd[:2], *odd[4:]]
    listed = ", ".join(
        f"CAST({number(x)} AS DOUBLE PRECISION) AS x{k}" for k, x in enumerate(values)
    )
    for base in databases:
        (found,) = base.found(f"SELECT {listed}, id FROM data", {"id": base.types[0]}, [[1.0]])
        assert [found[f"x{k}"] for k in range(len(values))] == values


@pytest.mark.parametrize("scaling", ["l2", "l1", "max"])
def test_a_row_that_is_divided_by_its_length_is_no_sum(scaling: str) -> None:
    with pytest.raises(ExportError, match="divides each row"):
        to_sql(Model(learner=th.AROW(3, scaling=scaling)))


def test_what_sql_cannot_say_is_refused() -> None:
    lost = th.Perceptron(16)
    lost.learn([{"odor=foul": 1.0}], [-1])
    with pytest.raises(ExportError, match="names of 1 features were not kept"):
        to_sql(Model(learner=lost, recipe=Recipe(format="csv")))
    mixed = th.Perceptron()
    mixed.learn([{"odor=foul": 1.0, "odor": 2.0}], [-1])
    with pytest.raises(ExportError, match="numbers and texts"):
        to_sql(Model(learner=mixed, recipe=Recipe(format="json")))
    nothing = th.Perceptron()
    nothing.learn([{"": 1.0}], [-1])
    with pytest.raises(ExportError, match="nothing that SQL can hold"):
        to_sql(Model(learner=nothing))
    wide = th.Perceptron(2000)
    wide.learn(np.ones((1, 2000)), [-1])
    with pytest.raises(ExportError, match="2000 fields"):
        to_sql(Model(learner=wide))
    to_sql(Model(learner=wide), top=1000)
    with pytest.raises(ExportError, match="C, JavaScript or JSON"):
        to_sql(Model(learner=th.Committee(3)))
