"""What several learners do together is done by all of them or by none."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

import thresher as th
from thresher.learners.base.linear_learner import LinearLearner
from thresher.learners.base.multiclass_journal import MulticlassJournalBuffer
from thresher.learners.base.uninterrupted import Uninterrupted
from thresher.learners.multiclass import side_by_side
from thresher.streams.crew import at_once

X = (np.random.default_rng(3).random((40, 8)) < 0.4).astype(float)
Y = [("red", "green", "blue")[n % 3] for n in range(40)]
BASES = [th.Perceptron(8), th.AROW(8, bias=True), th.Calibrated(th.Perceptron(8))]


class Interrupting:
    """Let Ctrl-C come when the committees of all classes begin."""

    def __enter__(self) -> None:
        def interrupting(*given: Any) -> Any:
            signal.raise_signal(signal.SIGINT)
            return at_once(*given)

        self._patch = patch.object(side_by_side, "at_once", interrupting)
        self._patch.start()

    def __exit__(self, *_: object) -> None:
        self._patch.stop()


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, int], None]]:
    """Let Ctrl-C come after a method of two-class learners has been called so often."""

    def arrange(method: str, calls: int) -> None:
        plain, left = getattr(LinearLearner, method), [calls]

        def interrupting(self: LinearLearner, *given: Any, **options: Any) -> Any:
            found = plain(self, *given, **options)
            left[0] -= 1
            if left[0] == 0:
                signal.raise_signal(signal.SIGINT)
            return found

        monkeypatch.setattr(LinearLearner, method, interrupting)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield arrange
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("base", BASES, ids=repr)
@pytest.mark.parametrize("calls", [1, 2, 3, 4])
@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_lets_every_class_finish_the_batch(
    base: Any, calls: int, threads: int, interrupted: Callable[[str, int], None]
) -> None:
    whole, learner = th.OneVersusRest(base), th.OneVersusRest(base)
    whole.learn(X[:20], Y[:20])
    whole.learn(np.tile(X, (10, 1)), Y * 10)
    learner.learn(X[:20], Y[:20])
    learner.threads = threads
    interrupted("learn", calls)
    with pytest.raises(KeyboardInterrupt):
        learner.learn(np.tile(X, (10, 1)), Y * 10)
    assert learner == whole
    assert learner.mistakes == whole.mistakes
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("base", BASES, ids=repr)
@pytest.mark.parametrize("calls", [1, 2, 4])
def test_an_interrupt_lets_every_class_finish_the_row(
    base: Any, calls: int, interrupted: Callable[[str, int], None]
) -> None:
    whole, learner = th.OneVersusRest(base), th.OneVersusRest(base)
    for one in (whole, learner):
        one.learn(X[:20], Y[:20])
    whole.learn_one({0: 1.0, 3: 1.0}, "red")
    interrupted("_score_of_round", calls)
    with pytest.raises(KeyboardInterrupt):
        learner.learn_one({0: 1.0, 3: 1.0}, "red")
    assert learner == whole


def test_an_interrupt_lets_the_calibration_follow(
    interrupted: Callable[[str, int], None],
) -> None:
    whole, learner = (th.Calibrated(th.Perceptron(8)) for _ in range(2))
    signs = [1 if label == "red" else -1 for label in Y]
    whole.learn(X, signs)
    interrupted("learn", 1)
    with pytest.raises(KeyboardInterrupt):
        learner.learn(X, signs)
    assert learner == whole


def test_handlers_are_put_back_and_other_threads_have_none() -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        with Uninterrupted():
            signal.raise_signal(signal.SIGINT)
            assert heard == []
            with Uninterrupted():
                signal.raise_signal(signal.SIGINT)
        assert heard == [signal.SIGINT]
        other = threading.Thread(target=lambda: Uninterrupted().__enter__())
        mine = signal.getsignal(signal.SIGINT)
        other.start()
        other.join()
        assert signal.getsignal(signal.SIGINT) is mine
    finally:
        signal.signal(signal.SIGINT, before)


MEMORY_ENDS = """
import resource
import numpy as np
import thresher as th

