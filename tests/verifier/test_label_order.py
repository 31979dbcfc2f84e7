"""Which label counts as +1 is decided alike by the reader of streams and by the verifier's own."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from thresher.errors import LabelError, ThresherError
from thresher.kernels.rows.named_rows import NameTable
from thresher.streams.label_scheme import LabelScheme
from thresher.streams.read_settings import ReadSettings
from thresher.streams.reading import read_stream
from thresher.verifier import read_svmlight

LABELS = ("ham", "spam", "1", "+1", "-1", "0", "2", "9", "10", "1e1", "x", "Ham", "é", "nan")
runs = st.lists(
    st.tuples(st.sampled_from(LABELS), st.sampled_from([1, 2, 3, 999, 1000, 1001])), max_size=4
)


def streams_signs(file: Path, chunk_bytes: int) -> list[int] | None:
    settings = ReadSettings(threads=1, chunk_bytes=chunk_bytes)
    try:
        stream = read_stream(
            file, names=NameTable(8, True), scheme=LabelScheme(), settings=settings
        )
        return [sign for batch in stream for sign in batch.label.tolist()]
    except ThresherError:
        return None


def own_signs(file: Path) -> list[int] | None:
    try:
        return [int(sign) for sign in read_svmlight([str(file)]).label]
    except ThresherError:
        return None


@settings(max_examples=40)
@given(runs, st.sampled_from([1000, 10**6]))
@example([("spam", 1001), ("ham", 2)], 1000)
@example([("spam", 1001), ("ham", 2), ("x", 1)], 1000)
@example([("1", 1001), ("2", 2)], 1000)
@example([("10", 3), ("9", 3)], 1000)
def test_both_readers_give_the_same_signs_or_refuse_alike(
    runs: list[tuple[str, int]], chunk_bytes: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "rows.svm")
        file.write_text("".join(f"{label} 1:1\n" * times for label, times in runs))
        assert streams_signs(file, chunk_bytes) == own_signs(file)


def test_a_label_that_comes_after_32_mib_decides_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thresher.streams.labelling.BYTES_TO_DECIDE", 20_000)
    monkeypatch.setattr("thresher.verifier.readers.svmlight.BYTES_TO_DECIDE", 20_000)
    file = tmp_path / "rows.svm"
    for before in (1990, 2000, 2010):
        file.write_text("# x\n" + "spam 1:10\n" * before + "ham 2:1\n")
        for chunk_bytes in (7, 1000, 10**6):
            found = streams_signs(file, chunk_bytes)
            assert found == own_signs(file)
            assert (found is None) == (before >= 2000)


def test_one_name_alone_is_refused_by_both(tmp_path: Path) -> None:
    file = tmp_path / "rows.svm"
    file.write_text("ham 1:1\n")
    with pytest.raises(LabelError, match="found the labels ham"):
        _ = read_svmlight([str(file)]).label
