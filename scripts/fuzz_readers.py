"""Look for svmlight text that the reader of streams and the verifier's own read differently.

    python -m scripts.fuzz_readers --inputs 1000000 --seed 1

Lines are made from pieces that are likely to matter, good lines are damaged, and some are mere
bytes. Many lines make a file. Both readers must refuse the same lines and give the same rows and
labels for the others, to the bit; whole files, packed or not, must give the same signs, or be
refused for the same line. Every disagreement is printed; the exit status is 1 if there is one.
"""

from __future__ import annotations

import argparse
import gzip
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts.odd_svmlight import a_text
from thresher.errors import BadLineError, ThresherError
from thresher.kernels.rows.named_rows import NameTable
from thresher.streams.bad_lines import BadLinePolicy
from thresher.streams.batch import Batch
from thresher.streams.label_scheme import LabelScheme
from thresher.streams.read_settings import ReadSettings
from thresher.streams.reading import read_stream
from thresher.streams.recipe import Recipe
from thresher.verifier import read_svmlight
from thresher.verifier.compiled.svmlight_lines import scan_lines
from thresher.verifier.readers.label_names import one_spelling
from thresher.verifier.readers.text_blocks import text_blocks

LINES_IN_A_FILE = 2000
N_COLUMNS = 1 << 18
#: What a file says: a row as its label and its features, in the order of the lines.
Rows = list[tuple[str, bytes, bytes]]


def streams_lines(file: Path, one_based: bool, size: int) -> tuple[Rows, list[int]]:
    """Rows, and the numbers of the lines that are refused, as the reader of streams has them."""
    rows: Rows = []
    refused: list[int] = []
    stream = read_stream(
        file,
        names=NameTable(N_COLUMNS, True),
        recipe=Recipe(format="svmlight", one_based=one_based),
        bad=BadLinePolicy("skip"),
        settings=ReadSettings(threads=1, chunk_bytes=size),
    )
    for chunk in stream.chunks():
        refused += [line.line for line in chunk.bad]
        arrays = chunk.rows.row_start.tolist(), chunk.rows.column, chunk.rows.value
        names = [stream.label_names[number] for number in chunk.label.tolist()]
        rows += _as_rows(names, *arrays)
    return rows, refused


def own_lines(text: bytes, one_based: bool, size: int) -> tuple[Rows, list[int]]:
    """The same as the verifier's scanner has them, set on again behind each line it refuses."""
    rows: Rows = []
    refused: list[int] = []
    pieces = (text[at : at + size] for at in range(0, len(text), size))
    for block in text_blocks("f", pieces):
        start, before = 0, block.first_line - 1
        while start < len(block.text):
            row_start, column, value, label, written, _, n_lines, fault = scan_lines(
                block.text, start, N_COLUMNS, one_based
            )
            names = [one_spelling(written[number].decode()) for number in label.tolist()]
            rows += _as_rows(names, row_start.tolist(), column, value)
            before += n_lines
            if fault is None:
                break
            refused.append(before)
            start = block.text.find(b"\n", fault[1]) + 1 or len(block.text)
    return rows, refused


def _as_rows(
    names: list[str], start: list[int], column: NDArray[np.int32], value: NDArray[np.float64]
) -> Iterator[tuple[str, bytes, bytes]]:
    for name, first, stop in zip(names, start[:-1], start[1:], strict=True):
        yield name, column[first:stop].tobytes(), value[first:stop].tobytes()


@dataclass(frozen=True, slots=True)
class Refused:
    """A file that is refused: for one of its lines, or for its labels as a whole."""

    line: int | None

    @classmethod
    def by(cls, error: ThresherError) -> Refused:
        """What an error says about it."""
        return cls(error.fields["line"] if isinstance(error, BadLineError) else None)


#: The arrays of a whole file, or why there are none.
Whole = tuple[bytes, ...] | Refused


def streams_file(file: Path, positive: str | None, one_based: bool) -> Whole:
    """A whole file as the reader of streams has it."""
    scheme = LabelScheme() if positive is None else LabelScheme.of(positive)
    recipe = Recipe(format="svmlight", one_based=one_based)
    try:
        stream = read_stream(file, names=NameTable(N_COLUMNS, True), recipe=recipe, scheme=scheme)
        batch = Batch.joined(list(stream))
    except ThresherError as error:
        return Refused.by(error)
    return tuple(
        part.tobytes() for part in (batch.row_start, batch.column, batch.value, batch.label)
    )


