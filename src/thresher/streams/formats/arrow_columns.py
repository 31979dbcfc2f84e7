"""Rows from the columns of an Arrow table, a column at a time: fast, for tables that are simple.

Simple are tables of numbers, strings and truth values, and those with one map from names to
numbers called `features`. For any other, and for a batch with anything odd in it, the answer is
None: then rows are read one by one, by `objects.py`, which also has the words for what is wrong.
What both read is the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import DimensionError
from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning.fields import pack_entries
from thresher.kernels.scanning.lexicon import Lexicon
from thresher.streams.formats.objects import FEATURES, WEIGHT, Read, UnsoundError, label_text
from thresher.streams.recipe import Recipe

_Entries = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]


class ColumnReader:
    """Reads record batches, with names that are hashed."""

    def __init__(self, arrow: Any, recipe: Recipe, names: NameTable) -> None:
        self._arrow = arrow
        self._label_field = recipe.label_field
        self._names = names

    def read(self, batch: Any) -> Read | None:
        """The rows of a batch, or None if it is not simple."""
        try:
            entries = self._entries(batch)
            labels = self._labels(batch)
        except (DimensionError, UnsoundError):
            return None
        arrays = None if entries is None else pack_entries(*entries, Lexicon(self._names))
        weight = self._weight(batch)
        if arrays is None or weight is None:
            return None
        importance = None if bool(np.all(weight == 1.0)) else weight
        return Read(arrays, *labels, importance, np.arange(batch.num_rows), [])

    def _entries(self, batch: Any) -> _Entries | None:
        """Where the entries of each row are, their columns and values, in no order."""
        if self._has_features_apart(batch):
            return self._map_entries(batch.column(FEATURES))
        fields = [name for name in batch.schema.names if name != self._label_field]
        n_rows = batch.num_rows
        place = np.empty((n_rows, len(fields)), np.int32)
        value = np.empty((n_rows, len(fields)), np.float64)
        for k, name in enumerate(fields):
            found = self._column(name, batch.column(name))
            if found is None:
                return None
            place[:, k], value[:, k] = found
        start = np.arange(n_rows + 1, dtype=np.int64) * len(fields)
        return start, place.ravel(), value.ravel()

    def _column(self, name: str, column: Any) -> tuple[Any, Any] | None:
        """The place of each cell of a column, and its value, 0 for none."""
        types = self._arrow.types
        kind = column.type
        if types.is_string(kind) or types.is_large_string(kind):
            encoded = column.dictionary_encode()
            texts = encoded.dictionary.to_pylist()
            places = self._places([f"{name}={text}" if text else "" for text in texts])
            empty = np.array([not text for text in texts], bool)
            codes = encoded.indices.fill_null(len(texts)).to_numpy(zero_copy_only=False)
            return np.append(places, -1)[codes], np.append(~empty, False)[codes]
        if types.is_null(kind):
            return -1, 0.0
        if types.is_boolean(kind) or types.is_integer(kind) or types.is_floating(kind):
            filled = column.fill_null(False if types.is_boolean(kind) else 0)
            return self._places([name])[0], filled.to_numpy(zero_copy_only=False)
        return None

    def _places(self, names: list[str]) -> NDArray[np.int32]:
        columns = Lexicon(self._names, False).columns_of([name.encode() for name in names])
        return np.array(columns, np.int32)

    def _has_features_apart(self, batch: Any) -> bool:
        names = batch.schema.names
        return FEATURES in names and self._arrow.types.is_map(batch.schema.field(FEATURES).type)

    def _map_entries(self, column: Any) -> _Entries | None:
        types = self._arrow.types
        numbers = types.is_integer(column.type.item_type) or types.is_floating(
            column.type.item_type
        )
        if not numbers or column.null_count or column.items.null_count:
            return None
        start = column.offsets.to_numpy().astype(np.int64)
        first, last = int(start[0]), int(start[-1])
        encoded = column.keys.slice(first, last - first).dictionary_encode()
        places = self._places(encoded.dictionary.to_pylist())
        value = column.items.slice(first, last - first).to_numpy(zero_copy_only=False)
        return start - first, places[encoded.indices.to_numpy()], value.astype(np.float64)

    def _labels(self, batch: Any) -> tuple[NDArray[np.int32], list[str]]:
        if self._label_field not in batch.schema.names:
            return np.full(batch.num_rows, -1, np.int32), []
        encoded = batch.column(self._label_field).dictionary_encode()
        number: dict[str | None, int] = {None: -1}
        for label in map(label_text, encoded.dictionary.to_pylist()):
            number.setdefault(label, len(number) - 1)
        by_code = [number[label_text(label)] for label in encoded.dictionary.to_pylist()]
        codes = encoded.indices.fill_null(len(by_code)).to_numpy(zero_copy_only=False)
        names = [name for name in number if name is not None]
        return np.array([*by_code, -1], np.int32)[codes], names

    def _weight(self, batch: Any) -> NDArray[np.float64] | None:
        """The importance of each row; None if one of them cannot be."""
        if not self._has_features_apart(batch) or WEIGHT not in batch.schema.names:
            return np.ones(batch.num_rows)
        column, types = batch.column(WEIGHT), self._arrow.types
        if not (types.is_integer(column.type) or types.is_floating(column.type)):
            return None
        weight = column.fill_null(1).to_numpy(zero_copy_only=False).astype(np.float64)
        return weight if bool(np.all((weight >= 0) & (weight < 1e300))) else None
