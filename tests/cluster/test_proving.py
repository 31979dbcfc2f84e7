"""Certificates of combined runs, and verdicts with the rows on workers."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.cluster.data import N_FEATURES, rows, written
from thresher.cluster import certify, train, verify
from thresher.cluster.engine import InProcess
from thresher.cluster.events import EpochFinished
from thresher.errors import (
    ClusterError,
    LabelError,
    NotCertifiableError,
    RunMismatchError,
    ThresherError,
)
from thresher.models.file import load_model
from thresher.verifier import Certificate, Verdict, read_svmlight

SETTINGS: dict[str, Any] = {"n_features": N_FEATURES}
LEARNERS = ["perceptron", "winnow:threshold=8", "p_norm_perceptron:p=3", "arow", "adagrad"]


def combined(files: str, learner: str | None = "perceptron", **more: Any) -> th.Model:
    return train(files, learner, **{"shards": 4, "epochs": 3, **SETTINGS, **more})


def here(certificate: Certificate, folder: Path, **more: Any) -> Verdict:
    """The verdict of one machine."""
    files = sorted(map(str, folder.glob("part-*.svm*")))
    return th.verify(certificate, read_svmlight(files, n_columns=N_FEATURES), **more)


@pytest.mark.parametrize("learner", LEARNERS)
def test_workers_change_neither_the_certificate_nor_the_verdict(
    tmp_path: Path, learner: str | None
) -> None:
    files = written(tmp_path, 100, 80)
    model = combined(files, learner)
    certificate = certify(model, files)
    assert certificate == certify(model, files, client=InProcess(seed=5))
    assert certificate.learner == model.learner.name
    alone = here(certificate, tmp_path, model=model.learner)
    for reader in ("own", "streams"):
        verdict = verify(certificate, files, model=model, reader=reader, client=InProcess(seed=1))
        assert verdict == alone
    assert alone.holds


def lies(certificate: Certificate) -> Iterator[Certificate]:
    """Certificates that are not so, and carry the seal that belongs to them."""
    mixing = certificate.mixing
    assert mixing is not None
    counts = [list(epoch) for epoch in mixing.mistakes]
    counts[1][2] += 1
    said = tuple(map(tuple, counts))
    yield replace(certificate, mistakes=certificate.mistakes - 1).resealed()
    yield replace(certificate, mixing=replace(mixing, mistakes=said)).resealed()
    yield replace(certificate, mixing=replace(mixing, states=mixing.states[::-1])).resealed()
    yield replace(certificate, mixing=replace(mixing, rounds=mixing.rounds[::-1])).resealed()
    few = (*mixing.rounds[:-1], mixing.rounds[-1] - 1)
    yield replace(certificate, mixing=replace(mixing, rounds=few)).resealed()
    yield replace(certificate, mistaken_rounds="").resealed()
    yield replace(certificate, bounds=certificate.bounds[:0]).resealed()
    yield replace(certificate, witness=None).resealed()
    yield replace(certificate, seal="0" * 64)


def test_a_lie_is_found_out_by_workers_in_the_same_words(tmp_path: Path) -> None:
    files = written(tmp_path, 200, 160, noise=0.0)
    certificate = certify(combined(files), files)
    assert certificate.bounds
    for lie in lies(certificate):
        alone, apart = here(lie, tmp_path), verify(lie, files)
        assert str(apart) == str(alone)
        assert alone.status == "does not hold"


def test_data_that_was_changed_is_found_out_in_the_same_words(tmp_path: Path) -> None:
    files = written(tmp_path, 100, 80)
    certificate = certify(combined(files), files)
    part = tmp_path / "part-0.svm"
    lines = part.read_text().splitlines(keepends=True)
    for other in (
        [lines[1], lines[0], *lines[2:]],
        lines[1:],
        [*lines, lines[0]],
        [("0" if lines[0][0] == "1" else "1") + lines[0][1:], *lines[1:]],
    ):
        part.write_text("".join(other))
        alone = here(certificate, tmp_path)
        assert str(verify(certificate, files)) == str(alone)
        assert alone.same_data is False


def test_it_does_not_matter_into_which_files_the_rows_are_cut(tmp_path: Path) -> None:
    files = written(tmp_path, 100, 80)
    certificate = certify(combined(files), files)
    apart = tmp_path / "apart"
    apart.mkdir()
    text = b"".join(path.read_bytes() for path in sorted(tmp_path.glob("part-*.svm")))
    lines = text.splitlines(keepends=True)
    for number, first in enumerate(range(0, 180, 37)):
        with gzip.open(apart / f"part-{number}.svm.gz", "wb") as file:
            file.write(b"".join(lines[first : first + 37]))
    whole = tmp_path / "whole.svm"
    # Lines that are no rows move the places of all others.
    whole.write_bytes(b"# a comment\n" * 500 + text)
    alone = here(certificate, tmp_path)
    assert alone.holds
    assert verify(certificate, apart / "part-*.svm.gz") == alone
    assert verify(certificate, whole) == alone
    assert verify(certificate, whole, reader="streams", **SETTINGS) == alone


@pytest.mark.parametrize("learner", ["perceptron", "winnow:threshold=8", "arow", None])
@pytest.mark.parametrize("reader", ["own", "streams"])
def test_a_run_of_one_machine_is_verified_by_workers(
    tmp_path: Path, learner: str | None, reader: str
) -> None:
    files = written(tmp_path, 900, 600)
    model = th.train(files, learner, **SETTINGS)
    plain = read_svmlight(sorted(map(str, tmp_path.glob("part-*.svm"))), n_columns=N_FEATURES)
    certificate = th.certify(model.learner, plain)
    alone = here(certificate, tmp_path)
    assert alone.holds
    settings = {"reader": reader, "shards": 7, **SETTINGS}
    for client in (Wide(3), Wide(16), None):
        assert verify(certificate, files, client=client, **settings) == alone
    lie = replace(certificate, mistakes=certificate.mistakes + 1).resealed()
    assert str(verify(lie, files, client=Wide(3), **settings)) == str(here(lie, tmp_path))


class Wide(InProcess):
    """Runs tasks here, and says that it has so many workers; counts what was asked of them."""

    def __init__(self, width: int) -> None:
        super().__init__(seed=width)
        self.width = width
        self.asked: list[str] = []

    def submit(self, name: str, function: Callable[..., Any], *args: Any) -> Any:
        self.asked += [one.__name__ for one in (function, *args) if callable(one)]
        return super().submit(name, function, *args)


def test_ranges_are_played_by_workers_from_the_mistakes_before_them(tmp_path: Path) -> None:
    files = written(tmp_path, 900, 600)
    model = th.train(files, "perceptron", **SETTINGS)
    plain = read_svmlight(sorted(map(str, tmp_path.glob("part-*.svm"))), n_columns=N_FEATURES)
    certificate = th.certify(model.learner, plain)
    engine = Wide(3)
    assert verify(certificate, files, client=engine, shards=6).holds
    assert engine.asked.count("range_as_claimed") == 3
    listed = th.certify(th.train(files, "arow", **SETTINGS).learner, plain)
    engine = Wide(3)
    assert verify(listed, files, client=engine).holds
    assert "range_as_claimed" not in engine.asked


def test_all_epochs_of_all_shards_are_asked_at_once(tmp_path: Path) -> None:
    files = written(tmp_path, 100, 80)
    certificate = certify(combined(files, epochs=9), files)
    engine = Wide(2)
    assert verify(certificate, files, client=engine).holds
    # Not a task for each epoch: nobody waits for the epoch before.
    assert engine.asked.count("is_as_claimed") == 4
    assert "play" not in engine.asked
    engine = Wide(2)
    assert verify(replace(certificate, mistaken_rounds=None).resealed(), files, client=engine).holds
    assert engine.asked.count("play") == 4 * 9


def test_several_classes_are_verified_by_workers(tmp_path: Path) -> None:
    path = tmp_path / "many.svm"
    lines = [f"{'abc'[n % 3]}{line[1:]}\n" for n, line in enumerate(rows(1200, 3))]
    path.write_text("".join(lines))
    model = th.train(path, "multiclass_perceptron", multiclass=True, **SETTINGS)
    plain = read_svmlight([str(path)])
    names = [plain.label_names[n] for n in plain.label_number]
    X = np.zeros((1200, N_FEATURES))
    X[np.repeat(np.arange(1200), np.diff(plain.row_start)), plain.column] = plain.value
    certificate = th.certify(model.learner, X, names)
    assert certificate.classes == ("a", "b", "c")
    assert str(verify(certificate, path, shards=3)) == str(th.verify(certificate, plain))
    assert verify(certificate, path, shards=3).holds
    assert verify(certificate, path, shards=3, reader="streams", **SETTINGS).holds
    path.write_text("".join([*lines[:700], "d 0:1\n", *lines[700:]]))
    with pytest.raises(LabelError, match=r"many\.svm:701: found the label 'd', which is no class"):
        verify(certificate, path, shards=5)


def test_other_formats_are_verified_as_they_were_trained(tmp_path: Path) -> None:
    lines = [line.replace(":1", "").split() for line in rows(120, 4)]
    for number in range(2):
        part = lines[60 * number : 60 * number + 60]
        text = "".join(f"{2 * int(y) - 1} | {' '.join(f'w{x}' for x in xs)}\n" for y, *xs in part)
        (tmp_path / f"mail-{number}.vw").write_text(text)
    files = tmp_path / "mail-*.vw"
    settings: dict[str, Any] = {"n_features": 1 << 12}
    model = train(files, "perceptron", shards=3, epochs=2, **settings)
    certificate = certify(model, files)
    assert certificate == certify(model, files, client=Wide(2))
    assert verify(certificate, files, model=model, **settings).holds
    assert not verify(certificate, files, n_features=1 << 11).holds


def refusal(work: Callable[[], Any]) -> ThresherError:
    with pytest.raises(ThresherError) as caught:
        work()
    return caught.value


@pytest.mark.parametrize(
    "line", ["1 0:1:1\n", "2 0:1\n", "maybe 3:1\n", "1 0:x\n", "\xff\n", "1 999:1\n"]
)
def test_a_bad_line_is_refused_as_on_one_machine(tmp_path: Path, line: str) -> None:
    # What labels mean is settled by the first thousand.
    files = written(tmp_path, 1000, 80)
    certificate = certify(combined(files, "arow", shards=12), files)
    part = tmp_path / "part-1.svm"
    lines = part.read_text().splitlines(keepends=True)
    part.write_bytes("".join([*lines[:63], line, *lines[63:]]).encode("latin-1"))
    alone = refusal(lambda: here(certificate, tmp_path))
    apart = refusal(lambda: verify(certificate, files, **SETTINGS))
    assert (str(apart), type(apart)) == (str(alone), type(alone))
    assert "part-1.svm:64" in str(apart)


def test_labels_mean_what_the_first_rows_of_all_say(tmp_path: Path) -> None:
    """A shard that has but one label, or the pair of labels turned round, is read like the rest."""
    path = tmp_path / "part-0.svm"
    body = [line[2:] for line in rows(200, 5)]
    labels = ["ham"] * 60 + ["spam", "ham"] * 40 + ["spam"] * 60
    path.write_text("".join(f"{y} {x}\n" for y, x in zip(labels, body, strict=True)))
    model = combined(str(path))
    certificate = certify(model, path)
    assert certificate.positives == 100
    alone = here(certificate, tmp_path)
    assert alone.holds
    assert verify(certificate, path) == verify(certificate, path, reader="streams") == alone
    assert verify(certificate, path, positive="spam") == alone
    assert verify(certificate, path, positive="ham").same_data is False


def test_a_run_that_was_interrupted_and_resumed_is_certified(tmp_path: Path) -> None:
    files, path = written(tmp_path, 100, 80), tmp_path / "m.thr"

    def stop(event: Any) -> None:
        if isinstance(event, EpochFinished) and event.epoch == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        combined(files, epochs=4, save_to=path, on_event=stop)
    whole = combined(files, epochs=4)
    half = certify(path, files)
    assert half.mixing is not None
    assert half.mixing.epochs == 1
    assert verify(half, files, model=load_model(path)).holds
    resumed = combined(files, None, epochs=4, resume=path)
    certificate = certify(resumed, files)
    assert certificate == certify(whole, files)
    assert verify(certificate, files, model=whole).holds


def test_what_is_no_single_run_of_shards_is_refused(tmp_path: Path) -> None:
    files, path = written(tmp_path, 60, 40), tmp_path / "m.thr"
    alone = th.train(files, "perceptron", **SETTINGS)
    with pytest.raises(NotCertifiableError, match=r"thresher\.certify is for it"):
        certify(alone, files)
    combined(files, save_to=path)
    further = combined(files, None, resume=path)
    with pytest.raises(NotCertifiableError, match="trained 2 times"):
        certify(further, files)
    with pytest.raises(RunMismatchError):
        certify(path, tmp_path / "part-0.svm")
    (tmp_path / "part-0.svm").write_text("".join(f"{line}\n" for line in rows(60, 9)))
    with pytest.raises(RunMismatchError, match="epoch 1"):
        certify(path, files)


def test_rows_with_an_importance_have_no_certificate(tmp_path: Path) -> None:
    path = tmp_path / "a.vw"
    path.write_text("1 2.5 | a b\n-1 | b\n" * 10)
    model = train(path, "perceptron", shards=2, n_features=64)
    with pytest.raises(NotCertifiableError, match="count more than others"):
        certify(model, path)


class Changing(InProcess):
    """Runs tasks here; after so many questions somebody else writes to a file."""

    def __init__(self, after: int, change: Callable[[], object]) -> None:
        super().__init__()
        self._after, self._change = after, change

    def gather(self, tasks: Sequence[Any], seconds: float) -> Iterator[tuple[int, Any]]:
        self._after -= 1
        if self._after == 0:
            self._change()
        return super().gather(tasks, seconds)


@pytest.mark.parametrize("after", [2, 3, 4, 5])
def test_a_file_that_changes_meanwhile_ends_the_check(tmp_path: Path, after: int) -> None:
    files = written(tmp_path, 100, 80)
    certificate = certify(combined(files), files)
    part = tmp_path / "part-1.svm"
    text = part.read_text()
    other = text.replace(" 3:1", " 3:2", 1)
    engine = Changing(after, lambda: part.write_text(other))
    if after == 2:
        # The first time that anybody looks at values.
        assert verify(certificate, files, client=engine).same_data is False
        return
    with pytest.raises(ClusterError, match="not those that were read before"):
        verify(certificate, files, client=engine)


def test_ranges_are_played_on_the_rows_that_were_digested(tmp_path: Path) -> None:
    """Who changes the data between two questions cannot have a lie confirmed."""
    files = written(tmp_path, 900, 600)
    plain = read_svmlight(sorted(map(str, tmp_path.glob("part-*.svm"))), n_columns=N_FEATURES)
    certificate = th.certify(th.train(files, "perceptron", **SETTINGS).learner, plain)
    part = tmp_path / "part-1.svm"
    other = part.read_text().replace(" 3:1", " 3:2", 1)
    engine = Changing(3, lambda: part.write_text(other))
    with pytest.raises(ClusterError, match="not those that were read before"):
        verify(certificate, files, client=engine)


def test_a_shard_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    files = written(tmp_path, 100, 80, 60)
    certificate = certify(combined(files, shards=3), files)
    for part in sorted(tmp_path.glob("part-*.svm")):
        part.write_bytes(gzip.compress(part.read_bytes()))
    damaged = tmp_path / "part-1.svm"
    cut_short = damaged.read_bytes()[:-20]
    engine = Changing(1, lambda: damaged.write_bytes(cut_short))
    with pytest.raises(ClusterError, match=r"shard 2 .*part-1\.svm.*cut short"):
        verify(certificate, files, client=engine)
