"""Progressive error on real data: `python -m benchmarks.accuracy --data FOLDER`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.accuracy.competitors import QUICK, SLOW, Competitor, member_errors
from benchmarks.accuracy.datasets import READERS, Dataset
from benchmarks.accuracy.table import BEST, Result, section
from benchmarks.accuracy.tables import from_table

#: scikit-learn is not asked where a pass would take it hours: it pays for all weights a row.
LONG = 2_000_000_000


def takes_long(who: str, data: Dataset) -> bool:
    """Whether a pass is too long."""
    several = data.n_classes if data.n_classes > 2 else 1
    return "sklearn" in who and data.rows.shape[0] * data.rows.shape[1] * several > LONG


def play(result: Result, who: str, competitor: Competitor, data: Dataset) -> None:
    """One order of one set by one competitor."""
    predicted = competitor(data)
    error = float(np.mean(predicted != data.classes))
    result.errors.setdefault(who, []).append(error)


def measure(data: Dataset, result: Result, orders: int, slow_orders: int) -> None:
    """Everybody on one set, the orders one after another; what is in the result stays."""
    for seed in range(orders):
        ordered = data.shuffled(seed)
        invited = {**QUICK, **(SLOW if seed < slow_orders else {})}
        for who, competitor in invited.items():
            if len(result.errors.get(who, ())) <= seed and not takes_long(who, data):
                play(result, who, competitor, ordered)
        if len(result.members) <= seed:
            result.members.append(member_errors(ordered).tolist())


def known_results(path: Path | None) -> dict[str, Result]:
    """What an earlier run left behind, by the name of the set."""
    if path is None or not path.exists():
        return {}
    return {entry["name"]: Result(**entry) for entry in json.loads(path.read_text("utf-8"))}


def readers_for(options: argparse.Namespace) -> dict[str, Callable[[], Dataset]]:
    """How the sets that were asked for are read, by name."""
    if options.tables:
        return {path.stem: partial(from_table, path) for path in sorted(options.tables)}
    return {name: partial(READERS[name], options.data) for name in options.sets.split(",")}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    folder = os.environ.get("THRESHER_DATA")
    source = parser.add_mutually_exclusive_group(required=folder is None)
    source.add_argument("--data", type=Path, default=folder, help="the folder of the sets")
    source.add_argument(
        "--tables", type=Path, nargs="+", help="files of values with commas instead"
    )
    parser.add_argument("--sets", default=",".join(READERS), help="names, with commas")
    parser.add_argument("--orders", type=int, default=10)
    parser.add_argument("--slow-orders", type=int, default=3, help="for scikit-learn and River")
    parser.add_argument(
        "--json", type=Path, help="keep every single error here, and go on from what is there"
    )
    options = parser.parse_args(arguments)
    known = known_results(options.json)
    results = []
    for name, read in readers_for(options).items():
        data = read()
        fresh = Result(name, len(data.classes), data.rows.shape[1], data.n_classes)
        results.append(known.setdefault(name, fresh))
        measure(data, results[-1], options.orders, options.slow_orders)
        shown = {who: results[-1].cell(who) for who in [*results[-1].errors, BEST]}
        print(name, shown, file=sys.stderr, flush=True)
        if options.json:
            everything = [asdict(result) for result in known.values()]
            options.json.write_text(json.dumps(everything), "utf-8")
    slow = list(SLOW) if options.slow_orders else []
    print(section(results, ["Committee", BEST, *[w for w in QUICK if w != "Committee"], *slow]))


if __name__ == "__main__":
    main()
