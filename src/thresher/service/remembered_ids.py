"""RememberedIds: which ids may be in a table that is far away, without asking it.

A question to a database on another machine takes as long as many predictions, and nearly all
ids of events are new.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

#: Ids that are kept one by one before they join the others.
FEW = 50_000


class RememberedIds:
    """For each model the hashes of its ids: eight bytes an id.

    >>> ids = RememberedIds()
    >>> ids.begin(1, ["a", "b"])
    >>> ids.add(1, ["c"])
    >>> [ids.may_have(1, ident) for ident in "abcd"], ids.may_have(2, "a")
    ([True, True, True, False], True)
    """

    def __init__(self) -> None:
        self._many: dict[int, NDArray[np.int64]] = {}
        self._few: dict[int, set[int]] = {}

    def begin(self, model: int, idents: Iterable[str]) -> None:
        """From here on these are all ids of a model, and those that are added."""
        self._many[model] = np.unique(np.fromiter(map(hash, idents), np.int64))
        self._few[model] = set()

    def add(self, model: int, idents: Iterable[str]) -> None:
        """More ids of a model."""
        few = self._few.get(model)
        if few is None:
            return
        few.update(map(hash, idents))
        if len(few) > FEW:
            self._many[model] = np.union1d(self._many[model], np.fromiter(few, np.int64))
            self._few[model] = set()

    def count(self, model: int) -> int:
        """How many are remembered, those included that the table has let go of."""
        return len(self._many.get(model, ())) + len(self._few.get(model, ()))

    def forget(self, model: int) -> None:
        """Know nothing of a model."""
        self._many.pop(model, None)
        self._few.pop(model, None)

    def may_have(self, model: int, ident: str) -> bool:
        """Whether an id may be one of a model's; False is certain."""
        many = self._many.get(model)
        if many is None:
            return True
        wanted = hash(ident)
        if wanted in self._few[model]:
            return True
        place = int(np.searchsorted(many, wanted))
        return place < len(many) and int(many[place]) == wanted
