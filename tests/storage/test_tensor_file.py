"""A file of arrays: the same bytes wherever it is written, with digests that fit."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from thresher.storage.tensor_file import TensorFile, write
from thresher.streams.sources.whole_file import can_go_back, whole_file

TEXT = '{"what":"a test"}'
#: Few bytes, and so many that a thread of their own hashes them.
SIZES = [0, 10, 300_000]


def tensors(size: int) -> dict[str, NDArray[Any]]:
    return {
        "short": np.arange(size, dtype=np.int16),
        "columns": np.arange(2 * size, dtype=np.int32).reshape(2, -1),
        "weights": np.linspace(0.0, 1.0, size),
        "none": np.empty(0, np.int8),
    }


def in_memory(size: int) -> tuple[str, bytes]:
    file = io.BytesIO()
    assert not can_go_back(file)
    return write(file, TEXT, tensors(size)), file.getvalue()


@pytest.mark.parametrize("size", SIZES)
def test_a_new_file_whose_header_comes_last_has_the_same_bytes(tmp_path: Path, size: int) -> None:
    path = tmp_path / "arrays"
    with whole_file(path) as file:
        assert can_go_back(file)
        digest = write(file, TEXT, tensors(size))
        # Whoever writes more, writes it behind.
        assert file.tell() == len(in_memory(size)[1])
    assert (digest, path.read_bytes()) == in_memory(size)
    found = TensorFile(path)
    assert (found.text, found.digest, set(found)) == (TEXT, digest, set(tensors(size)))
    for name, array in tensors(size).items():
        assert found[name].dtype == array.dtype
        assert np.array_equal(found[name], array)


@pytest.mark.parametrize("size", SIZES)
def test_what_is_there_already_is_not_written_over_through_a_descriptor(
    tmp_path: Path, size: int
) -> None:
    path = tmp_path / "arrays"
    path.write_bytes(b"before")
    with path.open("ab") as own, whole_file(f"/dev/fd/{own.fileno()}") as file:
        assert not can_go_back(file)
        digest = write(file, TEXT, tensors(size))
    assert (digest, path.read_bytes()) == (in_memory(size)[0], b"before" + in_memory(size)[1])


def test_a_device_that_is_full_says_so() -> None:
    with pytest.raises(OSError, match="/dev/full"), whole_file("/dev/full") as file:
        write(file, TEXT, tensors(300_000))


def test_arrays_that_cannot_be_written_are_an_error_and_leave_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "arrays"
    path.write_bytes(b"old")

    class Failing:
        raw = type("Raw", (), {"new": True})()
        written = 0

        def write(self, data: bytes) -> int:
            return len(data)

        def writelines(self, parts: Any) -> None:
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"), whole_file(path):
        write(Failing(), TEXT, tensors(300_000))  # type: ignore[arg-type]
    assert path.read_bytes() == b"old"


def test_what_a_disk_says_of_arrays_on_their_way_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "arrays"
    path.write_bytes(b"old")

    def fails(handle: int) -> None:
        raise OSError(5, "Input/output error")

    # A disk tells it once: the sync at the end would find nothing wrong.
    monkeypatch.setattr(os, "fdatasync", fails, raising=False)
    with pytest.raises(OSError, match="Input/output error"), whole_file(path) as file:
        write(file, TEXT, tensors(300_000))
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
