"""The yardstick: a compiled loop with nothing of the library in it."""

from __future__ import annotations

import ctypes
import mmap
import os
import shlex
import shutil
import subprocess
import sysconfig
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from thresher import Rows
from thresher.streams.formats.binary_frame import PROLOGUE, prologue_size

SOURCE = Path(__file__).with_name("bare_pass.c")
#: As the kernels are compiled: optimised, for any machine of its kind, sums in one order.
FLAGS = ("-O3", "-ffp-contract=off", "-fno-math-errno", "-std=c11", "-shared", "-fPIC")


class NoCompilerError(RuntimeError):
    """There is no C compiler, or it did not take the source."""


class BarePass:
    """`bare_pass.c`, compiled and loaded; call it with rows and weights to get scores."""

    def __init__(self) -> None:
        compiler = _compiler()
        self.command = shlex.join([*compiler, *FLAGS])
        with tempfile.TemporaryDirectory() as folder:
            library = Path(folder, "bare_pass.so")
            done = subprocess.run(
                [*compiler, *FLAGS, "-o", str(library), str(SOURCE), "-lm"],
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode:
                raise NoCompilerError(f"{self.command}: {done.stderr.strip()}")
            loaded = ctypes.CDLL(str(library))
        self._function = loaded.bare_pass
        self._lines, self._steps = loaded.bare_lines, loaded.bare_steps
        self._places = loaded.bare_places
        self._frames = loaded.bare_frames
        self._frames.restype, self._frames.argtypes = ctypes.c_int64, [ctypes.c_void_p] * 3
        takes = (self._function, 5), (self._lines, 4), (self._steps, 4), (self._places, 3)
        for function, arrays in takes:
            function.restype = None
            function.argtypes = [ctypes.c_int64, *[ctypes.c_void_p] * arrays]

    def __call__(self, rows: Rows, weight: NDArray[np.float64]) -> NDArray[np.float64]:
        """The dot product of each row with the weights, summed from left to right."""
        score = np.empty(len(rows))
        arrays = (rows.row_start, rows.column, rows.value, weight, score)
        self._function(len(rows), *(array.ctypes.data for array in arrays))
        return score

    def look_up(
        self, column: NDArray[np.int32], table: NDArray[np.int32], place: NDArray[np.int32]
    ) -> None:
        """Where the numbers of each feature are: one after another, from a table by column."""
        arrays = (column, table, place)
        self._places(len(column), *(array.ctypes.data for array in arrays))

    def over_lines(
        self,
        row_start: NDArray[np.int64],
        place: NDArray[np.int32],
        lines: NDArray[np.float32],
        *,
        steps: bool = False,
    ) -> NDArray[np.float64]:
        """Read 16 numbers of each feature of a row, then change them: no arithmetic to speak of.

        With `steps` there are a division and a root for eight of them.
        """
        score = np.empty(len(row_start) - 1)
        arrays = (row_start, place, lines, score)
        function = self._steps if steps else self._lines
        function(len(score), *(array.ctypes.data for array in arrays))
        return score

    def over_file(self, path: Path, n_features: int) -> int:
        """Learn the rows of a binary file of ones, whole and unchecked; how many were mistakes."""
        with path.open("rb") as file:
            mapped = np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), np.uint8)
        first = prologue_size(str(path), mapped[: PROLOGUE.size].tobytes())
        weight, journal = np.zeros(n_features, np.int32), np.empty(len(mapped) // 4, np.int32)
        arrays = (mapped[first:], weight, journal)
        return int(self._frames(*(array.ctypes.data for array in arrays)))


def _compiler() -> list[str]:
    """The compiler that was asked for, else the one Python was built with, else `cc`."""
    for command in (os.environ.get("CC"), sysconfig.get_config_var("CC"), "cc", "gcc", "clang"):
        words = shlex.split(command or "")
        if words and shutil.which(words[0]):
            return words
    raise NoCompilerError("no C compiler was found; CC can name one.")
