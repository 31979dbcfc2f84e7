"""Tables of several files: what one machine says of their columns, shards say, and in its words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import thresher as th
from thresher.cluster import train
from thresher.cluster.converting import ClusterConversion
from thresher.cluster.engine import InProcess
from thresher.cluster.prove import certify, verify
from thresher.cluster.scoring import ClusterEvaluation, ClusterPredictions
from thresher.errors import FormatError, ThresherError
from thresher.models.evaluation import Evaluation
from thresher.models.events import Warned
from thresher.models.file import load_model
from thresher.models.gathering import gathered
from thresher.models.input_data import InputData
from thresher.models.labelled import labelled_stream
from thresher.models.prediction import Predictions

Row = dict[str, Any]
ROWS: list[Row] = [
    {"label": "y" if (at * 7) % 5 < 2 else "n", "size": at % 4, "hue": "red" if at % 3 else "tan"}
    for at in range(40)
]


def as_csv(path: Path, rows: list[Row], mark: str = ",") -> None:
    lines = [mark.join(rows[0]), *(mark.join(map(str, row.values())) for row in rows)]
    path.write_text("\n".join(lines) + "\n")


def as_json(path: Path, rows: list[Row]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def as_parquet(path: Path, rows: list[Row]) -> None:
    pq.write_table(pa.Table.from_pylist(rows), path)


WRITERS: dict[str, Callable[[Path, list[Row]], None]] = {
    "csv": as_csv,
    "jsonl": as_json,
    "parquet": as_parquet,
}
CHANGES: dict[str, Callable[[Row], Row]] = {
    "nothing": dict,
    "another order": lambda row: dict(reversed(row.items())),
    "one more": lambda row: row | {"weight of it": 3},
    "one less": lambda row: {name: row[name] for name in ("label", "size")},
    "another name": lambda row: {"label": row["label"], "size": row["size"], "colour": row["hue"]},
    "texts for numbers": lambda row: row | {"size": f"no {row['size']}"},
}
#: The second file is the one that differs; or all that are new to a model do.
WHERE = ("in the second file", "in all files")


def written(folder: Path, kind: str, change: str, where: str) -> list[Path]:
    paths = [folder / f"part-{number}.{kind}" for number in range(3)]
    for number, path in enumerate(paths):
        changed = where == "in all files" or number == 1
        rows = list(map(CHANGES[change], ROWS)) if changed else ROWS
        WRITERS[kind](path, rows)
    return paths


def outcome(work: Callable[[], Any]) -> Any:
    """What came of it; an error in its words."""
    try:
        return work()
    except ThresherError as error:
        return type(error).__name__, str(error)


def shown(prediction: Any) -> bytes:
    pairs = zip(prediction.labels, prediction.scores.tolist(), strict=True)
    return "".join(f"{label} {score}\n" for label, score in pairs).encode()


def counted(run: Any) -> Any:
    said = [str(event) for event in run if isinstance(event, Warned)]
    return run.card.rows, run.card.mistakes, said


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("kind", WRITERS)
def test_what_is_said_of_columns_does_not_depend_on_a_cluster(
    tmp_path: Path, kind: str, change: str, where: str
) -> None:
    learned = tmp_path / f"learned.{kind}"
    WRITERS[kind](learned, ROWS)
    th.train(learned, "perceptron", n_features=64, save_to=tmp_path / "m.thr")
    files = written(tmp_path, kind, change, where)
    model = load_model(tmp_path / "m.thr")

    def data() -> InputData:
        return InputData.described(files)

    alone = outcome(lambda: counted(Evaluation(model, data())))
    apart = outcome(lambda: counted(ClusterEvaluation(model, data(), InProcess(), n_shards=3)))
    assert apart == alone
    here = outcome(lambda: b"".join(map(shown, Predictions(model, data()))))
    there = outcome(
        lambda: b"".join(ClusterPredictions(model, data(), InProcess(), shown, n_shards=3))
    )
    assert there == here
    if kind == "csv" and where == WHERE[0] and change not in ("nothing", "texts for numbers"):
        # One machine finds columns by the names in the first file, and by these alone.
        assert here[0] == "FormatError"
        assert "part-1.csv" in here[1]
    if kind != "csv" and change in ("nothing", "another order"):
        assert len(here.splitlines()) == 120


@pytest.mark.parametrize("change", ["another order", "one more", "one less", "another name"])
def test_all_commands_refuse_another_header_in_the_same_words(tmp_path: Path, change: str) -> None:
    files = written(tmp_path, "csv", change, WHERE[0])
    with pytest.raises(FormatError, match=r"part-1\.csv: its header differs") as refused:
        th.train(files, "perceptron", n_features=64)
    expected = str(refused.value)
    model = train(files[0], "perceptron", n_features=64, shards=1)
    certificate = certify(model, files[0])
    ways: tuple[Callable[[], Any], ...] = (
        lambda: train(files, "perceptron", n_features=64, shards=3),
        lambda: train(files, "perceptron", n_features=64, shards=3, mode="exact"),
        lambda: list(
            ClusterConversion(
                InputData.described(files), str(tmp_path / "all.jsonl"), InProcess(), n_shards=3
            )
        ),
        lambda: certify(model, files, client=InProcess()),
        lambda: verify(certificate, files, client=InProcess(), shards=3, n_features=64),
    )
    for work in ways:
        with pytest.raises(FormatError) as found:
            work()
        assert str(found.value) == expected


def test_another_separator_is_another_header(tmp_path: Path) -> None:
    files = written(tmp_path, "csv", "nothing", WHERE[0])
    as_csv(files[1], ROWS, ";")
    model = th.train(files[0], "perceptron", n_features=64)
    said = []
    works: tuple[Callable[[], object], ...] = (
        lambda: b"".join(map(shown, Predictions(model, InputData.described(files)))),
        lambda: b"".join(
            ClusterPredictions(model, InputData.described(files), InProcess(), shown, n_shards=3)
        ),
    )
    for work in works:
        with pytest.raises(FormatError) as refused:
            work()
        said.append(str(refused.value))
    assert said[0] == said[1]
    # All of them with another one than the model's are read.
    for path in files:
        as_csv(path, ROWS, ";")
    data = InputData.described(files)
    apart = b"".join(ClusterPredictions(model, data, InProcess(), shown, n_shards=3))
    assert apart == b"".join(map(shown, Predictions(model, data)))


def test_what_is_a_category_in_the_first_file_is_one_in_all_that_are_verified(
    tmp_path: Path,
) -> None:
    files = written(tmp_path, "csv", "nothing", WHERE[0])
    as_csv(files[0], [row | {"size": f"no {row['size']}"} for row in ROWS])
    model = th.train(files, "perceptron", n_features=64, journal=True)
    assert model.recipe.categorical == ("size", "hue")
    # The second file by itself would have numbers in this column.
    with labelled_stream(InputData.described(files), model=model) as stream:
        certificate = th.certify(model.learner, gathered(stream))
    assert verify(certificate, files, client=InProcess(), shards=3, n_features=64).holds
