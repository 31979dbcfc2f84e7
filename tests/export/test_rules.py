"""Rules in words and in SQL, run by SQLite."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from tests.export.databases import Sqlite
from thresher.errors import ExportError
from thresher.export import Rule, agreement, rule_of, rule_to_sql
from thresher.models.model import Model
from thresher.streams import Rows, load_mushrooms
from thresher.streams.label_scheme import LabelScheme
from thresher.streams.recipe import Recipe

N = 5
EVERY_ROW = np.array(list(itertools.product([0, 1], repeat=N)))
examples = st.lists(st.tuples(st.lists(st.booleans(), min_size=N, max_size=N), st.booleans()))
MAKERS = {
    "winnow": lambda: th.Winnow(N, threshold=2),
    "winnow-third": lambda: th.Winnow(N, beta=0.3, threshold=1.69),
    "winnow-zeroing": lambda: th.Winnow(N, zeroing=True),
    "elimination": lambda: th.Elimination(N),
    "elimination-literals": lambda: th.Elimination(N, literals=True),
    "conjunction": lambda: th.Conjunction(N),
    "conjunction-literals": lambda: th.Conjunction(N, literals=True),
}
every_rule = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


def ran(sql: str, rows: Any, names: list[str]) -> list[Any]:
    """What SQLite makes of the query; zeros are stored as NULL in every second row."""
    cells = [
        [t, *(None if t % 2 and cell == 0 else cell for cell in row)] for t, row in enumerate(rows)
    ]
    found = Sqlite().found(sql, dict.fromkeys(["id", *names], ""), cells)
    return [row["predicted"] for row in found]


@every_rule
@given(stream=examples)
@settings(max_examples=40)
def test_a_rule_its_text_and_its_sql_say_the_same_as_the_model_where_it_is_exact(
    make: Any, stream: list[tuple[list[bool], bool]]
) -> None:
    learner = make()
    learner.learn(
        [[int(x) for x in row] for row, _ in stream] or np.zeros((0, N)), [y for _, y in stream]
    )
    model = Model(learner=learner)
    rule = rule_of(model)
    rows = Rows.of(EVERY_ROW)
    says, model_says = rule.holds(rows), learner.predict(rows) > 0
    if rule.exact:
        assert says.tolist() == model_says.tolist()
    # One-sided in any case: a rule of a model without negative weights never says +1 alone.
    assert not np.any(says & ~model_says)
    found = ran(rule_to_sql(rule, model), EVERY_ROW.tolist(), [str(i) for i in range(N)])
    assert found == ["+1" if s else "-1" for s in says]
    compared = agreement(model, rule.predicts, [rows[:7], rows[7:]])
    assert compared.rows == 2**N
    assert compared.agreeing == int(np.sum(says == model_says))
    assert compared.only_model == int(np.sum(model_says & ~says))
    assert compared.only_export == 0


@every_rule
def test_literal_learners_have_exact_rules(make: Any) -> None:
    learner = make()
    if not isinstance(learner, th.Winnow):
        learner.learn([[1, 1, 0, 0, 1], [0, 1, 0, 0, 0]], [1, -1])
        assert rule_of(Model(learner=learner)).exact is True


def test_a_feature_exactly_at_the_threshold_decides() -> None:
    """1.3 * 1.3 is 1.69 in exact arithmetic and a little less in doubles."""
    beta, threshold = Fraction(3, 10), Fraction(169, 100)
    learner = th.Winnow(3, beta=beta, threshold=threshold)
    learner.learn([{1: 1}, {1: 1}], [1, 1])
    assert rule_of(Model(learner=learner)).literals == ((1, True),)


def test_the_mushrooms_are_a_rule_of_a_few_words() -> None:
    mushrooms, names = load_mushrooms(order=1)
    learner = th.Winnow(n_features=len(names), names=th.Vocabulary())
    rows = [{names[i]: 1.0 for i in row} for row in mushrooms]
    for _ in range(2):
        learner.learn(rows, mushrooms.label)
    labels = LabelScheme("poisonous", "edible")
    fields = tuple(dict.fromkeys(name.split("=")[0] for name in names))
    recipe = Recipe(format="csv", categorical=fields)
    model = Model(learner=learner, labels=labels, recipe=recipe)
    # Poisonous mushrooms share several marks, and none of them had to reach 98 alone.
    assert rule_of(model).literals == ()
    assert rule_of(model).highest == 64 / 98
    rule = rule_of(model, reach=0.5)
    text = rule.text(model)
    assert text.startswith("poisonous if any of these is true:\n  ")
    assert "odor=foul" in text
    assert text.endswith("otherwise edible\n")
    # As a table with one column per attribute, as the readers of CSV name the features.
    table = [dict(names[i].split("=") for i in row) for row in mushrooms]
    found = ran(rule_to_sql(rule, model), [[row[f] for f in fields] for row in table], [*fields])
    ours = np.array([learner.column_of(name) for name in names])
    renamed = Rows.of([{int(ours[i]): 1.0 for i in row} for row in mushrooms])
    assert [label == "poisonous" for label in found] == rule.holds(renamed).tolist()
    compared = agreement(model, rule.predicts, [renamed])
    assert (compared.rows, compared.agreeing) == (len(mushrooms), 5644)
    assert str(compared).startswith(f"agrees with the model on {compared.agreeing:,} of 5,644 rows")


@pytest.mark.parametrize(
    "learner",
    [th.Perceptron(3), th.NormalizedWinnow(3, eta=1), th.WeightedMajority(3)],
    ids=lambda learner: learner.name,
)
def test_where_no_feature_decides_alone_there_is_no_rule(learner: Any) -> None:
    with pytest.raises(ExportError, match="predicts \\+1 for a row without features"):
        rule_of(Model(learner=learner))


def test_a_halving_learner_has_no_rule() -> None:
    with pytest.raises(ExportError, match="does not score rows by weights"):
        rule_of(Model(learner=th.Halving(th.concepts.Disjunctions(3))))


def test_empty_rules_are_constants() -> None:
    model = Model(learner=th.Winnow(3))
    never, always = Rule("or", (), True), Rule("and", (), True)
    assert (never.text(model), always.text(model)) == ("-1, always\n", "+1, always\n")
    for rule, label in ((never, "-1"), (always, "+1")):
        assert ran(rule_to_sql(rule, model), [[1], [0]], ["0"]) == [label] * 2
    rows = Rows.of([[1, 0, 0], [0, 0, 0]])
    assert (never.holds(rows).tolist(), always.holds(rows).tolist()) == ([False] * 2, [True] * 2)


def test_names_cannot_leave_their_quotes() -> None:
    learner = th.Elimination(3, names=th.Vocabulary())
    rows = [{'a") --': 1}, {"b=it's": 1}, {"c": 1}]
    learner.learn(rows, [1, 1, -1])
    labels = LabelScheme("it's", "not")
    model = Model(learner=learner, labels=labels, recipe=Recipe(format="json"))
    sql = rule_to_sql(rule_of(model), model)
    table = [[1, "x", 0], [0, "it's", 0], [0, "it", 1]]
    assert ran(sql, table, ['a") --', "b", "c"]) == ["it's", "it's", "not"]


def test_only_the_heaviest_stay_and_the_rule_is_not_called_exact() -> None:
    learner = th.Elimination(4)
    assert rule_of(Model(learner=learner), top=2).exact is False
    assert rule_of(Model(learner=learner), top=4).exact is True
    winnow = th.Winnow(4, threshold=1).with_dual([1.0, 3.0, 0.0, -9.0])
    assert rule_of(Model(learner=winnow), top=2).literals == ((1, True), (0, True))


@pytest.mark.parametrize("reach", [0.0, -1.0, 1.5, float("nan")])
def test_a_share_is_above_0_and_at_most_1(reach: float) -> None:
    with pytest.raises(th.errors.ParameterError, match="reach must be above 0 and at most 1"):
        rule_of(Model(learner=th.Winnow(3)), reach=reach)


@pytest.mark.parametrize("make", [th.Perceptron, th.AROW, th.PassiveAggressive])
def test_a_bias_leaves_less_to_reach(make: Any) -> None:
    learner = make(4, bias=True)
    learner.learn([[0, 0, 0, 1], [1, 0, 0, 0], [0, 0, 0, 1], [1, 1, 0, 0]] * 3, [-1, 1, -1, 1] * 3)
    model = Model(learner=learner)
    if learner.predict_one({}) > 0:
        learner.learn(np.zeros((3, 4)), [-1] * 3)
    rule = rule_of(model)
    every_row = Rows.of(list(itertools.product([0, 1], repeat=4)))
    singles = Rows.of(np.eye(4))
    assert learner.predict_one({}) == -1
    assert rule.holds(singles).tolist() == (learner.predict(singles) > 0).tolist()
    assert any(rule.holds(singles))
    if rule.exact:
        assert rule.holds(every_row).tolist() == (learner.predict(every_row) > 0).tolist()
    half = rule_of(model, reach=0.5)
    assert {*rule.literals} <= {*half.literals}
    assert half.highest >= 1.0


def test_a_rule_is_not_made_of_scaled_rows() -> None:
    learner = th.AROW(3, bias=True, scaling="l2")
    with pytest.raises(ExportError, match="scales its rows"):
        rule_of(Model(learner=learner))


def test_a_learner_without_features_has_no_feature_that_decides() -> None:
    learner = th.Perceptron(bias=True)
    learner.learn([{}], [-1])
    assert rule_of(Model(learner=learner)).literals == ()
