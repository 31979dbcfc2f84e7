"""What a model file promises, and what is refused."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors import safe_open

import thresher as th
from tests.learners.makers import MAKERS, Maker, stream
from tests.models.forging import forged, put_together, replaced, taken_apart
from thresher.errors import ModelFileError
from thresher.models.file import load_model, save_model
from thresher.models.history import Source, Training, data_digest
from thresher.models.model import Model
from thresher.names.kept import KeptNames
from thresher.streams.label_scheme import LabelScheme
from thresher.streams.recipe import NGrams, Recipe

HISTORY = (
    Training(
        command="thresher train a.svm -o model.thr",
        version="0.1.0",
        sources=(Source(name="a.svm", rows=7, n_bytes=99, sha256="ab" * 32, passes=2),),
    ),
    Training(version="0.2.0", sources=(Source(name="<stdin>", rows=3),), finished=False),
)


def trained(maker: Maker = MAKERS[0]) -> Any:
    learner = maker.make()
    learner.learn(*stream(maker))
    return learner


@pytest.fixture
def path(tmp_path: Path) -> Path:
    trained().save(tmp_path / "model.thr")
    return tmp_path / "model.thr"


def test_what_belongs_to_a_model_comes_back(tmp_path: Path) -> None:
    recipe = Recipe(format="text", text=NGrams(words=(1, 2), counts=True), numeric=("a", "b"))
    labels = LabelScheme.of("spam")
    model = Model(learner=trained(), recipe=recipe, labels=labels, history=HISTORY)
    digest = save_model(model, tmp_path / "model.thr")
    loaded = load_model(tmp_path / "model.thr")
    assert loaded.digest == digest
    assert (loaded.learner, loaded.recipe, loaded.history) == (model.learner, recipe, HISTORY)
    assert loaded.labels == labels
    assert loaded.label_names == ("not spam", "spam")


def test_names_that_survived_hashing_come_back_unless_nobody_wants_them(tmp_path: Path) -> None:
    learner = th.Perceptron(64)
    learner.learn([{"free": 1, "né": 2}, {"free": 1}], [-1, 1])
    model = Model(learner=learner)
    model.kept = KeptNames(model.name_table, limit=100)
    model.kept.add([["free", "né"], ["free"]])
    save_model(model, tmp_path / "model.thr")
    loaded = load_model(tmp_path / "model.thr")
    assert loaded.kept == model.kept
    assert loaded.names_of(learner.column_of("né") or 0) == ("né",)
    without = load_model(tmp_path / "model.thr", names=False)
    assert without.kept is None
    assert without.names_of(learner.column_of("né") or 0) == (str(learner.column_of("né")),)
    damaged = replaced(taken_apart(tmp_path / "model.thr")[0], ("kept", "updates"), "u1")
    put_together(tmp_path / "model.thr", damaged, taken_apart(tmp_path / "model.thr")[1])
    assert "cannot be used: kept: " in refused(tmp_path / "model.thr")


@pytest.mark.parametrize("maker", MAKERS, ids=str)
def test_the_same_model_gives_the_same_bytes(maker: Maker, tmp_path: Path) -> None:
    for name in ("one", "two"):
        trained(maker).save(tmp_path / name)
    th.load(tmp_path / "one").save(tmp_path / "three")
    one, two, three = (tmp_path.joinpath(name).read_bytes() for name in ("one", "two", "three"))
    assert one == two == three


def test_another_process_writes_the_same_bytes(path: Path, tmp_path: Path) -> None:
    script = "import sys, thresher as th; th.load(sys.argv[1]).save(sys.argv[2])"
    copy = tmp_path / "copy.thr"
    subprocess.run([sys.executable, "-c", script, str(path), str(copy)], check=True)
    assert copy.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("maker", MAKERS, ids=str)
def test_any_reader_of_safetensors_opens_the_file(maker: Maker, tmp_path: Path) -> None:
    learner = trained(maker)
    learner.save(tmp_path / "model.thr")
    with safe_open(tmp_path / "model.thr", framework="numpy") as file:
        description = json.loads(file.metadata()["thresher"])
        assert description["learner"]["name"] == learner.name
        by_slots = isinstance(learner, th.Committee)
        state = file.get_tensor("state.0.7" if by_slots else "state.0")
        rounds = file.get_tensor(
            "state.2.round_number" if not maker.linear else "state.3.round_number"
        )
    expected = learner.dual if maker.linear else learner._codes
    if isinstance(learner, th.Committee):
        # A line for each feature that was seen; the constant one is kept apart.
        seen = learner._engine.features()[2]
        expected = expected.reshape(-1, 16)[seen]
    assert np.array_equal(state.astype(expected.dtype), expected)
    assert rounds.tolist() == learner.journal.round_number.tolist()


def test_whole_duals_are_stored_in_one_byte_each(tmp_path: Path) -> None:
    learner = th.Perceptron(2**16).with_dual(np.arange(2**16) % 100)
    learner.save(tmp_path / "model.thr")
    assert 2**16 < (tmp_path / "model.thr").stat().st_size < 2**16 + 4096
    assert th.load(tmp_path / "model.thr") == learner


def test_a_zero_with_a_sign_keeps_it(tmp_path: Path) -> None:
    learner = th.Perceptron(3).with_dual([0.0, -0.0, 1.0])
    learner.save(tmp_path / "model.thr")
    assert np.signbit(th.load(tmp_path / "model.thr", th.Perceptron).dual).tolist() == [
        False,
        True,
        False,
    ]


def test_the_digest_of_the_data_is_about_bytes_and_order_and_not_about_names() -> None:
    one, two = HISTORY
    renamed = Training(
        version="9", sources=(Source(name="b", rows=7, n_bytes=99, sha256="ab" * 32, passes=2),)
    )
    assert data_digest([one]) == data_digest([renamed])
    assert len({data_digest(h) for h in ([], [one], [two], [one, two], [two, one])}) == 5
    both = Training(version="1", sources=one.sources + two.sources)
    assert data_digest([both]) == data_digest([one, two])


# ---- files that are refused --------------------------------------------------------------------


def refused(path: Path) -> str:
    with pytest.raises(ModelFileError) as caught:
        load_model(path)
    assert str(path) in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "this is not a thresher model: the file is empty"),
        (b"+1 1:1\n-1 2:1\n" * 9, "this is not a thresher model: it does not begin like one"),
        (b"\0", "this is not a thresher model"),
        (b'\x10\0\0\0\0\0\0\0{"__metadata__":{}}', "this is not a thresher model"),
        (b"\xff" * 8 + b'{"__metadata__":{"sha256":"', "its header would take"),
        (b"\xff\0\0\0\0\0\0\0" + b'{"__metadata__":{"sha256":"', "it ends after 35 of 263 bytes"),
    ],
)
def test_a_file_that_is_no_model_is_refused(tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "model.thr").write_bytes(content)
    assert says in refused(tmp_path / "model.thr")


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    assert refused(tmp_path / "none.thr").endswith("none.thr: there is no such file.")
    assert refused(tmp_path).endswith(": this is a folder, and a model is a file.")


def test_pipes_and_devices_are_refused_without_waiting_for_them(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "not from a pipe or a device" in refused(tmp_path / "pipe")
    assert "not from a pipe or a device" in refused(Path(os.devnull))


def test_a_safetensors_file_of_somebody_else_is_refused(tmp_path: Path) -> None:
    from safetensors.numpy import save_file  # noqa: PLC0415  (this test alone)

    save_file({"weight": np.ones(3)}, tmp_path / "other.safetensors", {"format": "np"})
    assert "this is not a thresher model" in refused(tmp_path / "other.safetensors")


def test_every_flipped_byte_is_noticed(path: Path) -> None:
    whole = path.read_bytes()
    for place in range(0, len(whole), 7):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        refused(path)
    path.write_bytes(whole)
    assert load_model(path).learner == trained()


def test_every_truncation_is_noticed(path: Path) -> None:
    whole = path.read_bytes()
    for size in range(0, len(whole), 11):
        path.write_bytes(whole[:size])
        assert "model" in refused(path)
    path.write_bytes(whole + b"\0")
    assert "1 bytes follow its end" in refused(path)


def test_a_newer_format_is_refused_with_what_to_do(path: Path) -> None:
    forged(path, lambda description, _: description.update(version=3))
    assert refused(path).endswith(
        "the model file has format 3, and this release reads formats up to 2. "
        "Upgrade thresher to load it."
    )


def test_a_learner_that_this_release_does_not_know_is_refused(path: Path) -> None:
    forged(path, lambda description, _: description["learner"].update(name="oracle"))
    assert "there is no learner called 'oracle'" in refused(path)


def test_memory_for_features_that_the_file_does_not_have_is_not_taken(path: Path) -> None:
    def claim(description: dict[str, Any], _: Any) -> None:
        description["learner"]["parameters"]["dict"]["n_features"] = 2**31 - 1

    forged(path, claim)
    assert "n_features is 2147483647, but no array has more than 6 entries" in refused(path)


@pytest.mark.parametrize(
    ("number", "hint"),
    [(errno.ENOSPC, "Make room, or save without the journal."), (errno.EACCES, "")],
)
def test_a_model_that_cannot_be_written_leaves_the_old_file(
    path: Path, monkeypatch: pytest.MonkeyPatch, number: int, hint: str
) -> None:
    old = path.read_bytes()

    def fails(*_: Any) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(ModelFileError) as caught:
        th.Winnow(3).save(path)
    reason = f"the model could not be written ({os.strerror(number)}); the old file is unchanged."
    assert str(caught.value) == f"{path}: {reason}" + (f" {hint}" if hint else "")
    assert path.read_bytes() == old
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "Is a directory"),
        ("none/model.thr", "Make the folder"),
        ("model.thr/inside", "Not a directory"),
    ],
)
def test_places_where_no_file_can_be_are_refused(path: Path, name: str, says: str) -> None:
    with pytest.raises(ModelFileError, match=says):
        th.Winnow(3).save(path.parent / name)
    assert os.listdir(path.parent) == [path.name]


def test_standard_output_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelFileError, match="not to standard output"):
        th.Winnow(3).save("-")
    assert os.listdir(tmp_path) == []


def test_whoever_expects_another_learner_is_told(tmp_path: Path) -> None:
    th.Winnow(3).save(tmp_path / "m.thr")
    assert th.load(tmp_path / "m.thr", th.Winnow).beta == 1
    with pytest.raises(ModelFileError, match="it holds a Winnow, and a Perceptron is expected"):
        th.load(tmp_path / "m.thr", th.Perceptron)
