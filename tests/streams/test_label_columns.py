from __future__ import annotations

from pathlib import Path

import pytest

from thresher.errors import BadLineError
from thresher.streams.formats.label_columns import likely_labels
from thresher.streams.labelled_rows import read

ROWS = [[b"%d" % k, b"red" if k % 2 else b"blue", b"good" if k % 3 else b"bad"] for k in range(30)]


@pytest.mark.parametrize(
    ("header", "likely"),
    [
        (["id", "colour", "Risk"], ["Risk"]),
        (["id", "CLASS", "Risk"], ["CLASS", "Risk"]),
        (["id", "colour", "x"], ["x"]),
        (["y", "colour", "x"], ["x"]),
        (["", "target", ""], ["target"]),
    ],
)
def test_likely_labels_are_called_so_or_stand_at_an_end_and_have_few_values(
    header: list[str], likely: list[str]
) -> None:
    assert likely_labels(header, ROWS) == likely


def test_a_table_without_its_label_lists_its_columns_and_suggests_one(tmp_path: Path) -> None:
    file = tmp_path / "credit.csv"
    file.write_text("age,Risk\n30,good\n40,bad\n50,good\n")
    with pytest.raises(BadLineError) as found:
        list(read(file))
    assert str(found.value).endswith(
        "credit.csv:2: found no label, expected a label in the field 'label'; the columns are age, "
        "Risk. Recipe(label_field='Risk')?"
    )
    assert found.value.fields["likely"] == ["Risk"]


def test_a_cell_without_a_label_says_nothing_of_other_columns(tmp_path: Path) -> None:
    file = tmp_path / "credit.csv"
    file.write_text("label,Risk\n1,good\n0,bad\n,good\n")
    with pytest.raises(BadLineError, match=r"in the field 'label'\. Recipe\(label_field=\.\.\.\)"):
        list(read(file))
