"""What dead writers left goes, what living ones write stays, and streams stay streams."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from thresher.errors import OutputError
from thresher.streams.sources import machine
from thresher.streams.sources import whole_file as module
from thresher.streams.sources.whole_file import whole_file

#: Begins to write a file, says so, and waits to be killed.
WRITER = """
import sys
from thresher.streams.sources.whole_file import whole_file
with whole_file(sys.argv[1]) as file:
    file.write(b"half of it")
    file.flush()
    print("begun", flush=True)
    sys.stdin.read()
"""


def _begun(path: Path) -> subprocess.Popen[bytes]:
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert writer.stdout is not None
    assert writer.stdout.readline() == b"begun\n"
    return writer


def _partial(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if name.endswith(".partial")]


def _write(path: Path, data: bytes = b"new") -> None:
    with whole_file(path) as file:
        file.write(data)


def test_the_next_writer_removes_what_killed_ones_left(tmp_path: Path) -> None:
    path = tmp_path / "answers"
    path.write_bytes(b"old")
    for n in range(1, 3):
        other = tmp_path / f"other{n}"
        for victim in (path, other):
            with _begun(victim) as writer:
                writer.send_signal(signal.SIGKILL)
        # Only what was for the same name is known to be of no use.
        assert len(_partial(tmp_path)) == 1 + n
        assert path.read_bytes() == b"old"
    _write(path)
    assert (path.read_bytes(), len(_partial(tmp_path))) == (b"new", 2)
    for n in range(1, 3):
        _write(tmp_path / f"other{n}")
    assert _partial(tmp_path) == []


def test_what_a_living_process_writes_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "answers"
    with _begun(path) as writer:
        _write(path)
        assert len(_partial(tmp_path)) == 1
        writer.communicate()
    assert writer.returncode == 0
    assert path.read_bytes() == b"half of it"
    assert _partial(tmp_path) == []


def test_two_writers_of_one_process_do_not_take_each_other_for_dead(tmp_path: Path) -> None:
    path = tmp_path / "answers"
    with whole_file(path) as slow:
        slow.write(b"slow")
        _write(path, b"fast")
        assert path.read_bytes() == b"fast"
    assert path.read_bytes() == b"slow"


def test_a_writer_whose_new_file_was_taken_for_a_dead_ones_takes_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "answers"
    taken: list[str] = []

    def late(handle: int) -> bool | None:
        # Between making the file and locking it, somebody tidies up.
        if not taken:
            taken.extend(_partial(tmp_path))
            for name in taken:
                os.unlink(tmp_path / name)
        return machine.try_lock(handle)

    monkeypatch.setattr(module, "try_lock", late)
    _write(path)
    assert len(taken) == 1
    assert path.read_bytes() == b"new"


def test_many_writers_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "answers"
    texts = [bytes([65 + n]) * 100_000 for n in range(8)]

    def work(text: bytes) -> None:
        for _ in range(20):
            _write(path, text)

    threads = [threading.Thread(target=work, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_bytes() in texts
    assert os.listdir(tmp_path) == ["answers"]


def test_without_locks_files_are_written_and_nothing_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "answers"
    with _begun(path) as writer:
        writer.send_signal(signal.SIGKILL)
    monkeypatch.setattr(module, "try_lock", lambda _: None)
    _write(path)
    assert path.read_bytes() == b"new"
    assert len(_partial(tmp_path)) == 1


def test_a_link_with_the_name_of_an_unfinished_file_is_not_followed(tmp_path: Path) -> None:
    path, precious = tmp_path / "answers", tmp_path / "precious"
    precious.write_bytes(b"precious")
    with whole_file(path):
        (name,) = _partial(tmp_path)
    (tmp_path / name).symlink_to(precious)
    _write(path)
    assert precious.read_bytes() == b"precious"


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
@pytest.mark.parametrize("into", ["pipe", "file"])
def test_standard_output_is_written_to_under_all_its_names(
    tmp_path: Path, name: str, into: str
) -> None:
    code = (
        "import sys\n"
        "from thresher.streams.sources.whole_file import whole_file\n"
        "sys.stdout.write('before ')\n"
        "with whole_file(sys.argv[1]) as file:\n    file.write(b'within ')\n"
        "sys.stdout.write('after')\n"
    )
    words = [sys.executable, "-c", code, name]
    if into == "pipe":
        said = subprocess.run(words, capture_output=True, check=True).stdout
    else:
        with (tmp_path / "out").open("wb") as out:
            subprocess.run(words, stdout=out, check=True)
        said = (tmp_path / "out").read_bytes()
        assert os.listdir(tmp_path) == ["out"]
    assert said == b"before within after"


def test_a_fifo_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(path.read_bytes()))
    reader.start()
    with whole_file(path) as file:
        file.write(b"streamed")
    reader.join()
    assert got == [b"streamed"]
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_errors_name_what_the_user_asked_for(tmp_path: Path) -> None:
    missing = tmp_path / "no" / "answers"
    with pytest.raises(OutputError) as caught, whole_file(missing):
        pass
    assert str(caught.value) == f"{missing}: there is no folder {missing.parent}. Make it first."
    with pytest.raises(OutputError, match=r"could not be written \(Is a directory\)"):
        _write(tmp_path)
    with pytest.raises(OutputError, match=r"^/dev/full: it could not be written \(No space left"):
        _write(Path("/dev/full"))
    _write(tmp_path / "answers", b"")
    with pytest.raises(OutputError, match="answers/more: it could not be written"):
        _write(tmp_path / "answers" / "more", b"")


def test_an_error_of_the_block_is_not_taken_for_one_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="another file") as caught, whole_file(tmp_path / "answers"):
        raise OSError(5, "another file")
    assert not isinstance(caught.value, OutputError)
    assert os.listdir(tmp_path) == []
