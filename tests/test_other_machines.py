"""On a machine that has less than Linux, everything is imported and streams are learned from."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROWS = "".join(f"{n % 2} {n % 2}:1 {n % 7 + 2}:0.5\n" for n in range(5000))

#: Takes away what Windows or macOS lack, once the packages of others have been imported.
LESS = """
import importlib, mmap, os, pkgutil, select, signal, sys

for package in ("click", "isal.igzip_threaded", "msgspec", "numpy", "onnx", "pyarrow.parquet",
                "river", "scipy.optimize", "scipy.sparse", "sklearn.base", "zstandard"):
    importlib.import_module(package)
for absent in ("fcntl", "resource", "termios", "pwd", "grp"):
    sys.modules[absent] = None
for module, kept in ((os, ()), (signal, ("SIGINT", "SIGTERM", "SIG_DFL", "SIG_IGN"))):
    for name in dir(module):
        if name.startswith(("sched_", "posix_", "SIG", "pread", "preadv", "readv", "memfd_", "fork",
                            "getuid", "geteuid", "uname", "sysconf", "O_CLOEXEC", "O_DIRECTORY",
                            "O_NONBLOCK", "set_blocking", "get_blocking")):
            if name not in kept:
                delattr(module, name)
for name in [name for name in dir(mmap) if name.startswith(("MADV", "MAP_", "PROT"))]:
    delattr(mmap, name)
for name in ("poll", "epoll"):
    delattr(select, name)

def select_sockets_alone(*_):
    raise OSError(10038, "An operation was attempted on something that is not a socket")

def open_no_folders(path, *rest, opened=os.open):
    if os.path.isdir(path):
        raise PermissionError(13, "Permission denied", path)
    return opened(path, *rest)

select.select, os.open = select_sockets_alone, open_no_folders
"""

IMPORTS = """
import thresher
for module in pkgutil.walk_packages(thresher.__path__, "thresher."):
    if module.name != "thresher.__main__":
        importlib.import_module(module.name)
print(len([name for name in sys.modules if name.startswith("thresher.")]))
"""

#: Runs the commands that are its arguments, each in one word.
COMMANDS = """
from thresher.cli.main import thresher as run
for line in sys.argv[1:]:
    try:
        run.main(line.split())
    except SystemExit as left:
        assert left.code == 0, line
"""


def run(program: str, *words: str, data: str = "") -> subprocess.CompletedProcess[str]:
    """Run a program where there is less, with these words as its arguments."""
    command = [sys.executable, "-c", LESS + program, *words]
    return subprocess.run(command, input=data, capture_output=True, text=True, timeout=120)


def test_every_module_is_imported() -> None:
    done = run(IMPORTS)
    assert done.stderr == ""
    assert int(done.stdout) > 250


def test_files_of_every_kind_and_a_pipe_are_learned_from_alike(tmp_path: Path) -> None:
    (tmp_path / "rows.svm").write_text(ROWS)
    endings = ("svm", "vw", "jsonl", "csv", "thb", "parquet", "svm.gz")
    lines = [f"convert -q rows.svm -o rows.{ending}" for ending in endings[1:]]
    lines += [f"train -q rows.{ending} -o {ending}.thr" for ending in endings]
    lines += ["train -q - --format svmlight -o pipe.thr"]
    lines += [f"predict {kind}.thr rows.{kind} --scores -o {kind}.txt" for kind in endings]
    lines += ["predict pipe.thr rows.svm --scores -o pipe.txt"]
    done = run(f"os.chdir({str(tmp_path)!r})\n{COMMANDS}", *lines, data=ROWS)
    assert done.returncode == 0, done.stderr
    said = {kind: (tmp_path / f"{kind}.txt").read_text() for kind in (*endings, "pipe")}
    assert said["svm"].count("\n") == 5000
    assert [kind for kind in said if said[kind] != said["svm"]] == []
