"""What happens to lines that cannot be read: stop, skip, or keep them in a file; always counted."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import IO, Literal

from thresher.errors import Hint, ParameterError, SourceError
from thresher.streams.chunk import BadLine
from thresher.streams.remark import Remark

OnBad = Literal["stop", "skip", "quarantine"]

#: For lines with an index that has no column.
MORE_COLUMNS = Hint("line.column", "A larger n_features allows more.")
#: The same where features have names, of which a number may be one: a word of a text, say.
COLUMN_OR_NAME = Hint(
    "line.column_or_name",
    "If the number is a name, a vocabulary keeps it so; a larger n_features allows more columns.",
)

#: For lines with bytes that are not text.
ENCODINGS = Hint(
    "line.encoding",
    "If the text is in another encoding, name it: Recipe(encoding='latin-1'), or 'utf-16'.",
)


class BadLinePolicy:
    """Stops at the first bad line, or counts bad lines, or counts them and writes them to a file.

    Parameters
    ----------
    on_bad
        ``"stop"`` raises at the first bad line, ``"skip"`` ignores it, and ``"quarantine"`` writes
        it to a file and continues.
    quarantine
        That file. Each line is kept as it was, after a line ``# file:line: found ..., expected
        ...``.
    max_bad
        How many bad lines are allowed; one more raises. None: any number.
    phrase
        What to call a bad line in the report and in the file; the default speaks to Python users.

    Examples
    --------
    >>> policy = BadLinePolicy("skip", max_bad=1)
    >>> policy.take(BadLine("a.svm", 3, "'x'", "index:value", b"1 x"))
    >>> policy.count, policy.report()
    (1, "1 bad line was skipped, the first: a.svm:3: found 'x', expected index:value")
    >>> policy.take(BadLine("a.svm", 4, "'y'", "index:value", b"1 y"))
    Traceback (most recent call last):
    thresher.errors.BadLineError: a.svm:4: found 'y', expected index:value. \
This is bad line number 2, and at most 1 is allowed.
    """

    def __init__(
        self,
        on_bad: OnBad = "stop",
        *,
        quarantine: str | os.PathLike[str] | None = None,
        max_bad: int | None = None,
        phrase: Callable[[BadLine | Remark], str] = str,
    ) -> None:
        if on_bad not in ("stop", "skip", "quarantine"):
            raise ParameterError("read", "on_bad", "'stop', 'skip' or 'quarantine'", on_bad)
        if (on_bad == "quarantine") != (quarantine is not None):
            raise ParameterError(
                "read", "quarantine", "a file exactly when on_bad is 'quarantine'", quarantine
            )
        self.on_bad: OnBad = on_bad
        self.max_bad = max_bad
        self._phrase = phrase
        self.quarantine = None if quarantine is None else os.fspath(quarantine)
        #: Bad lines so far.
        self.count = 0
        self.first: BadLine | None = None
        #: Lines that were read although they are not UTF-8.
        self.mended = 0
        self._first_mended: BadLine | None = None
        self._said: list[Remark] = []
        #: Gives back a line as it stood in its file, where it was read otherwise.
        self.as_written: Callable[[bytes], bytes] = bytes
        self._file: IO[bytes] | None = None
        self._mode = "wb"

    def open(self) -> None:
        """Open the file for bad lines, if there is one: better now than in an hour."""
        if self.quarantine is None or self._file is not None:
            return
        try:
            self._file = open(self.quarantine, self._mode)  # noqa: SIM115  (close closes it)
        except OSError as error:
            raise self._unwritable(error) from error
        # Opened again, the file keeps what is in it.
        self._mode = "ab"

    @property
    def only_counts(self) -> bool:
        """Whether nothing happens to a bad line but that it is counted."""
        return self.on_bad == "skip" and self.max_bad is None

    def count_all(self, bad: Sequence[BadLine]) -> None:
        """Count bad lines, where that is all; they need not be put in words for it."""
        self.count += len(bad)
        if self.first is None and len(bad):
            self.first = bad[0]

    def take(self, bad: BadLine) -> None:
        """Count a bad line, write it down if there is a file for it, raise if it is too many."""
        self.count += 1
        if self.first is None:
            self.first = bad
        self._write(bad)
        if self.on_bad == "stop":
            raise bad.error()
        if self.max_bad is not None and self.count > self.max_bad:
            self.close()
            be = "is" if self.max_bad == 1 else "are"
            raise bad.error(
                f"This is bad line number {self.count}, and at most {self.max_bad} {be} allowed."
            )

    def note_mended(self, file: str, count: int, first: int) -> None:
        """Count lines that were read although they are not UTF-8."""
        self.mended += count
        if self._first_mended is None and count:
            found, expected = "bytes that are not UTF-8", "text in UTF-8"
            self._first_mended = BadLine(file, first, found, expected, b"", ENCODINGS)

    @property
    def first_mended(self) -> BadLine | None:
        """The first line that was read although it is not UTF-8, if there was one."""
        return self._first_mended

    def flush(self) -> None:
        """See to it that what was written down is in the file."""
        try:
            if self._file is not None:
                self._file.flush()
        except OSError as error:
            raise self._unwritable(error) from error

    def _write(self, bad: BadLine) -> None:
        self.open()
        if self._file is None:
            return
        try:
            said = self._phrase(bad)
            self._file.write(b"# " + said.encode("utf-8", "backslashreplace") + b"\n")
            self._file.write(self.as_written(bad.raw) + b"\n")
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> SourceError:
        return SourceError(
            str(self.quarantine), f"bad lines cannot be written there: {error.strerror}"
        )

    def close(self) -> None:
        """Close the file of bad lines, if there is one."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def remark(self, remark: Remark) -> None:
        """Have something said in the end, once, about how the lines were read."""
        if remark not in self._said:
            self._said.append(remark)

    @property
    def noticed(self) -> tuple[Remark, ...]:
        """What is to be said about how the lines were read, so far."""
        return tuple(self._said)

    def remarks(self) -> list[str]:
        """What is to be said in the end: how lines were read, and which were bad or mended."""
        said = map(self._phrase, self._said)
        return [text for text in (*said, self.report(), self._mended_report()) if text]

    def _mended_report(self) -> str:
        if self._first_mended is None:
            return ""
        were = "1 line was" if self.mended == 1 else f"{self.mended:,} lines were"
        return (
            f"{were} read with bytes that are not UTF-8 taken as Windows-1252, the first: "
            f"{self._phrase(self._first_mended)}"
        )

    def report(self) -> str:
        """One sentence about the bad lines; empty if there were none."""
        if self.first is None:
            return ""
        lines = "1 bad line was" if self.count == 1 else f"{self.count} bad lines were"
        done = "skipped" if self.quarantine is None else f"written to {self.quarantine}"
        return f"{lines} {done}, the first: {self._phrase(self.first)}"
