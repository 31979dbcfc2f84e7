from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import thresher as th
from tests.streams.reads import everything
from thresher.errors import BadLineError, LabelError, ParameterError
from thresher.kernels.rows.named_rows import NameTable
from thresher.streams.batch import Batch
from thresher.streams.label_scheme import LabelScheme, canonical
from thresher.streams.read_settings import ReadSettings
from thresher.streams.reading import read_stream
from thresher.streams.rows import Rows


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


@pytest.mark.parametrize(
    ("labels", "order"),
    [
        (("spam", "ham"), ("ham", "spam")),
        (("10", "9"), ("9", "10")),
        (("a", "-3"), ("-3", "a")),
        (("0.5", "0.25"), ("0.25", "0.5")),
        (("nan", "1"), ("1", "nan")),
        (("Ja", "ja"), ("Ja", "ja")),
    ],
)
def test_of_two_labels_the_last_in_order_is_positive(
    labels: tuple[str, str], order: tuple[str, str]
) -> None:
    for seen in (labels, labels[::-1]):
        scheme = LabelScheme(classes="any")
        scheme.decide(dict.fromkeys(seen, 5))
        assert (scheme.negative, scheme.positive, scheme.in_order) == (*order, True)
        assert [scheme.sign(label) for label in (*order, "third")] == [-1, 1, None]


def test_known_pairs_and_a_positive_label_do_not_go_by_order() -> None:
    pair = LabelScheme()
    pair.decide({"1": 3, "2": 4})
    assert (pair.positive, pair.in_order) == ("2", False)
    assert not LabelScheme.of("ham").in_order


@pytest.mark.parametrize("chunk_bytes", [1, 1000, 10**6])
@pytest.mark.parametrize("first", ["spam", "ham"])
def test_one_name_waits_for_another(tmp_path: Path, first: str, chunk_bytes: int) -> None:
    second = "ham" if first == "spam" else "spam"
    file = tmp_path / "sorted.svm"
    file.write_text(f"{first} 1:1\n" * 1500 + f"{second} 2:1\n" * 3)
    stream = read_stream(
        file,
        names=NameTable(8, True),
        scheme=LabelScheme(),
        settings=ReadSettings(chunk_bytes=chunk_bytes),
    )
    signs = [sign for batch in stream for sign in batch.label.tolist()]
    assert signs == [1 if first == "spam" else -1] * 1500 + [1 if first == "ham" else -1] * 3
    assert str(stream.scheme) == "labels ham/spam: spam counts as +1"


def test_one_name_alone_means_nothing_and_many_are_classes() -> None:
    with pytest.raises(LabelError, match=r"the label is ham \(870\), in the first 870 rows") as e:
        LabelScheme().decide({"ham": 870})
    assert "which one counts as +1: positive='ham'. Every other one then" in str(e.value)
    many = {f"topic{n}": 10 + n for n in range(20)}
    with pytest.raises(LabelError, match=r"topic14 \(24\) and 14 more, in the first 390 rows"):
        LabelScheme().decide(many)


def test_with_a_positive_label_every_other_is_negative() -> None:
    scheme = LabelScheme.of("spam")
    assert [scheme.sign(x) for x in ("spam", "ham", "1")] == [1, -1, -1]
    assert LabelScheme.of(1.0).positive == "1"
    assert str(scheme) == "label spam counts as +1, every other as -1"


def test_numbers_are_the_same_label_however_they_are_written() -> None:
    same = ["1", "+1", "1.0", "1.", "01", "1e0", "10e-1", "0" * 5000 + "1"]
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


# ---- several classes -------------------------------------------------------------------


def test_more_than_two_labels_are_names_where_that_is_allowed() -> None:
    scheme = LabelScheme().allow_several()
    assert not scheme.decided
    scheme.decide({"a": 2, "b": 1, "3": 9})
    assert (scheme.several, scheme.positive, str(scheme)) == (
        True, None, "labels are the names of classes",
    )  # fmt: skip
    assert LabelScheme.from_dict(scheme.to_dict()) == scheme
    assert scheme.sign("never seen") == 1


def test_two_numbers_stay_two_classes_where_more_are_allowed() -> None:
    scheme = LabelScheme().allow_several()
    scheme.decide({"0": 5, "1": 7})
    assert (scheme.several, scheme.negative, scheme.positive) == (False, "0", "1")
    assert scheme.classes == "two"


