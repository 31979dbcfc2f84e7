"""The slow twin of `kernels/scanning/byte_table.pyx`: a dict."""

from __future__ import annotations


class Numbers(dict[bytes, int]):
    """Numbers 0, 1, 2, ... for byte strings in the order in which they first come."""

    def take(self, text: bytes) -> int:
        return self.setdefault(text, len(self))

    def shorten(self, n: int) -> None:
        for text in list(self)[n:]:
            del self[text]
