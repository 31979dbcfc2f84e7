"""Which rounds were mistaken, as a certificate carries it: a bit per round, compressed.

With them the weights before any round are known, so that several workers can each check a
range of rounds: every one of them must be mistaken exactly when the list says so.
"""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode

import numpy as np
from numpy.typing import NDArray

from thresher.errors import CertificateError
from thresher.verifier.shapes import Text

#: Characters that the list may take; a certificate then stays below a megabyte.
MOST_CHARACTERS = 900_000
ENCODED = Text(
    "bytes in base 64",
    r"[A-Za-z0-9+/]{0,%d}={0,2}" % MOST_CHARACTERS,  # noqa: UP031
)


def encoded(mistaken: NDArray[np.int64], rounds: int) -> str | None:
    """The list in base 64, or None where it would take too much room.

    >>> encoded(np.array([0, 2]), 9)
    'eNpbwAAAAUIAoQ=='
    """
    bits = np.zeros(rounds, np.uint8)
    bits[mistaken] = 1
    text = b64encode(zlib.compress(np.packbits(bits).tobytes(), 9)).decode()
    return text if len(text) <= MOST_CHARACTERS else None


def decoded(text: str, rounds: int) -> NDArray[np.int64]:
    """The mistaken rounds; a text that is not about so many rounds is refused.

    The memory this takes goes by `rounds`, which must be the number of rows that were read.

    >>> decoded('eNpbwAAAAUIAoQ==', 9).tolist()
    [0, 2]
    """
    path = "$.run.mistaken_rounds"
    size = -(-rounds // 8)
    try:
        stream = zlib.decompressobj()
        # One byte more than there can be shows that there are too many, however many there are.
        raw = stream.decompress(b64decode(text, validate=True), size + 1)
    except (ValueError, zlib.error):
        raise CertificateError.must_be(path, "compressed bits in base 64", text) from None
    if len(raw) != size or not stream.eof or stream.unused_data:
        raise CertificateError.must_be(path, f"a bit for each of {rounds} rounds", len(raw))
    bits = np.unpackbits(np.frombuffer(raw, np.uint8))
    found = np.flatnonzero(bits)
    if len(found) and found[-1] >= rounds:
        raise CertificateError.must_be(path, f"a bit for each of {rounds} rounds", int(found[-1]))
    return found


def read_list(text: str, rounds: int) -> NDArray[np.int64] | None:
    """The mistaken rounds, or None where a text is not about so many rounds.

    >>> read_list("eNpbwAAAAUIAoQ==", 9).tolist(), read_list("eNpbwAAAAUIAoQ==", 99)
    ([0, 2], None)
    """
    try:
        return decoded(text, rounds)
    except CertificateError:
        return None
