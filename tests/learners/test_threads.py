"""One writer, many readers: every answer is that of a learner between two batches."""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.learners.makers import MAKERS, Maker, stream
from thresher.errors import BusyLearnerError
from thresher.streams import Rows

LIMIT = 20.0  # seconds after which a thread counts as stuck


def finish(threads: list[threading.Thread]) -> None:
    for thread in threads:
        thread.join(LIMIT)
    assert not any(thread.is_alive() for thread in threads)


def start(*work: Callable[[], None]) -> list[threading.Thread]:
    threads = [threading.Thread(target=task, daemon=True) for task in work]
    for thread in threads:
        thread.start()
    return threads


@pytest.mark.parametrize(
    "make",
    [lambda: th.Perceptron(200), lambda: th.Winnow(200), lambda: th.SignedWinnow(200, eta=0.1)],
    ids=["perceptron", "winnow", "signed"],
)
def test_readers_see_the_learner_between_two_batches(make: Any) -> None:
    generator = np.random.default_rng(1)
    X = (generator.random((3000, 200)) < 0.2).astype(float)
    y = generator.choice([-1, 1], 3000)
    batches = [(Rows.of(X[a : a + 300]), y[a : a + 300]) for a in range(0, 3000, 300)]
    probe = Rows.of(X[:400])
    model, allowed = make(), set()
    allowed.add(model.scores(probe).tobytes())
    for rows, labels in batches:
        model.learn(rows, labels)
        allowed.add(model.scores(probe).tobytes())
    learner, seen, states, done = make(), [], [], threading.Event()

    def read() -> None:
        while not done.is_set():
            seen.append(learner.scores(probe).tobytes())

    def look() -> None:
        while not done.is_set():
            states.append(pickle.loads(pickle.dumps(learner)))
            assert len(learner.journal) >= 0
            time.sleep(0.001)

    def write() -> None:
        for rows, labels in batches:
            learner.learn(rows, labels)
            time.sleep(0.002)
        done.set()

    finish(start(read, read, read, look, write))
    assert set(seen) <= allowed
    assert learner == model
    for state in states:
        assert state.scores(probe).tobytes() in allowed
        assert state.n_rounds % 300 == 0
        assert len(state.journal) == state.mistakes


@pytest.mark.parametrize("maker", [m for m in MAKERS if m.linear], ids=str)
def test_scores_do_not_depend_on_how_many_threads_share_the_rows(maker: Maker) -> None:
    learner, (X, y) = maker.make(), stream(maker, 300)
    learner.learn(X, y)
    alone = learner.scores(X)
    for threads in (2, 3, 7):
        learner.threads = threads
        assert learner.scores(X).tobytes() == alone.tobytes()
        assert learner.predict(X).tolist() == np.where(alone >= learner.threshold, 1, -1).tolist()


@pytest.mark.parametrize(
    "base", [th.Committee(30), th.AROW(30, bias=True), th.Calibrated(th.Perceptron(30))], ids=str
)
def test_scores_of_classes_do_not_depend_on_how_many_threads_share_them(base: Any) -> None:
    X = np.random.default_rng(5).normal(size=(900, 30))
    learner = th.OneVersusRest(base)
    learner.learn(X, ["red", "green", "blue"] * 300)
    alone = learner.scores(X)
    for threads in (2, 3, 7):
        learner.threads = threads
        assert learner.scores(X).tobytes() == alone.tobytes()


class Asking:
    """What is no number, and can become one."""

    def __init__(self, ask: Callable[[], object]) -> None:
        self.ask = ask

    def __float__(self) -> float:
        self.ask()
        return 1.0


ASKED = [
    lambda: th.Perceptron(4),
    lambda: th.AROW(),
    lambda: th.Winnow(4),
    lambda: th.Committee(),
    lambda: th.MulticlassPerceptron(),
    lambda: th.OneVersusRest(th.Perceptron()),
    lambda: th.OneVersusRest(th.Committee()),
    lambda: th.Calibrated(th.Perceptron(4)),
]


