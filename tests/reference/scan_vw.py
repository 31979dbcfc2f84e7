"""The slow twin of `kernels/scanning/scan_vw.pyx`: Vowpal Wabbit text, a line at a time."""

from __future__ import annotations

import math
import re

from tests.reference.lexicon import Columns, OutsideError
from tests.reference.scan_rows import FaultError, ParsedLine, Scan, scan_rows

NUMBER = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
SPACE = bytes(range(33))
WORD = re.compile(rb"[^\x00-\x20|]+")
# A name, or a name, a colon and the next word, which may stand behind white space.
FEATURE = re.compile(rb"[^\x00-\x20|:]*:[\x00-\x20]*[^\x00-\x20|]*|[^\x00-\x20|:]+")


def number(text: bytes) -> float | None:
    """A number that is finite."""
    value = float(text) if NUMBER.fullmatch(text) else math.nan
    return value if math.isfinite(value) else None


def parse_head(head: bytes, ignore_initial: bool) -> tuple[bytes, float]:
    """Label and importance from what stands before the first bar."""
    words = WORD.findall(head)
    if words and (head.endswith(words[-1]) or words[-1].startswith(b"'")):
        words.pop()
    if len(words) > 3:
        raise FaultError(5, head)
    label, importance = b"", 1.0
    if words:
        label = words[0]
        if b":" in label or b"," in label or label == b"shared":
            raise FaultError(2, label)
    if len(words) > 1:
        weight = number(words[1])
        if weight is None or weight < 0:
            raise FaultError(3, words[1])
        importance = weight
    initial = number(words[2]) if len(words) > 2 else 0.0
    if initial is None or (initial != 0.0 and not ignore_initial):
        raise FaultError(4, words[2])
    return label, importance


def parse_namespace(word: bytes) -> tuple[bytes, float]:
    """What precedes the names of a namespace, and its weight, from the word at its bar."""
    name, colon, weight = word.partition(b":")
    if len(name) > 256:
        raise FaultError(7, b"|" + name)
    scale = number(weight) if colon else 1.0
    if scale is None or (colon and not name):
        raise FaultError(6, b"|" + word)
    return name + b"^" if name else b"", scale


def parse_feature(word: bytes, prefix: bytes, scale: float, nameless: int) -> tuple[bytes, float]:
    """The name and the value of a feature; the number of one that has no name."""
    name, colon, text = word.partition(b":")
    text = text.lstrip(SPACE)
    if not colon:
        return prefix + name, scale
    if re.match(rb"[^0-9.+-]", text) and text.lower() not in (b"nan", b"inf", b"infinity"):
        return prefix + name + b"^" + text, 1.0
    given = number(text)
    if given is None or not math.isfinite(given * scale):
        raise FaultError(8, word.rstrip(SPACE))
    return prefix + (name or str(nameless).encode()), given * scale


def parse(line: bytes, columns: Columns, ignore_initial: bool = False) -> ParsedLine | None:
    """A line taken apart; None if it is blank."""
    bare = line.lstrip(SPACE)
    if not bare:
        return None
    head, bar, rest = line.partition(b"|")
    if not bar:
        raise FaultError(1, bare)
    label, importance = parse_head(head, ignore_initial)
    features = []
    for part in rest.split(b"|"):
        at_bar = re.match(rb"[^\x00-\x20]*", part)
        assert at_bar
        prefix, scale = parse_namespace(at_bar.group())
        nameless = 0
        for word in FEATURE.findall(part[at_bar.end() :]):
            name, value = parse_feature(word, prefix, scale, nameless)
            nameless += word.startswith(b":") and not name.startswith(prefix + b"^")
            try:
                columns.column_of(name)
            except OutsideError:
                raise FaultError(9, word.partition(b":")[0] or WORD.findall(word)[0]) from None
            features.append((name, value))
    return ParsedLine(features, label, importance)


def scan(block: bytes, first_line: int, columns: Columns, ignore_initial: bool = False) -> Scan:
    """The rows and faults of a block."""
    return scan_rows(
        block,
        first_line,
        columns,
        lambda line, columns: parse(line, columns, ignore_initial),
        lambda line: FaultError(10, line[line.index(b"|") :]),
    )
