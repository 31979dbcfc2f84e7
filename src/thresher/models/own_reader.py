"""Which data the verifier reads by its own reader, and what else it must know of the rest."""

from __future__ import annotations

from glob import has_magic
from typing import TYPE_CHECKING

from thresher.verifier import ALGORITHMS, reads_as_svmlight

if TYPE_CHECKING:
    from thresher.models.input_data import InputData
    from thresher.verifier import Certificate


def reads_own(data: InputData, reader: str = "auto") -> bool:
    """Whether the own reader reads these files, as `reader` ("own", "streams", "auto") says.

    By itself it reads svmlight about whose lines nothing else was said.
    """
    if reader != "auto":
        return reader == "own"
    form = data.given.get("format")
    asked = data.vocabulary or data.on_bad[0] != "stop" or "pairs" in data.given
    if form not in (None, "svmlight") or asked:
        return False
    return form == "svmlight" or reads_as_svmlight(own_paths(data))


def own_paths(data: InputData) -> tuple[str, ...]:
    """The files by name, patterns being written out."""
    if not any(map(has_magic, data.paths)):
        return data.paths
    # Who reads by itself needs nothing of the streams, unless it is asked for patterns.
    from thresher.streams.sources.source import expanded  # noqa: PLC0415

    return tuple(expanded(data.paths))


def strongest_counts(claimed: Certificate) -> bool:
    """Whether, to the certified learner, the strongest of the names counts that share a column."""
    name, parameters = claimed.learner, claimed.parameters
    while isinstance(inner := parameters.get("learner"), dict):
        name, parameters = inner["name"], inner["parameters"]
    return ALGORITHMS[name].strongest
