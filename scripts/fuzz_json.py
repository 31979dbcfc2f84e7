"""Look for bytes that the scanner of JSON lines, its slow twin and the decoder read differently.

Needs the package atheris; CONTRIBUTING.md says how to run it. Arguments are those of libFuzzer.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib import import_module

from tests.kernels.test_scan_json import as_rows, scanner_for
from tests.reference import fields
from tests.reference import scan_json as reference
from tests.reference.lexicon import Columns
from tests.streams.test_scanned_json import as_bits, one_by_one
from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning.name_counts import NameCounts
from thresher.streams.formats.json_lines import JsonLines
from thresher.streams.recipe import Recipe

N_COLUMNS = 1_000


def compare(data: bytes) -> None:
    """Scan and decode; the first byte says whether a field is ignored."""
    ignored = ("a",) if data[:1] and data[0] & 1 else ()
    block, names, recipe = data[1:], NameTable(N_COLUMNS, True), Recipe(ignored=ignored)
    twin = reference.scan(block, 1, Columns(N_COLUMNS), "label", ignored)
    settled = scanner_for(Columns(N_COLUMNS), "label", ignored).scan(block, 1)
    for line, row in as_rows(settled).items():
        expected = twin[line]
        assert expected is not None
        assert row == replace(expected, names=[])
    reader = JsonLines(recipe, names)
    rows = reader.scan("f", block, 1)
    assert as_bits(rows) == as_bits(one_by_one(block, 1, recipe, names))
    reader.count_names(block, rows.start, rows.stop, NameCounts(100, 10_000))


if __name__ == "__main__":
    atheris = import_module("atheris")
    for function in (reference.scan, fields.features):
        atheris.instrument_func(function)
    atheris.Setup(sys.argv, compare)
    atheris.Fuzz()