@pytest.mark.parametrize("make", ASKED)
@pytest.mark.parametrize("question", ["predict_one", "learn_one", "copy"])
@pytest.mark.parametrize("way", ["learn_one", "learn"])
def test_a_value_that_asks_the_learner_it_is_learned_by_is_refused(
    make: Callable[[], Any], question: str, way: str
) -> None:
    learner = make()
    learner.learn_one({0: 1.0}, 1)
    before, said = learner.copy(), []
    ask = {
        "predict_one": lambda: learner.predict_one({0: 1.0}),
        "learn_one": lambda: learner.learn_one({0: 1.0}, 1),
        "copy": lambda: learner.copy(),
    }[question]

    def work() -> None:
        row: Any = {0: 1.0, 1: Asking(ask)}
        try:
            if way == "learn_one":
                learner.learn_one(row, -1)
            else:
                learner.learn([{0: 1.0}, row], [1, -1])
        except BusyLearnerError as error:
            said.append(str(error))

    finish(start(work))
    assert len(said) == 1
    assert "plain numbers" in said[0]
    assert learner == before
    learner.learn_one({0: 1.0}, -1)


@pytest.mark.parametrize("make", ASKED)
@pytest.mark.parametrize("question", ["predict_one", "learn_one"])
def test_a_value_may_ask_the_learner_that_only_scores_it(
    make: Callable[[], Any], question: str
) -> None:
    learner, found = make(), []
    learner.learn_one({0: 1.0}, 1)
    ask = {
        "predict_one": lambda: learner.predict_one({0: 1.0}),
        "learn_one": lambda: learner.learn_one({0: 1.0}, 1),
    }[question]
    finish(start(lambda: found.append(learner.predict_one({1: Asking(ask)}))))
    if learner.gives_probabilities:
        finish(start(lambda: found.append(learner.probabilities_one({1: Asking(ask)}))))
    assert len(found) == 1 + learner.gives_probabilities


def test_a_crowd_of_readers_does_not_keep_the_writer_waiting() -> None:
    X = Rows.of((np.random.default_rng(0).random((5000, 300)) < 0.2).astype(float))
    learner, done = th.Perceptron(300), threading.Event()

    def read() -> None:
        while not done.is_set():
            learner.scores(X)

    readers = start(*[read] * 4)
    began = time.monotonic()

    def write() -> None:
        for _ in range(5):
            learner.learn_one({0: 1.0}, -1)

    finish(start(write))
    waited = time.monotonic() - began
    done.set()
    finish(readers)
    assert learner.n_rounds == 5
    assert waited < LIMIT / 2


def test_a_busy_writer_does_not_keep_the_readers_waiting() -> None:
    X = Rows.of((np.random.default_rng(0).random((3000, 300)) < 0.2).astype(float))
    learner, done = th.Perceptron(300), threading.Event()
    labels = np.tile([1, -1], 1500)

    def write() -> None:
        while not done.is_set():
            learner.learn(X, labels)

    writers = start(write, write)
    answers = [learner.predict_one({0: 1.0}) for _ in range(5)]
    done.set()
    finish(writers)
    assert len(answers) == 5


def test_writers_take_turns_and_lose_nothing() -> None:
    learner = th.Perceptron(3, names=th.Vocabulary())

    def write(word: str) -> Callable[[], None]:
        def learn() -> None:
            for _ in range(300):
                learner.learn_one({word: 1.0}, 1)
                learner.learn([{word: 1.0}], [-1])

        return learn

    finish(start(write("a"), write("b"), write("c")))
    assert learner.n_rounds == 1800
    assert sorted(learner.vocabulary) == ["a", "b", "c"]
    assert len(learner.journal) == learner.mistakes


def test_rows_may_ask_the_learner_that_is_about_to_learn_them() -> None:
    learner = th.Perceptron(2)
    labels: list[int] = []

    def contrary() -> Any:
        for row in ({0: 1.0}, {1: 1.0}):
            labels.append(-learner.predict_one(row))
            yield row

    def learn() -> None:
        rows = list(contrary())
        learner.learn((row for row in rows if learner.predict_one(row)), iter(labels))

    finish(start(learn))
    assert learner.mistakes == 2


def test_a_turn_ends_even_if_it_failed() -> None:
    learner = th.Winnow(2)
    for _ in range(3):
        with pytest.raises(ValueError, match="needs features"):
            learner.learn([[2.0, 0.0]], [1])
        with pytest.raises(ValueError, match="needs features"):
            learner.predict([[2.0, 0.0]])
        with pytest.raises(ValueError, match="needs features"):
            learner.learn_one({0: 2.0}, 1)
        with pytest.raises(ValueError, match="needs features"):
            learner.predict_one({0: 2.0})

    def learn() -> None:
        learner.learn([[1.0, 0.0]], [1])

    finish(start(learn))
    assert learner.n_rounds == 1
