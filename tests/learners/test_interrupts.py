"""What several learners do together is done by all of them or by none."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import thresher as th
from thresher.learners.base.linear_learner import LinearLearner
from thresher.learners.base.uninterrupted import Uninterrupted

X = (np.random.default_rng(3).random((40, 8)) < 0.4).astype(float)
Y = [("red", "green", "blue")[n % 3] for n in range(40)]
BASES = [th.Perceptron(8), th.AROW(8, bias=True), th.Calibrated(th.Perceptron(8))]


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
