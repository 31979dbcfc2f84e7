"""Conversion in shards writes what one machine writes."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet
import pytest

from tests.cli.running import run
from tests.cluster.data import rows, written
from tests.streams.shelves import shelf
from thresher.cluster.converting import ClusterConversion
from thresher.cluster.dask_engine import DaskEngine
from thresher.cluster.engine import InProcess
from thresher.errors import ClusterError, FormatError, RequestError, SourceError
from thresher.models.conversion import Converted, convert
from thresher.models.input_data import InputData

WORDS = ("free", "cash", "size", "offer", "meet", "lunch", "3", "mail")


def named_lines(number: int) -> list[tuple[str, dict[str, float]]]:
    """Rows of names that come in another order in each file."""
    found = []
    for row in range(40):
        names = [WORDS[(number * 3 + row * step) % 8] for step in (1, 2, 5)]
        values = {name: 1.0 if at else 0.5 + row for at, name in enumerate(names)}
        found.append((("spam", "ham", "list")[(row + number) % 3], values))
    return found


def written_as(folder: Path, kind: str) -> str:
    """Three files of a format; the pattern that names them."""
    for number in range(3):
        lines = named_lines(number)
        path = folder / f"part-{number}.{kind}"
        if kind == "svm":
            text = "".join(f"{line}\n" for line in rows(40, number))
        elif kind == "vw":
            text = "".join(
                f"{y} {1 + row % 2} | {' '.join(f'{k}:{v:g}' for k, v in x.items())}\n"
                for row, (y, x) in enumerate(lines)
            )
        elif kind == "jsonl":
            inner = [", ".join(f'"{k}": {v:g}' for k, v in x.items()) for _, x in lines]
            text = "".join(
                f'{{"label": "{y}", {fields}}}\n'
                for (y, _), fields in zip(lines, inner, strict=True)
            )
        elif kind == "csv":
            text = "label,size,colour\n"
            text += "".join(
                f"{y},{n % 5},{'red' if n % 2 else 'blue'}\n" for n, (y, _) in enumerate(lines)
            )
        else:
            text = "".join(f"{y}\t{' '.join(x)}\n" for y, x in lines)
        path.write_text(text)
    if kind == "thb":
        for number in range(3):
            source = folder / f"source-{number}.vw"
            source.write_text("".join(f"{y} | {' '.join(x)}\n" for y, x in named_lines(number)))
            convert(source, folder / f"part-{number}.thb", n_features=64)
    return str(folder / f"part-*.{kind}")


def converted(
    files: Any, output: Path, engine: Any = None, shards: int = 5, **asked: Any
) -> Converted:
    """The same as `convert`, in shards."""
    how = {
        name: asked.pop(name) for name in ("to", "strongest", "ignore_importance") if name in asked
    }
    data = InputData.described(files, **asked)
    conversion = ClusterConversion(
        data, str(output), engine or InProcess(seed=3), n_shards=shards, **how
    )
    events = list(conversion)
    assert conversion.result is not None
    assert events[-1].rows == conversion.result.rows
    assert events[-1].position == events[-1].total_bytes
    return conversion.result


def same_files(one: Path, other: Path) -> bool:
    if one.suffix != ".parquet":
        return one.read_bytes() == other.read_bytes()
    # Its rows stand in groups, which are as large as the chunks in which they were read.
    return bool(parquet.read_table(one).equals(parquet.read_table(other)))


@pytest.mark.parametrize(
    "to", ["svm", "vw", "jsonl", "csv", "thb", "parquet", "vw.gz", "jsonl.zst"]
)
@pytest.mark.parametrize("kind", ["svm", "vw", "jsonl", "csv", "tsv", "thb"])
def test_the_file_is_that_of_one_machine(tmp_path: Path, kind: str, to: str) -> None:
    files = written_as(tmp_path, kind)
    known: dict[str, dict[str, Any]] = {
        "csv": {"label_field": "label"},
        "tsv": {"words": (1, 1)},
        "thb": {"n_features": 64},
        "vw": {"ignore_importance": to in ("svm", "csv")},
    }
    asked = known.get(kind, {})
    alone, apart = tmp_path / f"alone.{to}", tmp_path / f"apart.{to}"
    expected = convert(files, alone, **asked)
    found = converted(files, apart, **asked)
    assert same_files(apart, alone)
    assert {**found.to_dict(), "output": ""} == {**expected.to_dict(), "output": ""}
    assert expected.rows == 120


def test_more_shards_than_are_read_ahead_come_in_order(tmp_path: Path) -> None:
    files = written_as(tmp_path, "jsonl")
    convert(files, tmp_path / "alone.vw")
    for shards in (1, 2, 3, 17):
        converted(files, tmp_path / "apart.vw", shards=shards)
        assert same_files(tmp_path / "apart.vw", tmp_path / "alone.vw")


class Forgetful(InProcess):
    """Counts how many tasks wait at a time."""

    waiting = most = 0

    def submit(self, *words: Any) -> Any:
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        return super().submit(*words)

    def gather(self, tasks: Any, seconds: float) -> Any:
        for found in super().gather(tasks, seconds):
            self.waiting -= 1
            yield found


def test_only_some_shards_are_in_memory_at_a_time(tmp_path: Path) -> None:
    engine = Forgetful()
    converted(written_as(tmp_path, "svm"), tmp_path / "all.thb", engine, shards=20)
    assert engine.most == 2


@pytest.mark.parametrize(
    "words",
    [
        ("--on-bad", "skip"),
        ("--on-bad", "stop"),
        ("--on-bad", "quarantine", "bad.txt"),
        ("--on-bad", "skip", "--max-bad", "1"),
        ("--json", "--on-bad", "skip"),
    ],
)
def test_bad_lines_and_packed_files_are_met_as_on_one_machine(
    tmp_path: Path,
    cluster: Any,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = rows(60, 0)
    lines[41] = "1 5:x"
    Path("a.svm").write_text("".join(f"{line}\n" for line in lines))
    lines[20] = "what is this"
    Path("b.svm.gz").write_bytes(gzip.compress("".join(f"{one}\n" for one in lines).encode()))
    found = []
    for more in ((), ("--cluster", cluster.scheduler_address, "--shards", "4")):
        # By their whole names: workers may see another folder as theirs, and call files by these.
        files = tmp_path / "a.svm", tmp_path / "b.svm.gz"
        result = run("convert", *files, "-o", "all.thb", *words, *more)
        kept = Path("bad.txt").read_bytes() if "bad.txt" in words else b""
        there = Path("all.thb").read_bytes() if Path("all.thb").exists() else None
        found.append((result.exit_code, result.stdout, result.stderr, kept, there))
        Path("all.thb").unlink(missing_ok=True)
        assert not list(tmp_path.glob(".thresher-*"))
    assert found[0] == found[1]
    assert (found[0][4] is None) == ("stop" in words or "--max-bad" in words)


def test_files_elsewhere_are_read_by_workers_and_written_here(tmp_path: Path, client: Any) -> None:
    written(tmp_path, 100, 60)
    files = {path.name: path.read_bytes() for path in sorted(tmp_path.glob("part-*"))}
    files["part-2.svm.gz"] = gzip.compress(files["part-0.svm"])
    (tmp_path / "part-2.svm.gz").write_bytes(files["part-2.svm.gz"])
    convert(str(tmp_path / "part-*"), tmp_path / "alone.thb")
    with shelf(files) as web:
        there = [f"{web.address}/{name}?X-Signature=5eCr3t" for name in files]
        converted(there, tmp_path / "apart.thb", DaskEngine(client))
    assert same_files(tmp_path / "apart.thb", tmp_path / "alone.thb")


def test_what_fails_on_the_way_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    files, output = written_as(tmp_path, "svm"), tmp_path / "all.thb"
    output.write_bytes(b"before")

    class Breaking(InProcess):
        """Loses the files while shards are read."""

        def gather(self, tasks: Any, seconds: float) -> Any:
            yield from super().gather(tasks, seconds)
            (tmp_path / "part-2.svm").unlink(missing_ok=True)

    with pytest.raises(ClusterError, match=r"shard \d.*part-2.svm"):
        converted(files, output, Breaking(), shards=6)
    assert output.read_bytes() == b"before"
    assert not list(tmp_path.glob(".thresher-*"))


def test_a_deadline_names_what_is_not_done(tmp_path: Path, client: Any) -> None:
    files = written_as(tmp_path, "svm")
    data = InputData.described(files)
    late = ClusterConversion(data, str(tmp_path / "all.thb"), DaskEngine(client), deadline=1e-9)
    with pytest.raises(ClusterError, match=r"not done within 1e-09 seconds: shard 1"):
        list(late)
    assert not (tmp_path / "all.thb").exists()


def test_what_one_machine_must_do_is_refused(tmp_path: Path) -> None:
    files = written_as(tmp_path, "svm")
    data = InputData.described(files)
    with pytest.raises(RequestError, match="shuffle= is for one machine"):
        ClusterConversion(data, str(tmp_path / "all.thb"), InProcess(), shuffle=1)
    with pytest.raises(SourceError, match="workers read files, and this is none"):
        converted("-", tmp_path / "all.thb", format="svmlight")


def test_a_file_without_rows_is_converted_to_one_without(tmp_path: Path) -> None:
    (tmp_path / "none.svm").write_text("")
    convert(tmp_path / "none.svm", tmp_path / "alone.thb")
    converted(str(tmp_path / "none.svm"), tmp_path / "apart.thb")
    assert same_files(tmp_path / "apart.thb", tmp_path / "alone.thb")


def tables(folder: Path, *texts: str) -> list[str]:
    paths = [folder / f"table-{number}.csv" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return [str(path) for path in paths]


def test_what_the_first_table_shows_of_a_column_holds_for_all(tmp_path: Path) -> None:
    # Alone, the second file would have numbers for colours.
    first, second = "x,red\ny,blue\n" * 20, "x,7\ny,8\n" * 20
    files = tables(tmp_path, f"label,c\n{first}", f"label,c\n{second}")
    convert(files, tmp_path / "alone.jsonl")
    converted(files, tmp_path / "apart.jsonl")
    assert '"c=7":1.0' in (tmp_path / "alone.jsonl").read_text()
    assert same_files(tmp_path / "apart.jsonl", tmp_path / "alone.jsonl")


@pytest.mark.parametrize(
    ("header", "row"), [("label,b,a", "y,7,1"), ("label,a,b,c", "y,7,1,2"), ("x,1,2", "y,7,1")]
)
def test_tables_with_other_columns_are_refused_as_on_one_machine(
    tmp_path: Path, header: str, row: str
) -> None:
    lines = "x,1,2\ny,3,4\n" * 20
    files = tables(tmp_path, f"label,a,b\n{lines}", f"{header}\n" + f"{row}\n" * 40)
    with pytest.raises(FormatError):
        convert(files, tmp_path / "all.jsonl")
    with pytest.raises(FormatError, match=r"table-1\.csv"):
        converted(files, tmp_path / "all.jsonl")
    assert not (tmp_path / "all.jsonl").exists()


def test_remarks_are_those_of_one_machine(tmp_path: Path) -> None:
    lines = [f"{'xy'[n % 2]},{n % 3},id{n}\n" for n in range(200)]
    files = tables(tmp_path, "label,a,id\n" + "".join(lines))
    expected = convert(files, tmp_path / "alone.jsonl", one_based=True)
    found = converted(files, tmp_path / "apart.jsonl", one_based=True)
    assert found.remarks == expected.remarks
    assert len(found.remarks) == 2
