"""What is wrong with a line of svmlight text, in words."""

from __future__ import annotations

import re

from thresher.errors import BadLineError, Hint
from thresher.verifier.readers.text_blocks import Block

#: Columns there may be: the largest is 2^31 - 2.
MOST_COLUMNS = 2**31 - 1
#: As the compiled scanner gives it: its kind, where the line begins, where the bytes at fault
#: do, and the index that is there twice.
Fault = tuple[int, int, int, int]

_TOKEN = re.compile(rb"[^ \t\r\n#]*")
_INDEX_RANGE, _TWICE = 4, 7
_EXPECTED = {
    1: "a label at the start of the line",
    2: "a label in UTF-8, without control characters",
    3: "a feature such as 7:1 or 7:0.5",
    5: "a decimal number behind the colon",
    6: "a number that is finite in double precision",
    _TWICE: "each index once in a line",
}


def bad_line(
    block: Block, line: int, fault: Fault, n_columns: int, one_based: bool
) -> BadLineError:
    """A fault in words."""
    kind, _, at, index = fault
    token = _TOKEN.match(block.text, at, at + 60)
    found = repr(token[0][:40].decode("utf-8", "backslashreplace")) if token else ""
    hint, expected = Hint(BadLineError.code), _EXPECTED.get(kind, "")
    if kind == _TWICE:
        found = f"index {index} twice"
    elif kind == _INDEX_RANGE:
        first = int(one_based)
        expected = f"an index from {first} to {n_columns - 1 + first}"
        if n_columns < MOST_COLUMNS:
            hint = Hint("line.column", "A larger n_columns allows more.")
    return BadLineError(
        f"{block.file}:{line}: found {found}, expected {expected}.",
        hint.remedy,
        code=hint.code,
        file=block.file,
        line=line,
    )