def test_what_is_decided_stays_decided() -> None:
    assert not LabelScheme.of("spam").allow_several(certain=True).several
    assert LabelScheme().allow_several(certain=True).decided


def test_numbers_that_hardly_repeat_are_measurements() -> None:
    with pytest.raises(LabelError, match="measurements rather than classes"):
        LabelScheme(classes="any").decide({str(k / 3): 1 for k in range(30)})
    named = LabelScheme(classes="any")
    named.decide({f"id{k}": 1 for k in range(30)})
    assert named.several
    few = LabelScheme(classes="any")
    few.decide({str(k): 1 for k in range(19)})
    assert few.several


def test_names_come_with_the_rows(tmp_path: Path) -> None:
    file = write(tmp_path / "a.svm", ["b", "+1", "a", "1.0"])
    stream = read_stream(
        file, names=NameTable(8, True), scheme=LabelScheme(classes="several"),
        settings=ReadSettings(chunk_bytes=1),
    )  # fmt: skip
    batches = [stream.batch(chunk) for chunk in stream.chunks()]
    assert [label for batch in batches for label in batch.labels.tolist()] == ["b", "1", "a", "1"]
    assert [number for batch in batches for number in batch.label.tolist()] == [0, 1, 2, 1]
    without = read_stream(file, names=NameTable(8, True))
    with pytest.raises(ParameterError, match="LabelScheme"):
        next(iter(without))


def test_a_batch_of_classes_knows_its_labels_by_digest_and_slice() -> None:
    rows = Rows.of([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
    batch = Batch.of_classes(rows, ["a", "b", 3])
    number = np.array([0, 1, 2], np.int32)
    again = Batch(rows.row_start, rows.column, rows.value, number, classes=("a", "b", 3))
    assert batch == again
    assert batch.digest() == again.digest()
    other = Batch.of_classes(rows, ["a", "b", "3"])
    assert batch != other
    assert batch.digest() != other.digest()
    assert (batch[1:].labels.tolist(), batch[1:].column.tolist()) == (["b", 3], [1, 0, 1])
    with pytest.raises(LabelError, match="found 1 labels for 3 rows"):
        Batch(rows.row_start, rows.column, rows.value, number[:1], classes=("a",))
    with pytest.raises(LabelError, match="row 2: label must be the number of a class, found 2"):
        Batch(rows.row_start, rows.column, rows.value, number, classes=("a", "b"))


def test_names_that_are_signs_are_signs() -> None:
    batch = Batch.of_classes([[1.0], [2.0]], [-1, 1])
    assert batch.signed
    assert batch == Batch.of([[1.0], [2.0]], [-1, 1])


def test_a_learner_of_two_classes_refuses_the_names_of_several() -> None:
    batch = Batch.of_classes([[1.0], [2.0]], ["ham", "spam"])
    with pytest.raises(LabelError, match="these rows have the classes 'ham', 'spam'"):
        th.Perceptron(1).learn(batch)
    assert th.MulticlassPerceptron(1).learn(batch).mistakes == 2


def test_rows_taken_bring_labels_and_weights_along() -> None:
    batch = Batch.of([[1.0, 0.0], [0.0, 2.0], [3.0, 4.0]], [1, -1, 1], importance=[1, 2, 3])
    taken = batch.taken(np.array([2, 0]))
    assert list(taken) == [{0: 3.0, 1: 4.0}, {0: 1.0}]
    assert taken.importance is not None
    assert (taken.label.tolist(), taken.importance.tolist()) == ([1, 1], [3.0, 1.0])


def test_a_label_that_is_missing_later_is_missed(tmp_path: Path) -> None:
    file = tmp_path / "late.vw"
    file.write_text("1 | a\n0 | b\n" * 600 + "| c\n" + "1 | a\n")
    for chunk_bytes in (100, 1 << 20):
        stream = read_stream(
            file,
            names=NameTable(16, True),
            scheme=LabelScheme(),
            settings=ReadSettings(chunk_bytes=chunk_bytes),
        )
        with pytest.raises(BadLineError, match=r"late\.vw:1201: found no label"):
            list(stream.chunks())