column = np.tile(np.arange(500, dtype=np.int32), 20_000)
rows = th.Rows(np.arange(0, len(column) + 1, 500), column, np.ones(len(column)))
labels = [f"class {n % 6}" for n in range(len(rows))]
learner = th.OneVersusRest(th.Perceptron(**PARAMETERS), classes=sorted(set(labels)))
learner.learn(rows[:50], labels[:50])
before = learner.copy()
# A journal asks for 4 bytes a value, 40 MB for each of 7 learners.
held = next(int(line.split()[1]) for line in open("/proc/self/status") if "VmSize" in line)
limit = held * 1024 + ROOM
resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
try:
    learner.learn(rows, labels)
    outcome = "learned"
except MemoryError:
    outcome = "refused"
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)
print(outcome, learner == before)
"""


@pytest.mark.parametrize("parameters", ["n_features=500", ""])
@pytest.mark.parametrize(
    ("room", "outcome"), [(160 << 20, "refused True"), (2**31, "learned False")]
)
def test_where_memory_ends_no_class_has_learned(parameters: str, room: int, outcome: str) -> None:
    program = MEMORY_ENDS.replace("**PARAMETERS", parameters).replace("ROOM", str(room))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == outcome, done.stderr


EVERY_ROOM = """
import resource
import numpy as np
import thresher as th

column = np.tile(np.arange(40, dtype=np.int32), 5_000)
value = np.random.default_rng(1).normal(size=len(column))
rows = th.Rows(np.arange(0, len(column) + 1, 40), column, value)
labels = [f"class {n % 6}" for n in range(len(rows))]
start = MAKE
start.threads = THREADS
start.learn(rows[:50], labels[:50])
learned = start.copy()
learned.learn(rows, labels)
outcomes = {}
for room in (*range(1 << 20, 34 << 20, 3 << 19), 1 << 29):
    learner = start.copy()
    learner.threads = THREADS
    held = next(int(line.split()[1]) for line in open("/proc/self/status") if "VmSize" in line)
    resource.setrlimit(resource.RLIMIT_AS, (held * 1024 + room, resource.RLIM_INFINITY))
    try:
        learner.learn(rows, labels)
        outcome = "learned"
    except MemoryError:
        outcome = "refused"
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)
    assert learner == (learned if outcome == "learned" else start), (room, outcome)
    outcomes[outcome] = outcomes.get(outcome, 0) + 1
print(sorted(outcomes))
"""


@pytest.mark.long  # memory ends at every allocation, one after the other
@pytest.mark.parametrize(
    "make",
    [
        "th.OneVersusRest(th.Committee(40))",
        "th.OneVersusRest(th.AROW(40), classes=range(3))",
        "th.OneVersusRest(th.Calibrated(th.Perceptron(40)))",
        "th.MulticlassPerceptron()",
    ],
)
@pytest.mark.parametrize("threads", [1, 3])
def test_wherever_memory_ends_all_classes_have_learned_or_none(make: str, threads: int) -> None:
    program = EVERY_ROOM.replace("MAKE", make).replace("THREADS", str(threads))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "['learned', 'refused']", done.stderr


@pytest.mark.parametrize("way", ["learn", "learn_one"])
def test_an_interrupt_lets_the_journal_of_several_classes_follow(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, learner = th.MulticlassPerceptron(8), th.MulticlassPerceptron(8)
    play: Callable[[th.MulticlassPerceptron], object] = {
        "learn": lambda one: one.learn(X, Y),
        "learn_one": lambda one: one.learn_one({0: 1.0}, "red"),
    }[way]
    for one in (whole, learner):
        one.learn(X[:5], Y[:5])
        one.learn_one({0: 1.0}, "green")
    play(whole)
    method = {"learn": "append", "learn_one": "append_row"}[way]
    plain = getattr(MulticlassJournalBuffer, method)

    def interrupting(*given: Any) -> None:
        signal.raise_signal(signal.SIGINT)
        plain(*given)

    monkeypatch.setattr(MulticlassJournalBuffer, method, interrupting)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            play(learner)
    finally:
        signal.signal(signal.SIGINT, before)
    assert learner == whole
    assert len(learner.journal) == len(whole.journal)


def test_an_interrupt_lets_every_committee_finish_the_batch() -> None:
    whole, learner = (th.OneVersusRest(th.Committee(8)) for _ in range(2))
    rows, labels = np.tile(X, (20, 1)), Y * 20
    whole.learn(rows, labels)
    learner.threads = 2
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), Interrupting():
            learner.learn(rows, labels)
    finally:
        signal.signal(signal.SIGINT, before)
    assert learner == whole
