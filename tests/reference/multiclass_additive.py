"""The slow twin of `kernels/engines/multiclass_additive.pyx`: weights in a dict."""

from __future__ import annotations

from tests.reference.multiclass_engine import ClassPlayer, Row


class AdditivePlayer(ClassPlayer):
    """The multiclass Perceptron."""

    def __init__(self, n_classes: int = 0, bias: bool = False, spread: bool = False) -> None:
        super().__init__(n_classes, bias)
        self.spread = spread
        self.weights: dict[tuple[int, int], float] = {}

    def weight(self, r: int, i: int) -> float:
        """0 until an update."""
        return self.weights.get((r, i), 0.0)

    def update(self, row: Row, label: int, scores: list[float]) -> bool:
        """W_r += step_r x."""
        return self.add(row, self.blame(label, scores, self.spread))

    def add(self, row: Row, steps: dict[int, float]) -> bool:
        """Add multiples of the row to the weights of some classes."""
        if not steps:
            return False
        entries = self.entries(row)
        self.touched |= {i for i, _ in entries}
        for i, x in entries:
            for r, step in steps.items():
                moved = self.weight(r, i) + step * x
                self.weights[r, i] = min(max(moved, -1e150), 1e150)
        return bool(entries)


class PassiveAggressivePlayer(AdditivePlayer):
    """Multiclass PA (variant 0), PA-I and PA-II."""

    def __init__(self, variant: int, aggressiveness: float, bias: bool = False) -> None:
        super().__init__(0, bias)
        self.variant = variant
        self.aggressiveness = aggressiveness

    def update(self, row: Row, label: int, scores: list[float]) -> bool:
        """The smallest step that makes the label win by 1."""
        others = [r for r in range(len(scores)) if r != label]
        if not others:
            return False
        rival = max(others, key=scores.__getitem__)
        loss = 1.0 - (scores[label] - scores[rival])
        norm = 1.0 if self.bias else 0.0
        for _, x in sorted(row.items()):
            norm += x * x
        if loss <= 0.0 or norm == 0.0:
            return False
        if self.variant == 2:
            step = loss / (2.0 * norm + 0.5 / self.aggressiveness)
        else:
            step = loss / (2.0 * norm)
            if self.variant == 1:
                step = min(step, self.aggressiveness)
        if step == 0.0:
            return False
        return self.add(row, {label: step, rival: -step})
