"""Journals with several classes in a model file."""

from __future__ import annotations

from typing import Any

import numpy as np

from thresher.learners.base.multiclass_journal import MulticlassJournalBuffer
from thresher.storage.packing import Kind, Packer, Unpacker

ARRAYS = {"row_start": "i8", "column": "i4", "value": "f8", "label": "i4", "round_number": "i8"}


def _pack(packer: Packer, journal: MulticlassJournalBuffer, place: str) -> dict[str, Any]:
    kept = journal if packer.journal else journal.without_rows()
    limit, omitted, warned, *arrays = kept.state()
    for name, array in zip(ARRAYS, arrays, strict=True):
        packer.put(array, f"{place}.{name}")
    return {"place": place, "limit": limit, "omitted": omitted, "warned": warned}


def _unpack(unpacker: Unpacker, content: dict[str, Any]) -> MulticlassJournalBuffer:
    place, warned = content["place"], content["warned"]
    if type(warned) is not bool:
        raise ValueError("whether somebody was warned must be true or false")
    arrays = (
        np.ascontiguousarray(unpacker.take(f"{place}.{name}", kind))
        for name, kind in ARRAYS.items()
    )
    state = (content["limit"], content["omitted"], warned, *arrays)
    found = MulticlassJournalBuffer.restored(state)
    return found if unpacker.journal or not len(found) else found.without_rows()


MULTICLASS_JOURNALS = (Kind("class_journal", (MulticlassJournalBuffer,), _pack, _unpack),)
