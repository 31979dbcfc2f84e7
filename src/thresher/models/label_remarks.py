"""What is to be said in the end of the labels that a run has met."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from thresher.models.events import LabelNeverSeen, Warned

if TYPE_CHECKING:
    from thresher.streams.label_scheme import LabelScheme


def label_remarks(scheme: LabelScheme, found: Sequence[str]) -> Iterator[LabelNeverSeen | Warned]:
    """Whether these labels, all that there are, left something to tell apart."""
    if scheme.rest:
        if scheme.positive not in found:
            yield LabelNeverSeen(str(scheme.positive), tuple(found))
    elif len(found) == 1:
        yield Warned(f"every row has the label {found[0]}: there is nothing to tell it from.")
