"""What people do by accident: files in the way, pipes, too many bad lines, too many workers."""

from __future__ import annotations

import os
import signal
import threading
import time
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import thresher as th
from tests.cluster.data import N_FEATURES, rows, written
from thresher.cluster import dask_engine, train
from thresher.cluster.dask_engine import DaskEngine, connected
from thresher.cluster.engine import InProcess
from thresher.cluster.scoring import ClusterPredictions
from thresher.errors import ClusterError, RequestError, SourceError
from thresher.models.events import Warned
from thresher.models.file import model_bytes
from thresher.models.input_data import InputData

MANY = 10_500


def with_bad_lines(folder: Path, name: str) -> str:
    text = "".join(f"{line}\n" for line in rows(20, 0)) + "1 what\n" * MANY
    (folder / name).write_text(text)
    return str(folder / name)


def test_more_bad_lines_than_are_sent_back_are_counted(tmp_path: Path) -> None:
    events: list[Any] = []
    asked: dict[str, Any] = {"on_bad": "skip", "max_bad": MANY, "n_features": N_FEATURES}
    train(with_bad_lines(tmp_path, "a.svm"), "perceptron", on_event=events.append, **asked)
    said = [event.text for event in events if isinstance(event, Warned)]
    assert len(said) == 1
    assert said[0].startswith(f"{MANY} bad lines were skipped")


def test_bad_lines_that_are_not_sent_back_can_be_too_many(tmp_path: Path) -> None:
    files = [with_bad_lines(tmp_path, name) for name in ("a.svm", "b.svm")]
    asked: dict[str, Any] = {"on_bad": "skip", "max_bad": 2 * MANY - 1, "n_features": N_FEATURES}
    with pytest.raises(ClusterError, match=r"21,000 bad lines or more.*at most 20,999.*b\.svm:21"):
        train(files, "perceptron", shards=2, **asked)
    with pytest.raises(th.errors.BadLineError, match="bad line number 21000"):
        th.train(files, "perceptron", **asked)


def test_counterexamples_are_not_written_over_an_input(tmp_path: Path) -> None:
    given = tmp_path / "m.examples.svm"
    given.write_text("".join(f"{line}\n" for line in rows(40, 0, noise=0.0)))
    before, other = given.read_bytes(), written(tmp_path, 60, noise=0.0)
    with pytest.raises(RequestError, match=r"m\.examples\.svm: .* one of the inputs"):
        train(
            [str(given), other],
            "perceptron",
            n_features=N_FEATURES,
            mode="counterexamples",
            save_to=tmp_path / "m.thr",
        )
    assert given.read_bytes() == before
    assert not (tmp_path / "m.thr").exists()


def test_a_carriage_return_in_a_line_does_not_end_it_when_a_search_goes_on(tmp_path: Path) -> None:
    file, path = tmp_path / "a.svm", tmp_path / "m.thr"
    text = "".join(f"{line} # a\rb\n" for line in rows(60, 0, noise=0.0))
    file.write_bytes(text.encode())
    asked: dict[str, Any] = {"n_features": N_FEATURES, "shards": 2, "mode": "counterexamples"}
    whole = train(file, "perceptron", save_to=path, **asked)
    examples = (tmp_path / "m.examples.svm").read_bytes()
    path.unlink()

    def lose(event: Any) -> None:
        if type(event).__name__ == "Saved":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(file, "perceptron", save_to=path, on_event=lose, **asked)
    gone_on = train(file, "perceptron", save_to=path, resume=path, **asked)
    assert model_bytes(gone_on) == model_bytes(whole)
    assert (tmp_path / "m.examples.svm").read_bytes() == examples


@pytest.mark.parametrize("mode", ["mixing", "exact", "counterexamples"])
def test_nobody_waits_for_the_end_of_a_pipe_that_workers_cannot_read(
    tmp_path: Path, mode: Any
) -> None:
    pipe = tmp_path / "pipe.svm"
    os.mkfifo(pipe)
    # Were it opened, this would wait for a writer for ever.
    with pytest.raises(SourceError, match="workers read files, and this is none"):
        train(pipe, "perceptron", mode=mode)
    model = th.train(written(tmp_path, 20), "perceptron", n_features=N_FEATURES)
    with pytest.raises(SourceError, match="workers read files, and this is none"):
        ClusterPredictions(model, InputData(paths=(str(pipe),)), InProcess(), repr)  # type: ignore[arg-type]


def test_more_workers_than_go_into_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_engine, "free_memory", lambda: 1_000_000_000)
    with pytest.raises(ClusterError, match=r"1000 workers take about 100\.0 GB.* 1\.0 GB are free"):
        connected("local:1000")
    connected("local:10").close()
    # Where nobody knows how much there is, nobody is refused.
    monkeypatch.setattr(dask_engine, "free_memory", lambda: 0)
    connected("local:1000").close()


def test_workers_that_hang_while_they_are_started_are_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[Any] = []

    def hangs(distributed: Any, n_workers: int) -> None:
        del distributed, n_workers
        begun.append(get_context("spawn").Process(target=time.sleep, args=(600,)))
        begun[0].start()
        threading.Event().wait(600)

    monkeypatch.setattr(dask_engine, "_started_here", hangs)
    monkeypatch.setattr(dask_engine, "STARTING", 0.5)
    engine = connected("local:1")
    with pytest.raises(ClusterError, match=r"no workers could be started.*within 3 seconds"):
        _ = engine.width
    begun[0].join(30)
    assert begun[0].exitcode == -signal.SIGKILL
    engine.close()


def test_an_interrupt_waits_until_workers_are_ended() -> None:
    closed = []

    class Slow:
        def close(self, timeout: float) -> None:
            del timeout
            signal.pthread_kill(threading.get_ident(), signal.SIGINT)
            closed.append(self)

    engine = DaskEngine(lambda: (), elsewhere=False)
    engine._started = (Slow(), Slow())
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            engine.close()
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(closed) == 2
