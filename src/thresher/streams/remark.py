"""Remark: something to know about how data was read, which is no fault."""

from __future__ import annotations

from typing import NamedTuple

from thresher.errors import Hint
from thresher.errors.error import joined

#: What is said of a file whose last line is not ended.
UNENDED = "the last line has no end: was the file complete?"


class Remark(NamedTuple):
    """What was noticed, and what can be done about it.

    >>> print(Remark("a.csv: the column 'id' differs in every row", Hint("x", "Leave it out.")))
    a.csv: the column 'id' differs in every row. Leave it out.
    """

    what: str
    #: What can be done about it, if something can.
    hint: Hint | None = None

    def __str__(self) -> str:
        return joined(self.what, self.hint.remedy if self.hint else "")