def own_file(file: Path, positive: str | None, one_based: bool, workers: int) -> Whole:
    """A whole file as the verifier's own reader has it."""
    options = {"one_based": one_based, "n_columns": N_COLUMNS, "workers": workers}
    try:
        rows = read_svmlight([str(file)], positive, **options)  # type: ignore[arg-type]
        return tuple(
            part.tobytes() for part in (rows.row_start, rows.column, rows.value, rows.label)
        )
    except ThresherError as error:
        return Refused.by(error)


@dataclass(slots=True)
class Comparison:
    """Both readers on one file after another, and what came of it."""

    chance: random.Random
    file: Path
    say: Callable[[str], object]
    accepted: int = 0
    refused: int = 0
    files: int = 0
    files_refused: int = 0
    disagreements: list[str] = field(default_factory=list)

    def compare(self, text: bytes, one_based: bool) -> None:
        """Compare line by line, and as whole files."""
        refused = self._lines(text, one_based)
        lines = text.split(b"\n")
        sound = [line for number, line in enumerate(lines, 1) if number not in refused]
        common = [line for line in sound if line.split(b" ")[0] in (b"1", b"-1", b"+1", b"1.0")]
        # A label that comes late does not change what the others mean.
        late = [line for line in sound if line.startswith(b"1 ")] + sound[:2]
        for kept in (lines, sound, common, late):
            self._file(b"\n".join(kept), one_based)

    def _lines(self, text: bytes, one_based: bool) -> set[int]:
        """Compare rows and lines that are refused; their numbers."""
        self.file.write_bytes(text)
        sizes = (7, 100, 5000, 1 << 20)
        theirs = streams_lines(self.file, one_based, self.chance.choice(sizes[1:]))
        ours = own_lines(text, one_based, self.chance.choice(sizes))
        self.accepted += len(theirs[0])
        self.refused += len(theirs[1])
        if ours != theirs:
            before = len(self.disagreements)
            for line in text.split(b"\n"):
                self._line(line, one_based)
            if len(self.disagreements) == before:
                self._report(f"{len(text)} bytes, but no line alone", theirs[1], ours[1])
        return set(theirs[1])

    def _line(self, line: bytes, one_based: bool) -> None:
        self.file.write_bytes(line)
        theirs = streams_lines(self.file, one_based, 1 << 20)
        ours = own_lines(line, one_based, 1 << 20)
        if ours != theirs:
            self._report(f"{line!r}, one_based={one_based}", theirs, ours)

    def _file(self, text: bytes, one_based: bool) -> None:
        packed = self.chance.random() < 0.3
        self.file.write_bytes(gzip.compress(text, 1) if packed else text)
        positive = self.chance.choice((None, None, "1", "+1.0", "a", "9007199254740993"))
        theirs = streams_file(self.file, positive, one_based)
        ours = own_file(self.file, positive, one_based, self.chance.choice((1, 2)))
        self.files += 1
        self.files_refused += isinstance(theirs, Refused)
        # Where labels are at fault as well as lines, it is open which is said first.
        either = positive is None and isinstance(theirs, Refused) and isinstance(ours, Refused)
        if ours != theirs and not either:
            shown = text if len(text) < 200 else f"a file of {len(text)} bytes"
            self._report(f"{shown!r}, positive={positive}, one_based={one_based}", theirs, ours)

    def _report(self, what: str, theirs: object, ours: object) -> None:
        text = f"{what}\n  streams:  {str(theirs)[:300]}\n  verifier: {str(ours)[:300]}"
        self.disagreements.append(text)
        self.say(text)


def fuzz(inputs: int, seed: int, say: Callable[[str], object] = print) -> Comparison:
    """Compare the readers on so many lines; a hundred disagreements are enough."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        both = Comparison(chance, Path(folder, "lines.svm"), say)
        while both.accepted + both.refused < inputs and len(both.disagreements) < 100:
            both.compare(a_text(chance, LINES_IN_A_FILE), one_based=chance.random() < 0.3)
    return both


def main() -> int:
    """Fuzz, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--inputs", type=int, default=20_000, help="lines to compare")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    began = time.perf_counter()
    both = fuzz(given.inputs, given.seed)
    print(
        f"lines: {both.accepted:,} accepted, {both.refused:,} refused; "
        f"whole files: {both.files:,}, {both.files_refused:,} of them refused; "
        f"{len(both.disagreements)} disagreements; "
        f"{time.perf_counter() - began:.0f} s"
    )
    return 1 if both.disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
