from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from thresher.models.scorecard import MOST_RANKED, Scorecard

ROWS = st.lists(
    st.tuples(st.sampled_from([-2.0, -1.0, -0.5, 0.5, 1.0, 2.0]), st.integers(0, 1)), max_size=30
)


@given(ROWS)
def test_two_classes_with_a_score_for_each_give_the_same_card(
    rows: list[tuple[float, int]],
) -> None:
    scores = np.array([score for score, _ in rows])
    given_ = np.array([label for _, label in rows], np.int64)
    said = (scores >= 0).astype(np.int32)
    two, several = Scorecard(("no", "yes")), Scorecard(("no", "yes"), several=True)
    two.add(scores, said, given_)
    several.add(np.stack((-scores, scores), axis=1), said, given_)
    assert two.counts == several.counts
    assert two.figures() == several.figures()
    assert two.macro() == several.macro()
    assert two.areas() == several.areas()
    assert (two.area, two.error, two.mistakes) == (several.area, several.error, several.mistakes)
    met = {pair: n for pair, n in two.confusion.items() if n}
    assert met == several.confusion
    assert two.mistakes == sum(n for *_, n in several.mix_ups())


def test_a_card_counts_across_batches_as_in_one() -> None:
    rng = np.random.default_rng(3)
    scores = rng.integers(0, 4, (50, 3)).astype(float)
    said = np.argmax(scores, axis=1)
    labels = rng.choice(["a", "b", "c", "new"], 50).tolist()
    whole, parts = (Scorecard("abc", several=True) for _ in range(2))
    whole.add(scores, said, np.array([whole.number_of(label) for label in labels]))
    for first in range(0, 50, 7):
        here = slice(first, first + 7)
        number = np.array([parts.number_of(label) for label in labels[here]])
        parts.add(scores[here], said[here], number)
    assert whole.counts == parts.counts
    assert whole.areas() == parts.areas()
    assert whole.mix_ups() == parts.mix_ups()
    for label in whole.names:
        for prediction in "abc":
            both = [
                (a, "abc"[b]) == (label, prediction)
                for a, b in zip(labels, said.tolist(), strict=True)
            ]
            assert whole.confusion.get((label, prediction), 0) == sum(both)
    counted = [rows for _, _, rows in whole.mix_ups()]
    assert counted == sorted(counted, reverse=True)


def test_means_are_over_labels_that_were_met() -> None:
    card = Scorecard("abc", several=True)
    card.add(np.eye(3)[[0, 1]], np.array([0, 1]), np.array([0, 0]))
    # Of a: precision 1, recall 1/2. Of b, which was only predicted: 0, and nothing to recall.
    assert (card.macro().precision, card.macro().recall) == (0.5, 0.25)


def test_two_classes_show_all_four_counts_even_of_nothing() -> None:
    card = Scorecard.of(th.Model(learner=th.Winnow(n_features=2)))
    assert card.confusion == {(a, b): 0 for a in ("-1", "+1") for b in ("-1", "+1")}
    assert (card.rows, card.error, card.area) == (0, None, None)
    assert repr(card) == "Scorecard(0 rows, 0 mistakes)"


def test_a_model_without_classes_is_wrong_and_says_nothing() -> None:
    card = Scorecard.of(th.Model(learner=th.OneVersusRest(th.Perceptron(n_features=2))))
    card.add(np.empty((2, 0)), np.full(2, -1, np.int32), np.full(2, card.number_of("new")))
    assert card.confusion == {("new", None): 2}
    assert (card.error, card.unseen, card.areas()) == (1.0, ["new"], [])


def test_scores_that_rank_nothing_have_no_area() -> None:
    joint = th.Model(learner=th.MulticlassPerceptron(n_features=2))
    joint.learner.learn([[1, 0], [0, 1]], ["a", "b"])
    assert Scorecard.of(joint).areas() == []
    many = Scorecard(range(MOST_RANKED + 1), several=True)
    many.add(np.zeros((1, MOST_RANKED + 1)), np.zeros(1, np.int32), np.zeros(1, np.int64))
    assert (many.areas(), many.area) == ([], None)
    assert {one["area_under_roc"] for one in many.to_dict()["labels"]} == {None}
