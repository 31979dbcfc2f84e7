"""Objects with named fields as rows: what JSON lines and tables of Parquet have in common.

An object either has its features in a field of their own, or is flat:

    {"label": 1, "features": {"free": 1, "colour": "red"}, "weight": 2}
    {"label": 1, "free": 1, "colour": "red"}

In the first form `features` may also be a list of names, `weight` is the importance of the
example, and other fields are not read. In the second, every field but the label is a feature.
`kernels/scanning/fields.pyx` says what features a field has.
"""

from __future__ import annotations

from collections.abc import Collection
from math import isfinite
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.errors import Hint
from thresher.kernels.scanning.fields import Fields
from thresher.kernels.scanning.lexicon import Lexicon
from thresher.kernels.scanning.name_counts import NameCounts
from thresher.streams.bad_lines import COLUMN_OR_NAME
from thresher.streams.recipe import Recipe

FEATURES, WEIGHT = "features", "weight"


class Fault(NamedTuple):
    """An object that has no row: its place among those given, and what is wrong with it."""

    place: int
    found: str
    expected: str
    hint: Hint | None = None


class Read(NamedTuple):
    """The rows of some objects."""

    arrays: tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]
    label: NDArray[np.int32]
    label_names: list[str]
    importance: NDArray[np.float64] | None
    #: The places, among the objects given, of those that have a row.
    kept: NDArray[np.int64]
    #: In the order of their places.
    faults: list[Fault]


class UnsoundError(Exception):
    """An object that has no row: what was found and what was expected."""


class ObjectReader:
    """Reads objects as a recipe says, with columns from a lexicon.

    If `only` is given, no other field of a flat object is a feature; see `others`.
    """

    def __init__(
        self, recipe: Recipe, lexicon: Lexicon, only: Collection[str] | None = None
    ) -> None:
        self._fields = Fields(lexicon)
        self._label_field = recipe.label_field
        self._ignored = recipe.ignored
        self._only = only

    def read(self, objects: list[Any]) -> Read:
        """The rows of some objects, which are used up."""
        features: list[dict[str, Any] | list[str]] = []
        labels: list[str | None] = []
        weights: list[float] = []
        places: list[int] = []
        faults: list[Fault] = []
        for place, found in enumerate(objects):
            try:
                parts = self._parts(found)
            except UnsoundError as fault:
                faults.append(Fault(place, *fault.args))
                continue
            features.append(parts[0])
            labels.append(parts[1])
            weights.append(parts[2])
            places.append(place)
        row_start, column, value, refused = self._fields.pack(features)
        kept = np.array(places, np.int64)
        if refused:
            faults += [
                Fault(
                    places[at],
                    found if where == "$" else f"{found} at {where}",
                    expected,
                    COLUMN_OR_NAME if outside else None,
                )
                for at, where, found, expected, *outside in refused
            ]
            faults.sort(key=lambda fault: fault.place)
            keep = np.ones(len(kept), bool)
            keep[[at for at, *_ in refused]] = False
            kept = kept[keep]
            labels = [label for label, sound in zip(labels, keep, strict=True) if sound]
            weights = [weight for weight, sound in zip(weights, keep, strict=True) if sound]
        numbers, names = _numbered(labels)
        importance = None if all(w == 1.0 for w in weights) else np.array(weights, np.float64)
        return Read((row_start, column, value), numbers, names, importance, kept, faults)

    def names(self, found: dict[str, Any]) -> list[str]:
        """The names of the features of one object."""
        return _names("", self._parts(found)[0])

    def count_names(self, objects: list[Any], counts: NameCounts) -> None:
        """Count the names of sound objects, which are used up."""
        self._fields.count_names([self._parts(found)[0] for found in objects], counts)

    def _parts(self, found: Any) -> tuple[dict[str, Any] | list[str], str | None, float]:
        """Features, label and importance of an object."""
        if not isinstance(found, dict):
            raise UnsoundError(_shown(found), "an object with named fields")
        label = label_text(found.pop(self._label_field, None))
        features: dict[str, Any] | list[str] = found
        weight = 1.0
        if isinstance(inside := found.get(FEATURES), dict | list):
            weight = _weight(found.get(WEIGHT))
            features = inside
        if self._ignored and isinstance(features, dict):
            for name in self._ignored:
                features.pop(name, None)
        if self._only is not None and features is found:
            features = {name: found[name] for name in found if wanted(name, self._only)}
        return features, label, weight

    def others(self, found: Any) -> list[str]:
        """The fields of an object that are not read because they are not among those asked for."""
        if self._only is None or not isinstance(found, dict):
            return []
        if isinstance(found.get(FEATURES), dict | list):
            return []
        apart = (self._label_field, *self._ignored)
        return [name for name in found if not wanted(name, self._only) and name not in apart]


def wanted(name: str, fields: Collection[str]) -> bool:
    """Whether a field is read where these are; a number is a column, which has no name to know.

    >>> wanted("size", {"size"}), wanted("order", {"size"}), wanted("7", {"size"})
    (True, False, True)
    """
    return name in fields or (name.isascii() and name.isdigit())


def label_text(label: Any) -> str | None:
    """A label as text; None where there is none.

    >>> [label_text(label) for label in (1, 1.0, True, "spam", None, "")]
    ['1', '1.0', '1', 'spam', None, None]
    """
    if isinstance(label, str):
        return label or None
    if label is None:
        return None
    if isinstance(label, bool):
        return str(int(label))
    if isinstance(label, int | float):
        return str(label) if abs(label) < 10**30 else _not_a_label(label)
    return _not_a_label(label)


def _not_a_label(label: Any) -> str:
    raise UnsoundError(f"the label {_shown(label)}", "a label that is a number or a string")


def _weight(weight: Any) -> float:
    if weight is None:
        return 1.0
    number = isinstance(weight, int | float) and not isinstance(weight, bool)
    if not number or not 0 <= weight < 1e300 or not isfinite(weight):
        raise UnsoundError(f"the weight {_shown(weight)}", "a weight that is a number, 0 or more")
    return float(weight)


def _numbered(labels: list[str | None]) -> tuple[NDArray[np.int32], list[str]]:
    number: dict[str | None, int] = {None: -1}
    for label in labels:
        if label not in number:
            number[label] = len(number) - 1
    found = np.array([number[label] for label in labels], np.int32)
    return found, [name for name in number if name is not None]


def _names(prefix: str, fields: Any) -> list[str]:
    if isinstance(fields, list):
        return [prefix + name for name in fields]
    names: list[str] = []
    for key, content in fields.items():
        name = prefix + key
        if isinstance(content, dict):
            names += _names(f"{name}.", content)
        elif isinstance(content, list):
            names += [f"{name}={item}" for item in content if item]
        elif isinstance(content, str):
            names += [f"{name}={content}"] if content else []
        elif content:
            names.append(name)
    return names


def _shown(found: Any) -> str:
    text = repr(found)
    return text if len(text) <= 40 else text[:37] + "..."
