"""Kinds of models, with files that they learn from, for tests of what a service takes."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tests.cli.running import run

Row = dict[str, Any]

WORDS = [
    *("free", "cash", "now", "lunch", "at", "noon", "don't", "café", "Straße", "12", "7"),
    *("x", "y1", "re", "see", "you", "mon", "tue", "late", "again", "win", "日本", "ok"),
]
JOBS = ["clerk", "smith", "nurse, head", 'the "boss"', "3", "a=b", "naïve", "two\nlines"]


class Kind(NamedTuple):
    """A kind of model: what its files are called and how they are written; options of `train`."""

    suffix: str
    #: The bytes of a file with these rows.
    written: Callable[[list[Row]], bytes]
    options: tuple[str, ...]
    several: bool = False
    #: How rows go over the wire: by the type of a body, or None: JSON alone.
    type_: str | None = None


def texts(count: int, seed: int, *, several: bool = False) -> list[Row]:
    """Texts with labels that two words decide, with some noise."""
    dice = random.Random(seed)
    rows: list[Row] = []
    for _ in range(count):
        chosen = [dice.choice(WORDS) for _ in range(dice.randint(0, 9))]
        up = ("cash" in chosen or "win" in chosen) != (dice.random() < 0.1)
        label = "spam" if up else "ham"
        if several and "you" in chosen:
            label = "news"
        rows.append({"text": dice.choice([" ", ", "]).join(chosen), "label": label})
    return rows


def tables(count: int, seed: int, *, several: bool = False) -> list[Row]:
    """Rows of a table with numbers, categories, and missing cells of both."""
    dice = random.Random(seed)
    rows: list[Row] = []
    for _ in range(count):
        age = dice.choice([None, 0, 41, 17.5, -3, 1e-7, 123456789])
        job = dice.choice([None, *JOBS])
        size = dice.gauss(0, 1)
        up = (size > 0 or job == "clerk") != (dice.random() < 0.1)
        label = ">50K" if up else "<=50K"
        if several and age == 41:
            label = "other"
        cells = {"age": age, "job": job, "size": size, "zip": dice.choice(["01234", "9", "10.0"])}
        rows.append({"features": cells, "label": label})
    return rows


def names(count: int, seed: int, *, several: bool = False) -> list[Row]:
    """Rows of features by name."""
    rows = texts(count, seed, several=several)
    return [
        {"features": {word: 1 + word.count("e") / 2 for word in row["text"].split()}}
        | {"label": row["label"]}
        for row in rows
    ]


def as_texts(rows: list[Row]) -> bytes:
    return "".join(f"{row['label']}\t{row['text']}\n" for row in rows).encode()


def as_table(rows: list[Row]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["age", "job", "income", "size", "zip"])
    for row in rows:
        cells = row["features"]
        shown = {name: "" if one is None else one for name, one in cells.items()}
        writer.writerow(
            [shown["age"], shown["job"], row["label"], repr(shown["size"]), shown["zip"]]
        )
    return out.getvalue().encode()


def as_json_lines(rows: list[Row]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


TEXT = Kind("tsv", as_texts, ("--format", "text"), type_="text/plain")
TABLE = Kind(
    "csv",
    as_table,
    ("--format", "csv", "--label-field", "income", "--categorical", "zip"),
    type_="text/csv",
)
JSON = Kind("jsonl", as_json_lines, ("--format", "json"), type_="application/x-ndjson")


def _with(kind: Kind, *options: str, several: bool = False) -> Kind:
    return kind._replace(options=(*kind.options, *options), several=several)


#: Everything that `thresher train` makes, by what differs.
KINDS: dict[str, Kind] = {
    "texts": TEXT,
    "texts of several classes": _with(TEXT, "--bits", "12", several=True),
    "texts in a vocabulary": _with(TEXT, "--vocabulary"),
    "texts of several classes in a vocabulary": _with(TEXT, "--vocabulary", several=True),
    "texts, perceptron, characters": _with(
        TEXT, "--learner", "perceptron", "--characters", "2-3", "--bits", "10"
    ),
    "texts, sparse bigrams, counted": _with(
        TEXT, "--learner", "arow", "--sparse-bigrams", "4", "--counts", "--bits", "9", "--seed", "7"
    ),
    "texts, winnow": _with(TEXT, "--learner", "winnow", "--words", "1", "--bits", "8"),
    "texts, calibrated": _with(
        TEXT, "--learner", "perceptron", "--calibrate", "platt", "--bits", "10"
    ),
    "texts, multiclass perceptron": _with(
        TEXT, "--learner", "multiclass_perceptron", "--bits", "10", several=True
    ),
    "texts, one label against the rest": _with(TEXT, "--positive", "spam", "--bits", "10"),
    "table": TABLE,
    "table of several classes": _with(TABLE, "--bits", "8", several=True),
    "table in a vocabulary": _with(TABLE, "--vocabulary"),
    "table with pairs": _with(TABLE, "--pairs", "age,job", "--bits", "10"),
    "table with pairs in a vocabulary": _with(TABLE, "--pairs", "all", "--vocabulary"),
    "table of few columns": _with(TABLE, "--learner", "perceptron", "--features", "3"),
    "table, adagrad, a column ignored": _with(
        TABLE, "--learner", "adagrad", "--ignore", "size", "--bits", "6"
    ),
    "names": _with(JSON, "--bits", "10"),
    "names in a vocabulary": _with(JSON, "--vocabulary", "--learner", "passive_aggressive"),
    "names of several classes in a vocabulary": _with(
        JSON, "--vocabulary", "--learner", "multiclass_passive_aggressive", several=True
    ),
    "names with pairs": _with(JSON, "--pairs", "all", "--bits", "10"),
}  # fmt: skip


def rows_of(kind: Kind, count: int, seed: int) -> list[Row]:
    """Rows as they are sent in JSON."""
    make = {"tsv": texts, "csv": tables, "jsonl": names}[kind.suffix]
    return make(count, seed, several=kind.several)


def trained(folder: Path, kind: Kind, rows: list[Row], name: str = "m") -> Path:
    """A model that `thresher train` made from a file with these rows."""
    data, model = folder / f"{name}.{kind.suffix}", folder / f"{name}.thr"
    data.write_bytes(kind.written(rows))
    done = run("train", data, "-o", model, "-q", *kind.options)
    assert done.exit_code == 0, done.output
    return model
