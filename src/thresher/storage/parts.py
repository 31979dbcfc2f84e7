"""What learners hold beside plain values: journals, tables of names, and other learners."""

from __future__ import annotations

from typing import Any

import numpy as np

from thresher.errors import NotStorableError
from thresher.kernels.rows.journal import JournalBuffer, restored
from thresher.kernels.rows.named_rows import LARGEST_GROWN_INDEX, NameTable
from thresher.learners.base.learner import Learner
from thresher.learners.registry import LEARNERS, learner_class
from thresher.names.tables import Hashed, Vocabulary
from thresher.parameters import MAX_FEATURES
from thresher.storage.packing import (
    Kind,
    Packer,
    Unpacker,
    packed_texts,
    unpacked_texts,
)
from thresher.streams.batch import Batch
from thresher.streams.rows import ones

JOURNAL_ARRAYS = {
    "row_start": "i8", "column": "i4", "value": "f8", "label": "i1", "round_number": "i8",
}  # fmt: skip


def _whole(value: Any, what: str, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError(f"{what} must be a whole number from 0 to {most}")
    return value


def _truth(value: Any, what: str) -> bool:
    if type(value) is not bool:
        raise ValueError(f"{what} must be true or false")
    return value


# ---- journals ---------------------------------------------------------------------------------


def _pack_journal(packer: Packer, journal: JournalBuffer, place: str) -> dict[str, Any]:
    found: dict[str, Any] = {"limit": journal.limit}
    if packer.journal:
        parts = dict(zip(JOURNAL_ARRAYS, journal.parts(), strict=True))
        for name, array in parts.items():
            if array is not None:
                packer.put(array, f"{place}.{name}")
        weights = journal.weights()
        if weights is not None:
            packer.put(weights, f"{place}.importance")
        found |= {"weighted": journal.weighted, "importance": weights is not None}
        found |= {"ones": parts["value"] is None}
        return found | {"rows": place, "omitted": journal.omitted, "warned": journal.warned}
    # Asked for: nobody needs to be warned.
    found |= {"weighted": journal.weighted, "importance": False}
    return found | {"rows": None, "omitted": journal.omitted + len(journal), "warned": True}


def _unpack_journal(unpacker: Unpacker, content: dict[str, Any]) -> JournalBuffer:
    limit = _whole(content["limit"], "the limit of a journal", 2**48)
    omitted = _whole(content["omitted"], "the number of omitted updates", 2**62)
    warned = _truth(content["warned"], "whether somebody was warned")
    weighted = _truth(content["weighted"], "whether some updates weighed more than others")
    has_weights = _truth(content["importance"], "whether the weights of the updates are kept")
    place = content["rows"]
    if place is None or not unpacker.journal:
        kept = 0 if place is None else len(unpacker.tensors[f"{place}.label"])
        empty = JournalBuffer(limit).parts()
        told = warned or place is not None
        return restored(limit, empty, omitted + kept, told, (weighted, None))
    # Files of the first days have the ones as well.
    all_ones = _truth(content.get("ones", False), "whether all values of the updates are 1")
    parts: dict[str, Any] = {
        name: np.ascontiguousarray(unpacker.take(f"{place}.{name}", kind))
        for name, kind in JOURNAL_ARRAYS.items()
        if name != "value" or not all_ones
    }
    row_start, column, label, round_number = (
        parts[name] for name in ("row_start", "column", "label", "round_number")
    )
    value = None if all_ones else parts["value"]
    weights = unpacker.take(f"{place}.importance", "f8") if has_weights else None
    values = ones(column.size) if value is None else value
    rows = Batch(row_start, column, values, label, importance=weights)
    if has_weights and not (weighted and rows.importance is not None):
        raise ValueError("the weights of the updates are all 1")
    if round_number.shape != label.shape or np.any(np.diff(round_number, prepend=-1) <= 0):
        raise ValueError("the rounds of a journal must increase, one for each row")
    arrays = (row_start, column, value, label, round_number)
    found = restored(limit, arrays, omitted, warned, (weighted, rows.importance))
    if len(found) != len(rows) or found.omitted != omitted:
        raise ValueError("the journal is longer than its limit")
    return found


# ---- names ------------------------------------------------------------------------------------


def _pack_table(packer: Packer, table: NameTable, place: str) -> dict[str, Any]:
    packed_texts(packer, list(table.vocabulary), f"{place}.vocabulary")
    columns = np.fromiter(table.vocabulary.values(), np.int64, len(table.vocabulary))
    packer.put(columns, f"{place}.columns")
    return {
        "place": place,
        "n_features": None if table.growing else table.n_features,
        "hashed": table.hashed,
        "seed": table.seed,
        "strongest": table.strongest,
    }


def _unpack_table(unpacker: Unpacker, content: dict[str, Any]) -> NameTable:
    place, n = content["place"], content["n_features"]
    most = LARGEST_GROWN_INDEX + 1 if n is None else _whole(n, "n_features", MAX_FEATURES)
    table = NameTable(
        n,
        _truth(content["hashed"], "whether names are hashed"),
        _whole(content["seed"], "the seed of a hash", 2**32 - 1),
        _truth(content["strongest"], "whether the stronger name counts"),
    )
    names = unpacked_texts(unpacker, f"{place}.vocabulary")
    columns = unpacker.take(f"{place}.columns", "i8")
    if columns.ndim != 1 or (len(columns) and not 0 <= columns.min() <= columns.max() < most):
        raise ValueError("a name of the vocabulary has a column that is not there")
    table.vocabulary.update(zip(names, columns.tolist(), strict=True))
    if len({*table.vocabulary.values()}) != len(names) or (table.hashed and names):
        raise ValueError("the vocabulary has a name or a column twice")
    return table


def _unpack_hashed(unpacker: Unpacker, content: Any) -> Hashed:
    return Hashed(_whole(content, "the seed of a hash", 2**32 - 1))


# ---- learners ---------------------------------------------------------------------------------


def _pack_learner(packer: Packer, learner: Any, place: str) -> dict[str, Any]:
    name = learner.name
    # By the class itself: a subclass of the user's own would come back as something else.
    if name not in LEARNERS or type(learner) is not learner_class(name):
        raise NotStorableError(
            f"{type(learner).__name__} is not one of thresher's learners, so that a model file "
            "could not say what it is. Pickle keeps it, for those who trust the pickle."
        )
    saved = packer.borrow(learner.lent_state())
    prefix = f"{place}." if place else ""
    return {"name": name} | {part: packer(saved[part], f"{prefix}{part}") for part in saved}


def _unpack_learner(unpacker: Unpacker, content: dict[str, Any]) -> Any:
    parts = dict(content)
    cls = learner_class(parts.pop("name"))
    parameters = unpacker(parts.pop("parameters"))
    state = unpacker(parts.pop("state"))
    most = _most_entries(state)
    for name in ("n_features", "n_experts"):
        stated = parameters.get(name)
        # Before the learner makes room for them.
        if type(stated) is int and stated * cls.numbers_of_a_feature > most:
            raise ValueError(f"{name} is {stated}, but no array has more than {most} entries")
    rest = {name: unpacker(value) for name, value in parts.items()}
    if not all(type(value) is bool for value in rest.values()):
        raise ValueError("found something beside parameters and state")
    learner: Any = object.__new__(cls)
    learner.__setstate__({"parameters": parameters, "state": state, **rest})
    return learner


def _most_entries(value: Any) -> int:
    """The size of the largest array in a state."""
    if isinstance(value, np.ndarray):
        return int(value.size)
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, tuple | list):
        return max(map(_most_entries, value), default=0)
    return 0


PARTS = (
    Kind("journal", (JournalBuffer,), _pack_journal, _unpack_journal),
    Kind("names", (NameTable,), _pack_table, _unpack_table),
    Kind("hashed", (Hashed,), lambda packer, value, place: value.seed, _unpack_hashed),
    Kind("vocabulary", (Vocabulary,), lambda *_: None, lambda *_: Vocabulary()),
    Kind("learner", (Learner,), _pack_learner, _unpack_learner),
)
