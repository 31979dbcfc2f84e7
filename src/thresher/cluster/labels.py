"""What labels mean, once all shards have seen theirs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from thresher.errors import LabelError
from thresher.models.events import LabelNeverSeen, Warned
from thresher.models.label_remarks import label_remarks
from thresher.models.weight_remarks import weight_remarks

if TYPE_CHECKING:
    from thresher.models.training_request import TrainingRequest
    from thresher.streams.label_scheme import LabelScheme


class SawLabels(Protocol):
    """What became of a shard, as far as labels go."""

    @property
    def label_names(self) -> tuple[str, ...]:
        """Labels in order of appearance."""

    @property
    def negative(self) -> str | None:
        """What counts as -1, if only the rows could tell."""


def labels_of(scheme: LabelScheme, results: Sequence[SawLabels]) -> LabelScheme:
    """What labels mean, now that all were seen; shards that disagree are refused."""
    if scheme.several:
        return scheme
    if scheme.rest:
        seen = {name for result in results for name in result.label_names}
        others = sorted(seen - {scheme.positive})
        named = len(others) == 1 and scheme.positive in seen
        return replace(scheme, negative=others[0] if named else None)
    negatives = [result.negative for result in results if result.negative is not None]
    if len(set(negatives)) > 1:
        first, other = dict.fromkeys(negatives)
        raise LabelError(
            f"some shards have the labels {first} and {scheme.positive}, others {other} and "
            f"{scheme.positive}.",
            "Say to train which one counts as +1: positive=. Every other then counts as -1.",
        )
    return replace(scheme, negative=negatives[0] if negatives else scheme.negative)


def said_of_labels(
    request: TrainingRequest, scheme: LabelScheme, results: Sequence[SawLabels]
) -> Iterator[LabelNeverSeen | Warned]:
    """What is to be said of labels in the end of a run, as on one machine."""
    found = [*dict.fromkeys(name for result in results for name in result.label_names)]
    # Who goes on with a run may have met others before; who finds nothing to do has met none.
    if found and request.resume is None:
        yield from label_remarks(scheme, found)
        yield from map(Warned, weight_remarks(request.arrangement, scheme, found))
