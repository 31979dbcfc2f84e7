"""Rows of formats without names, with the pairs of all their features."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from thresher.errors import FormatError
from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning.lexicon import Lexicon
from thresher.kernels.scanning.row_sink import cross_rows, words_for
from thresher.streams.chunk import BadLine
from thresher.streams.formats.format import Scanned
from thresher.streams.pairs import ALL, Pairs
from thresher.streams.recipe import Recipe


def lexicon_of_pairs(format_: str, recipe: Recipe, names: NameTable) -> Lexicon | None:
    """Where the pairs of columns find theirs; None: no pairs are wanted."""
    crossing = Pairs.of(recipe.pairs)
    if crossing is None:
        return None
    if not crossing.everything:
        raise FormatError(
            f"{format_}: its features have no names, so that {recipe.pairs[0]!r} names no pairs "
            f"of them. {ALL!r} pairs every two."
        )
    if not names.hashed:
        raise FormatError(
            f"{format_}: pairs of features without names are hashed, and here a vocabulary keeps "
            "names. Leave the vocabulary out."
        )
    return Lexicon(names, False, True, crossing)


def crossed(scanned: Scanned, lexicon: Lexicon, file: str, block: bytes) -> Scanned:
    """The rows with their pairs; a row that cannot have them is a bad line."""
    sink = cross_rows(scanned.row_start, scanned.column, scanned.value, lexicon)
    row_start, column, value = sink.arrays()[:3]
    scanned = replace(scanned, row_start=row_start, column=column, value=value, facts=None)
    if not sink.n_faults:
        return scanned
    bad = list(scanned.bad)
    kept = np.ones(len(scanned.label), bool)
    in_text = len(scanned.stop) == len(scanned.label)
    for row, _, _, code, found, _ in sink.faults().tolist():
        kept[row] = False
        raw = block[scanned.start[row] : scanned.stop[row]] if in_text else b""
        bad.append(BadLine(file, int(scanned.line[row]), *words_for(code, found), raw))
    bad.sort(key=lambda line: line.line)
    return replace(
        scanned,
        label=scanned.label[kept],
        importance=None if scanned.importance is None else scanned.importance[kept],
        line=scanned.line[kept],
        start=scanned.start[kept] if len(scanned.start) else scanned.start,
        stop=scanned.stop[kept] if in_text else scanned.stop,
        bad=bad,
    )
