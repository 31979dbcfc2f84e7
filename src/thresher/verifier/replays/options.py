"""Options that learners share, as certificates state them and replays apply them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from thresher.verifier.compiled.scaling import scaled_values
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.playing import Parameters
from thresher.verifier.shapes import SHORT_NUMBER, Text

#: How rows can be scaled before anything else is done to them.
SCALINGS = ("l2", "l1", "max", "online")


def double(low: float, high: float) -> Text:
    """A number that is a double, from low to high, written as a fraction.

    >>> double(0.0, 1.0).must
    'a double from 0 to 1, written as a fraction such as 3/8'
    """

    def sound(text: str) -> bool:
        number = Fraction(text)
        # Compared first: a fraction beyond all doubles has none to be compared with.
        return low <= number <= high and Fraction(float(number)) == number

    return Text(
        f"a double from {low:g} to {high:g}, written as a fraction such as 3/8",
        SHORT_NUMBER,
        sound,
        exact=True,
    )


WEIGHT_OF_A_CLASS = double(0.0, 1e9)
#: What most learners take, and what it is where nothing was asked for.
OPTIONS: dict[str, Any] = {
    "class_weight": ({"negative": WEIGHT_OF_A_CLASS, "positive": WEIGHT_OF_A_CLASS}, None),
    "scaling": (*SCALINGS, None),
}
PLAIN: dict[str, Any] = {"class_weight": None, "scaling": None}
AVERAGE = {"average": bool}
NO_AVERAGE = {"average": False}


def class_weights(parameters: Parameters) -> tuple[float, float]:
    """What the negative and the positive class weigh."""
    given: Mapping[str, Any] | None = parameters.get("class_weight")
    if given is None:
        return 1.0, 1.0
    return float(given["negative"]), float(given["positive"])


def scales_online(parameters: Parameters) -> bool:
    """Whether features are divided by the largest value that changed the learner so far."""
    return bool(parameters.get("scaling") == "online")


def scaled_rows(stream: LabelledRows, parameters: Parameters) -> LabelledRows:
    """The rows divided by their length, sum or largest value, where that was asked for.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> scaled_rows(read_rows([[3, -4]], [1]), {"scaling": "l2"}).value.tolist()
    [0.6, -0.8]
    """
    kind = parameters.get("scaling")
    if kind is None or kind == "online" or not len(stream.value):
        return stream
    value = scaled_values(stream.row_start, stream.value, str(kind))
    return LabelledRows(stream.row_start, stream.column, value, stream.label, stream.classes)
