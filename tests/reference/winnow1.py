"""The slow twin of `Winnow1Engine` in `kernels/engines/winnow.pyx`: Winnow1 (Littlestone 1988)."""

from __future__ import annotations

import math

from tests.reference.engine import Row
from tests.reference.winnow import Winnow


class Winnow1(Winnow):
    """Winnow for 0/1 features that eliminates where Winnow demotes."""

    def update(self, row: Row, label: int, mistake: bool) -> bool:
        """A false negative multiplies the active weights by 1 + beta, a false positive by 0."""
        if mistake:
            for i in row:
                self.duals[i] = self.duals[i] + 1.0 if label > 0 else -math.inf
        return mistake
