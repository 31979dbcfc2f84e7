from __future__ import annotations

from pathlib import Path

import pytest

from tests.streams.reads import everything
from thresher.errors import LabelError
from thresher.streams.label_scheme import LabelScheme, canonical
from thresher.streams.reading import ReadSettings


@pytest.mark.parametrize(
    ("seen", "negative", "positive", "says"),
    [
        ({"-1", "1"}, "-1", "1", "labels -1/1: 1 counts as +1"),
        ({"0", "1"}, "0", "1", "labels 0/1: 1 counts as +1"),
        ({"1", "2"}, "1", "2", "labels 1/2: 2 counts as +1"),
        ({"-1"}, "-1", "1", "labels -1/1: 1 counts as +1"),
        ({"0"}, "0", "1", "labels 0/1: 1 counts as +1"),
        ({"2"}, "1", "2", "labels 1/2: 2 counts as +1"),
        ({"1"}, None, "1", "labels 1: 1 counts as +1"),
    ],
)
def test_numbers_explain_themselves(
    seen: set[str], negative: str | None, positive: str, says: str
) -> None:
    scheme = LabelScheme()
    assert not scheme.decided
    scheme.decide(dict.fromkeys(seen, 1))
    assert (scheme.negative, scheme.positive, str(scheme)) == (negative, positive, says)
    assert LabelScheme.from_dict(scheme.to_dict()) == scheme


@pytest.mark.parametrize("partner", ["-1", "0"])
def test_after_ones_alone_the_first_other_label_says_which_pair_it_is(partner: str) -> None:
    scheme = LabelScheme()
    scheme.decide({"1": 1000})
    other = {"-1": "0", "0": "-1"}[partner]
    assert [scheme.sign(x) for x in ("2", partner, other, "1")] == [None, -1, None, 1]


def test_names_need_a_word() -> None:
    with pytest.raises(LabelError, match=r"ham \(870\), spam \(130\), in the first 1000 rows") as e:
        LabelScheme().decide({"spam": 130, "ham": 870})
    assert "positive='spam' (--positive spam)" in str(e.value)
    many = {f"topic{n}": 10 + n for n in range(20)}
    with pytest.raises(LabelError, match=r"topic14 \(24\) and 14 more, in the first 390 rows"):
        LabelScheme().decide(many)


def test_with_a_positive_label_every_other_is_negative() -> None:
    scheme = LabelScheme.of("spam")
    assert [scheme.sign(x) for x in ("spam", "ham", "1")] == [1, -1, -1]
    assert LabelScheme.of(1.0).positive == "1"
    assert str(scheme) == "label spam counts as +1, every other as -1"


def test_numbers_are_the_same_label_however_they_are_written() -> None:
    same = ["1", "+1", "1.0", "1.", "01", "1e0", "10e-1"]
    assert {canonical(label) for label in same} == {"1"}
    other = {"-0": "0", "1e400": "1e400", "nan": "nan", "1_0": "1_0", "1 ": "1 ", "1e60": "1e+60"}
    assert {label: canonical(label) for label in other} == other


def write(path: Path, labels: list[str]) -> Path:
    path.write_text("".join(f"{label} 1:1\n" for label in labels))
    return path


def test_the_first_thousand_rows_decide_and_later_misfits_are_bad_lines(tmp_path: Path) -> None:
    file = write(tmp_path / "a.svm", ["0", "1"] * 500 + ["-1", "1", "2"])
    for chunk_bytes in (1, 100, 1 << 20):
        settings = ReadSettings(chunk_bytes=chunk_bytes)
        found = everything(file, scheme=LabelScheme(), settings=settings)
        assert found.signs == [-1, 1] * 500 + [1]
        assert [str(bad) for bad in found.bad] == [
            f"{file}:1001: found the label -1, expected the label 0 or 1",
            f"{file}:1003: found the label 2, expected the label 0 or 1",
        ]
        assert found.bad[0].raw == b"-1 1:1"


def test_within_the_first_thousand_rows_a_misfit_is_an_error(tmp_path: Path) -> None:
    file = write(tmp_path / "a.svm", ["0", "1"] * 499 + ["-1", "1"])
    found = everything(file, scheme=LabelScheme())
    assert found.error is not None
    assert "LabelError: the labels are 1 (500), 0 (499), -1 (1), in the first 1000" in found.error
    assert found.rows == []


def test_a_decided_scheme_is_kept(tmp_path: Path) -> None:
    file = write(tmp_path / "a.svm", ["2", "1", "0"])
    found = everything(file, scheme=LabelScheme("2", "1"))
    assert (found.signs, len(found.bad)) == ([1, -1], 1)


def test_labels_are_numbered_by_appearance_and_numbers_by_value(tmp_path: Path) -> None:
    file = write(tmp_path / "a.svm", ["b", "+1", "a", "1.0", "b", "1"])
    found = everything(file, settings=ReadSettings(chunk_bytes=1, threads=3))
    assert found.names == ["b", "1", "a"]
    assert [label for _, _, label, _ in found.rows] == ["b", "1", "a", "1", "b", "1"]
