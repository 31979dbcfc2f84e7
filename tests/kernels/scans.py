"""What a compiled scan gave, in the form in which its slow twin gives it."""

from __future__ import annotations

from itertools import pairwise

from tests.reference.lexicon import Columns
from tests.reference.scan_rows import Scan
from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning.row_sink import RowSink


def table_for(columns: Columns) -> NameTable:
    """A name table that does what a twin does."""
    table = NameTable(columns.n_features, columns.hashed, columns.seed, columns.strongest)
    table.vocabulary.update(columns.vocabulary)
    return table


def as_scan(sink: RowSink, block: bytes) -> Scan:
    """The sink of a compiled scanner as a twin's scan."""
    row_start, column, value, label, importance, line, start, stop = sink.arrays()
    pairs = [(c, float(v).hex()) for c, v in zip(column.tolist(), value.tolist(), strict=True)]
    labels = sink.label_names()
    assert sorted(set(label.tolist()) - {-1}) == list(range(len(labels)))
    return Scan(
        rows=[pairs[a:b] for a, b in pairwise(row_start.tolist())],
        labels=[labels[k] if k >= 0 else None for k in label.tolist()],
        importances=[1.0] * sink.n_rows if importance is None else importance.tolist(),
        lines=[
            (number, block[a:b])
            for number, a, b in zip(line.tolist(), start.tolist(), stop.tolist(), strict=True)
        ],
        faults=[
            (number, block[a:b], code, block[found:found_stop])
            for number, a, b, code, found, found_stop in sink.faults()
        ],
        n_lines=sink.n_lines,
    )
