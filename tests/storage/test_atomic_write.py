"""Old bytes or new ones, whatever happens on the way."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from thresher.storage.atomic_write import atomic_write
from thresher.streams.sources.whole_file import whole_file

PARTS: list[bytes | memoryview] = [b"new ", memoryview(b"bytes")]


def test_the_parts_are_written_one_after_another(tmp_path: Path) -> None:
    atomic_write(tmp_path / "model", PARTS)
    assert (tmp_path / "model").read_bytes() == b"new bytes"
    assert os.listdir(tmp_path) == ["model"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("old", [b"old", None])
def test_a_step_that_fails_leaves_the_old_bytes_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, old: bytes | None
) -> None:
    path = tmp_path / "model"
    if old is not None:
        path.write_bytes(old)

    def fails(*_: Any) -> None:
        raise OSError(errno.EIO, "power cut")

    monkeypatch.setattr(os, step, fails)
    with pytest.raises(OSError, match="power cut"):
        atomic_write(path, PARTS)
    assert [p.name for p in tmp_path.iterdir()] == ([] if old is None else ["model"])
    assert old is None or path.read_bytes() == old


def test_a_full_disk_in_the_middle_leaves_the_old_bytes(tmp_path: Path) -> None:
    path = tmp_path / "model"
    path.write_bytes(b"old")

    def parts() -> Iterator[bytes]:
        yield b"n" * 100_000
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        atomic_write(path, parts())
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["model"]


# Every call that changes the disk, in order; the process dies before the given one.
DYING = """
import os, sys
from thresher.storage.atomic_write import atomic_write
from thresher.streams.sources import whole_file
step, path = int(sys.argv[1]), sys.argv[2]
calls = 0
def counted(function):
    def call(*arguments, **named):
        global calls
        if calls == step:
            os._exit(77)
        calls += 1
        return function(*arguments, **named)
    return call
for owner, name in [(os, "fsync"), (os, "replace"), (os, "chmod")]:
    setattr(owner, name, counted(getattr(owner, name)))
whole_file._new_file = counted(whole_file._new_file)
def parts():
    yield b"new "
    counted(lambda: None)()
    yield b"bytes"
atomic_write(path, parts())
os._exit(0)
"""


def test_a_process_that_dies_at_any_step_leaves_the_old_bytes_or_the_new(tmp_path: Path) -> None:
    outcomes = []
    for step in range(20):
        path = tmp_path / str(step) / "model"
        path.parent.mkdir()
        path.write_bytes(b"old")
        script = [sys.executable, "-c", DYING, str(step), str(path)]
        status = subprocess.run(script, check=False).returncode
        assert status in (0, 77)
        outcomes.append(path.read_bytes())
        others = [name for name in os.listdir(path.parent) if name != "model"]
        assert all(name.startswith(".thresher-") for name in others)
        if status == 0:
            break
    # open, chmod, the middle, fsync, replace; then fsync of the folder, and the end.
    assert outcomes == [b"old"] * 5 + [b"new bytes"] * 2


def test_the_file_and_then_its_folder_reach_the_disk_in_this_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    fsync, replace = os.fsync, os.replace

    def noted_fsync(handle: int) -> None:
        seen.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        fsync(handle)

    def noted_replace(source: Any, target: Any) -> None:
        seen.append("rename")
        replace(source, target)

    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(os, "replace", noted_replace)
    atomic_write(tmp_path / "model", PARTS)
    assert seen == ["file", "rename", "folder"]


def test_a_link_stays_a_link_and_its_target_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    target, link = tmp_path / "models" / "today", tmp_path / "latest"
    target.write_bytes(b"old")
    link.symlink_to(target)
    atomic_write(link, PARTS)
    assert link.is_symlink()
    assert target.read_bytes() == b"new bytes"


def test_a_link_to_nowhere_makes_the_file_it_names(tmp_path: Path) -> None:
    (tmp_path / "latest").symlink_to(tmp_path / "today")
    atomic_write(tmp_path / "latest", PARTS)
    assert (tmp_path / "today").read_bytes() == b"new bytes"


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644])
def test_permissions_are_those_of_the_old_file(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "model"
    path.write_bytes(b"old")
    path.chmod(mode)
    atomic_write(path, PARTS)
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_new_file_has_the_permissions_that_the_process_gives(tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(b"")
    atomic_write(tmp_path / "model", PARTS)
    assert (tmp_path / "model").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_device_is_written_to_and_not_replaced() -> None:
    atomic_write(os.devnull, PARTS)
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_the_longest_file_name_there_is_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("m" * 255)
    atomic_write(path, PARTS)
    assert path.read_bytes() == b"new bytes"


def test_the_docstring_has_the_form_of_a_theorem() -> None:
    said = whole_file.__doc__ or ""
    assert all(word in said for word in ("Assumes:", "Promises:", "Does not promise:"))
