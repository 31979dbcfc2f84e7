"""Data in another format than the model's: what to do about it at the command line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from thresher.errors import BadLineError, OtherFormatError


@contextmanager
def naming_the_option(remedy: str = "say --format {}") -> Iterator[None]:
    """Errors about a format that the name of a file tells, with the option that says it."""
    try:
        yield
    except OtherFormatError as error:
        hint = error.hint(remedy.format(error.named))
        raise BadLineError(error.where_and_what, hint) from error
