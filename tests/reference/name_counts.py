"""The slow twin of `kernels/scanning/name_counts.pyx`: a bounded dict of names."""

from __future__ import annotations


class Counts:
    """In how many rows each name was; the rarest, and of these the latest, are dropped."""

    def __init__(self, limit: int, max_bytes: int) -> None:
        self.limit, self.max_bytes = limit, max_bytes
        self.rows: dict[bytes, int] = {}
        self.dropped = 0

    def count_row(self, names: list[bytes]) -> None:
        counted: set[bytes] = set()
        for name in names:
            if len(name) > min(512, self.max_bytes // 4) or self.limit < 1:
                self.dropped += 1
                continue
            if name not in self.rows:
                used = sum(map(len, self.rows)) + len(name)
                if len(self.rows) >= self.limit or used > self.max_bytes:
                    counted &= self.drop()
                self.rows[name] = 0
            if name not in counted:
                counted.add(name)
                self.rows[name] += 1

    def drop(self) -> set[bytes]:
        """Half of the limits stays, in their order."""
        stay: set[bytes] = set()
        used = 0
        for name in sorted(self.rows, key=lambda name: -self.rows[name]):
            used += len(name)
            if len(stay) >= self.limit // 2 or used > self.max_bytes // 2:
                break
            stay.add(name)
        self.dropped += len(self.rows) - len(stay)
        self.rows = {name: rows for name, rows in self.rows.items() if name in stay}
        return stay
