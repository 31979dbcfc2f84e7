"""Files and pipes that cannot be read or written, and lines in them."""

from __future__ import annotations

import os
from errno import EACCES, ENOENT, EROFS
from typing import Any

from thresher.errors.error import ThresherError
from thresher.errors.rows import DimensionError, FeatureRangeError, HeavyRowError, RowError


class SourceError(ThresherError):
    """A file or pipe that cannot be read: missing, a directory, cut short, damaged."""

    code = "source"

    def __init__(
        self, file: str, what: str, hint: str = "", *, code: str | None = None, **fields: Any
    ) -> None:
        super().__init__(f"{file}: {what}.", hint, code=code, file=file, **fields)


class FormatError(ThresherError):
    """A format that is unknown, or that name and content do not reveal."""

    code = "format"


class BinaryFileError(ThresherError):
    """A binary file that is damaged, cut short, or of a kind this version cannot read."""

    code = "binary"

    def __init__(
        self, file: str, what: str, do: str, *, code: str | None = None, **fields: Any
    ) -> None:
        super().__init__(f"{file}: {what}.", do, code=code, file=file, **fields)


class BadLineError(ThresherError):
    """A line that could not be read, where the reader was told to stop."""

    code = "line"


class OtherFormatError(BadLineError):
    """A bad line in data that looks like another format than the one it was read in."""

    code = "line.other_format"

    def __init__(
        self, what: str, read_as: str, named: str, *, by_name: bool = False, resumed: bool = False
    ) -> None:
        why = "" if by_name else ", like the model's training data"
        super().__init__(
            f"{what.rstrip('.')}. It was read as {read_as}{why}.",
            f"If it is {named}, say format={named!r}.",
            code="line.other_format_resumed" if resumed else None,
            read_as=read_as,
            named=named,
        )


class StreamFaultError(ThresherError):
    """A row that was read correctly but cannot be learned; the message says where it is."""

    code = "fault"

    @classmethod
    def at(
        cls,
        file: str,
        line: int,
        error: RowError | DimensionError | FeatureRangeError | HeavyRowError,
    ) -> StreamFaultError:
        """An error about a row, with file and line; code and fields are those of the error.

        >>> print(StreamFaultError.at("a.svm", 7, DimensionError(3, 5, 4)))
        a.svm:7: feature index 5 is outside the learner's 4 weights (valid indices are 0 to 3). \
Create the learner with n_features=6 or more.
        """
        fields = error.fields | {"file": file, "line": line}
        return cls(f"{file}:{line}: {error.detail}", error.remedy, code=error.code, **fields)


class NotWritableError(ThresherError):
    """Rows that the requested format cannot hold."""

    code = "writing"


class OutputError(ThresherError, OSError):
    """A file that cannot be written; what was there before is still there.

    >>> error = OutputError.of("no such folder/m.txt", FileNotFoundError(2, "No such file"))
    >>> print(error)
    no such folder/m.txt: there is no folder no such folder. Make it first.
    >>> isinstance(error, OSError), error.errno, error.filename
    (True, 2, 'no such folder/m.txt')
    """

    code = "output"

    def __init__(self, file: str, what: str, hint: str = "", *, error: OSError) -> None:
        reason = error.strerror or str(error) or type(error).__name__
        super().__init__(f"{file}: {what}.", hint, file=file, errno=error.errno, reason=reason)

    @classmethod
    def of(cls, file: str, error: OSError) -> OutputError:
        """The system's error, about the file that was asked for."""
        folder = os.path.dirname(file) or "."
        if error.errno == ENOENT and not os.path.isdir(folder):
            return cls(file, f"there is no folder {folder}", "Make it first.", error=error)
        if error.errno in (EACCES, EROFS) and not os.path.exists(file):
            return cls(file, f"the folder {folder} is not writable", error=error)
        kept = "the old file is unchanged" if os.path.isfile(file) else "nothing was written"
        reason = error.strerror or str(error)
        return cls(file, f"it could not be written ({reason}); {kept}", error=error)

    @property
    def errno(self) -> int | None:  # type: ignore[override]
        """The number that the system has for the error."""
        found: int | None = self.fields["errno"]
        return found

    @property
    def strerror(self) -> str:  # type: ignore[override]
        """What the system said."""
        return str(self.fields["reason"])

    @property
    def filename(self) -> str:
        """The file that was asked for."""
        return str(self.fields["file"])


class MissingPackageError(ThresherError):
    """An optional package is needed and not installed."""

    code = "package"

    def __init__(self, what: str, package: str, extra: str) -> None:
        super().__init__(
            f"{what} needs the package {package}, which is not installed.",
            f"Install it with: pip install 'thresher[{extra}]'",
            package=package,
            extra=extra,
        )
