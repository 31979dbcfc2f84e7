"""Translate the kernels to C: many in one process, and only those that are out of date.

Called by meson, with a file to write dependencies to, options of Cython, `--`, the sources, and as
many outputs. Starting Cython takes longer than translating a kernel, so one process per kernel
would spend most of its time on starts.
"""

from __future__ import annotations

import gc
import os
import re
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import Cython
from Cython.Compiler.CmdLine import parse_command_line
from Cython.Compiler.Errors import PyrexError
from Cython.Compiler.Main import compile as translate


def listed(output: Path) -> list[str]:
    """What an earlier translation read, as its depfile has it: with a backslash before blanks."""
    text = output.with_name(output.name + ".dep").read_text("utf-8")
    return [line.strip() for line in text.split(" \\\n")[1:]]


def is_current(output: Path, always: list[Path]) -> bool:
    """Whether the output is there and newer than all that it was made from."""
    try:
        read = [Path(re.sub(r"\\(.)", r"\1", name)) for name in listed(output)]
        newest = max(path.stat().st_mtime_ns for path in [*read, *always])
        return output.stat().st_mtime_ns > newest
    except FileNotFoundError:
        return False


def translated(options: list[str], source: str, output: Path) -> bool:
    """Do what the command `cython` does for one source."""
    # Cython keeps what it builds up until the end; looking for garbage in it takes a third of
    # the time and finds little.
    gc.disable()
    started = time.time_ns()
    try:
        settings, sources = parse_command_line([*options, "-M", source, "-o", str(output)])
        good = not translate(sources, settings).num_errors
    except (OSError, PyrexError) as error:
        print(error, file=sys.stderr)
        good = False
    if good:
        # A source that was saved in the meantime is newer than this.
        os.utime(output, ns=(started, started))
    else:
        output.unlink(missing_ok=True)
    return good


def main(depfile: Path, options: list[str], sources: list[str], outputs: list[Path]) -> bool:
    """Translate what has to be, and say whether all went well."""
    # Other options or another Cython make everything anew.
    settings = depfile.with_suffix(".settings")
    text = "\n".join([Cython.__version__, *options])
    if not settings.exists() or settings.read_text("utf-8") != text:
        settings.write_text(text, "utf-8")

    tools = [Path(__file__), Path(Cython.__file__)]
    stale = [
        (source, output)
        for source, output in zip(sources, outputs, strict=True)
        if not is_current(output, [*tools, settings])
    ]
    with ProcessPoolExecutor(min(len(stale), os.cpu_count() or 1) or 1) as pool:
        jobs = [pool.submit(translated, options, *pair) for pair in stale]
    if not all(job.result() for job in jobs):
        return False

    names = {name for output in outputs for name in listed(output)}
    names |= {str(path).replace(" ", "\\ ") for path in tools}
    depfile.write_text(f"{outputs[0]}: {' '.join(sorted(names))}\n", "utf-8")
    return True


if __name__ == "__main__":
    at = sys.argv.index("--")
    files = sys.argv[at + 1 :]
    half = len(files) // 2
    fine = main(Path(sys.argv[1]), sys.argv[2:at], files[:half], [Path(f) for f in files[half:]])
    sys.exit(not fine)
