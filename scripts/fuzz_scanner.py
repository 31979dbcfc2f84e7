"""Look for bytes that the svmlight scanner and its slow twin read differently, guided by coverage.

Needs the package atheris; CONTRIBUTING.md says how to run it. Arguments are those of libFuzzer.
"""

from __future__ import annotations

import sys
from importlib import import_module

import numpy as np

from tests.reference import scan_svmlight as reference
from thresher.kernels.scanning.scan_svmlight import scan
from thresher.streams.rows import Facts, Rows

N_COLUMNS = 100_000


def compare(data: bytes) -> None:
    """Scan with both; the first byte says whether indices count from 1."""
    block, one_based = data[1:], bool(data[:1] and data[0] & 1)
    expected = reference.scan(block, N_COLUMNS, one_based)
    room, most_values = len(expected.rows) + len(expected.faults) + 1, len(block) // 4 + 1
    places, label = np.empty((9, room), np.int64), np.empty(room, np.int32)
    column, value = np.empty(most_values, np.int32), np.empty(most_values)
    scanned = scan(block, N_COLUMNS, one_based, places, label, column, value)
    assert scanned is not None
    (n_lines, n_rows, n, n_faults), names, has_values, facts = scanned
    checked = Rows(places[0, : n_rows + 1], column[:n], value[:n] if has_values else np.ones(n))
    found = [
        reference.Row(line, start, stop, names[number], features)
        for (line, start, stop), number, features in zip(
            places[1:4, :n_rows].T.tolist(), label[:n_rows].tolist(), checked, strict=True
        )
    ]
    assert found == expected.rows
    assert list(map(tuple, places[4:, :n_faults].T.tolist())) == expected.faults
    assert n_lines == expected.n_lines
    assert len(checked.column) == n
    known = Facts(checked.n_features, checked.integral, checked.lowest, checked.highest)
    assert Facts(*facts) == known


if __name__ == "__main__":
    atheris = import_module("atheris")
    atheris.instrument_func(reference.scan)
    atheris.instrument_func(reference.read_line)
    atheris.instrument_func(reference.read_feature)
    atheris.Setup(sys.argv, compare)
    atheris.Fuzz()
