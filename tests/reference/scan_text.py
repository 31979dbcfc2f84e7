"""The slow twin of `kernels/scanning/scan_text.pyx`: the features of a text, by expressions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from tests.reference.lexicon import Columns
from tests.reference.scan_rows import FaultError, ParsedLine, Scan, scan_rows

WORD = re.compile(rb"[A-Za-z0-9\x80-\xff](?:'?[A-Za-z0-9\x80-\xff])*")
#: Shortest and longest words, shortest and longest characters, window of pairs.
Wanted = tuple[int, int, int, int, int]


def sequences(things: Sequence[str], shortest: int, longest: int) -> list[Sequence[str]]:
    """All stretches of these lengths, by where they begin, then by length."""
    return [
        things[start : start + length]
        for start in range(len(things))
        for length in range(shortest, longest + 1)
        if start + length <= len(things)
    ]


def names(text: bytes, wanted: Wanted) -> Counter[str]:
    """How often each feature is in a text, in the order of first appearance, kind by kind."""
    words = [word.lower().decode("utf-8") for word in WORD.findall(text)]
    inner = re.sub(rb"[ \t\n\r\v\f]+", b" ", text.lower()).strip(b" ").decode("utf-8")
    characters = f" {inner} " if inner else " "
    found: Counter[str] = Counter()
    if wanted[1]:
        found.update(" ".join(piece) for piece in sequences(words, *wanted[:2]))
    if wanted[3]:
        found.update("c:" + "".join(piece) for piece in sequences(characters, *wanted[2:4]))
    found.update(
        f"{words[i]} ~{apart} {words[i + apart]}"
        for i in range(len(words))
        for apart in range(1, wanted[4])
        if i + apart < len(words)
    )
    return found


def scan(block: bytes, first_line: int, columns: Columns, wanted: Wanted, counts: bool) -> Scan:
    """The rows and faults of a block."""

    def parse(line: bytes, _: Columns) -> ParsedLine | None:
        if not line.strip(b" \t\n\r\v\f"):
            return None
        label, tab, text = line.partition(b"\t")
        if not tab:
            label, text = b"", line
        times = names(text, wanted)
        features = [(n.encode("utf-8"), float(k) if counts else 1.0) for n, k in times.items()]
        return ParsedLine(features, label)

    return scan_rows(block, first_line, columns, parse, lambda line: FaultError(-1, line))
