"""Objects as rows: what is common to JSON lines and tables."""

from __future__ import annotations

from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning.lexicon import Lexicon
from thresher.streams.formats.objects import Fault, ObjectReader
from thresher.streams.recipe import Recipe


def test_faults_of_all_kinds_are_listed_in_order_and_the_rest_are_rows() -> None:
    reader = ObjectReader(Recipe(), Lexicon(NameTable(16, True)))
    read = reader.read(
        [{"label": "a", "3": 1}, {"3": [1]}, 5, {"label": "b", "4": 2}, {"16": 1}, {"label": {}}]
    )
    assert [fault.place for fault in read.faults] == [1, 2, 4, 5]
    assert read.faults[1] == Fault(2, "5", "an object with named fields")
    assert read.kept.tolist() == [0, 3]
    assert (read.label.tolist(), read.label_names) == ([0, 1], ["a", "b"])
    assert [array.tolist() for array in read.arrays] == [[0, 1, 2], [3, 4], [1.0, 2.0]]
