from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.cluster import train
from thresher.cluster.events import ShardsCut
from thresher.cluster.shards import MOST_UNASKED, USUAL_BYTES, Piece, Shard, cut
from thresher.errors import ClusterError, ParameterError, SourceError
from thresher.streams.recipe import Recipe

SVMLIGHT = Recipe(format="svmlight")


def bytes_of(shard: Shard) -> bytes:
    return b"".join(Path(p.path).read_bytes()[p.start : p.stop] for p in shard.pieces)


@given(
    files=st.lists(st.lists(st.integers(0, 40), max_size=12), min_size=1, max_size=5),
    n_shards=st.integers(1, 9),
    ended=st.booleans(),
)
def test_shards_in_order_are_the_files_cut_between_lines(
    tmp_path_factory: pytest.TempPathFactory, files: list[list[int]], n_shards: int, ended: bool
) -> None:
    folder = tmp_path_factory.mktemp("files")
    paths = []
    for number, lengths in enumerate(files):
        text = b"\n".join(b"x" * length for length in lengths) + (b"\n" if ended else b"")
        path = folder / f"{number:03}"
        path.write_bytes(text)
        paths.append(str(path))
    shards = cut(paths, SVMLIGHT, n_shards)
    assert b"".join(map(bytes_of, shards)) == b"".join(Path(path).read_bytes() for path in paths)
    assert [shard.number for shard in shards] == list(range(len(shards)))
    for piece in (piece for shard in shards for piece in shard.pieces):
        text = Path(piece.path).read_bytes()
        assert piece.start == 0 or text[piece.start - 1 : piece.start] == b"\n"
        assert piece.whole == (piece.start == 0 and piece.stop == len(text))
    assert cut(paths, SVMLIGHT, n_shards) == shards


def test_a_large_file_is_cut_evenly(tmp_path: Path) -> None:
    path = tmp_path / "large.svm"
    path.write_text("1 0:1\n" * 10_000)
    assert {shard.n_bytes for shard in cut([str(path)], SVMLIGHT, 8)} == {7_500}


def test_many_small_files_share_a_shard(tmp_path: Path) -> None:
    paths = []
    for number in range(100):
        (tmp_path / f"{number:02}").write_text("1 0:1\n")
        paths.append(str(tmp_path / f"{number:02}"))
    assert [len(shard.pieces) for shard in cut(paths, SVMLIGHT, 4)] == [25, 25, 25, 25]


def test_a_compressed_file_is_not_cut(tmp_path: Path) -> None:
    path = tmp_path / "rows.svm.gz"
    path.write_bytes(gzip.compress(b"1 0:1\n" * 1000))
    (shard,) = cut([str(path)], SVMLIGHT, 4)
    assert shard.pieces == (Piece(str(path), 0, path.stat().st_size),)


@pytest.mark.parametrize(
    "recipe", [Recipe(format="csv"), Recipe(format="text"), Recipe(format="binary")]
)
def test_a_file_with_a_header_is_not_cut(tmp_path: Path, recipe: Recipe) -> None:
    path = tmp_path / "table"
    path.write_text("label,a\n1,2\n0,3\n")
    assert len(cut([str(path)], recipe, 3)) == 1


def test_a_file_in_another_encoding_is_not_cut(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    path.write_text("1 0:1\n" * 9, encoding="utf-16")
    assert len(cut([str(path)], Recipe(format="svmlight", encoding="utf-16"), 3)) == 1


def test_the_size_of_the_files_says_how_many_shards_there_are(tmp_path: Path) -> None:
    path = tmp_path / "sparse"
    for n_bytes, n_shards in ((10, 1), (3 * USUAL_BYTES, 3), (99 * USUAL_BYTES, MOST_UNASKED)):
        with path.open("wb") as file:
            file.truncate(n_bytes)
        # As a format that is not cut, for nobody looks for line ends in gigabytes of nothing.
        shares = cut([str(path)] * 1, Recipe(format="csv"))
        assert len(shares) == 1
        names = [str(tmp_path / f"copy-{number}") for number in range(64)]
        for name in names:
            if not os.path.lexists(name):
                os.symlink(path, name)
        copies = cut(names, Recipe(format="csv"))
        assert len(copies) == min(MOST_UNASKED, max(1, -(-64 * n_bytes // USUAL_BYTES)))
        assert n_shards >= 1


def test_a_file_that_is_given_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    path.write_text("1 0:1\n" * 9)
    with pytest.raises(SourceError, match="rows: is given more than once"):
        cut([str(path)] * 2, SVMLIGHT, 3)


def test_a_piece_that_a_worker_writes_to_its_log_has_no_signature() -> None:
    shard = Shard(0, (Piece("https://host/day.svm?X-Signature=5eCr3t", 0, 9),))
    assert "5eCr3t" not in repr(shard)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="<stdin>: workers read files"):
        cut(["-"], SVMLIGHT, 2)


@pytest.mark.parametrize("n_shards", [0, -1, 2.5, True, 10**9])
def test_a_number_of_shards_that_makes_no_sense_is_refused(tmp_path: Path, n_shards: int) -> None:
    (tmp_path / "a").write_text("1 0:1\n")
    with pytest.raises(ParameterError, match="shards"):
        cut([str(tmp_path / "a")], SVMLIGHT, n_shards)


@pytest.mark.parametrize("mode", ["mixing", "exact", "counterexamples"])
def test_a_file_that_grows_after_it_was_cut_is_refused_with_both_sizes(
    tmp_path: Path, mode: Any
) -> None:
    path = tmp_path / "a.svm"
    path.write_text("1 0:1\n0 1:1\n" * 100)
    grown = path.stat().st_size

    def grow(event: Any) -> None:
        if isinstance(event, ShardsCut):
            with path.open("a") as file:
                file.write("1 1:1\n" * 5)

    with pytest.raises(ClusterError, match=f"had {grown:,} bytes .* and has {grown + 30:,}"):
        train(path, "perceptron", n_features=4, shards=3, mode=mode, on_event=grow)
