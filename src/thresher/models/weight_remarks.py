"""What is said in the end of weights that classes were given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thresher.models.arrangement import Arrangement
    from thresher.streams.label_scheme import LabelScheme


def weight_remarks(
    arrangement: Arrangement, scheme: LabelScheme, labels: Iterable[str]
) -> Iterator[str]:
    """Which weights were of no use, or left nothing to learn, for rows with these labels."""
    given, found = arrangement.class_weight or {}, {*labels}
    if scheme.rest and found - {scheme.positive}:
        # Where one label was chosen, all others have one name.
        found.add(f"not {scheme.positive}")
    for label in given:
        if label not in found:
            yield f"no row has the label {label}, which was given a weight."
    if found and not any(given.get(label, 1.0) for label in found):
        yield (
            "every class has the weight 0, so that none was learned: give one of them more, or "
            "leave the weights out."
        )
