"""The slow twin of `kernels/engines/multiclass_network.pyx`: a Winnow per class and its links."""

from __future__ import annotations

from tests.reference.multiclass_engine import ClassPlayer, Row


class NetworkPlayer(ClassPlayer):
    """A link is an entry of a dict; its weight is start * base**dual."""

    def __init__(self, base: float, start: float, threshold: float) -> None:
        super().__init__()
        self.base = base
        self.start = start
        self.threshold = threshold
        self.links: dict[tuple[int, int], float] = {}

    def weight(self, r: int, i: int) -> float:
        """0 without a link."""
        dual = self.links.get((r, i))
        return 0.0 if dual is None else self.start * self.base**dual

    def update(self, row: Row, label: int, scores: list[float]) -> bool:
        """Link the row to its class; promote where a class said too little, demote where much."""
        changed = False
        self.touched |= set(row)
        for i in row:
            if (label, i) not in self.links:
                self.links[label, i] = 0.0
                changed = True
        for r, score in enumerate(scores):
            fires = score >= self.threshold
            if fires == (r == label):
                continue
            for i, x in row.items():
                if (r, i) in self.links:
                    self.links[r, i] += -x if fires else x
                    changed = True
        return changed
