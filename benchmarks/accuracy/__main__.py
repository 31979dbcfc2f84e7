"""Progressive error on real data: `python -m benchmarks.accuracy --data FOLDER`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from benchmarks.accuracy.competitors import QUICK, SLOW, Competitor, member_errors
from benchmarks.accuracy.datasets import READERS, Dataset
from benchmarks.accuracy.table import BEST, Result, page

#: Rivals that need this many steps a pass, or more, are not asked: they would take hours.
LONG = 2_000_000


def steps(who: str, data: Dataset) -> int:
    """About how much a rival does: River with all values, scikit-learn with all weights."""
    several = data.n_classes if data.n_classes > 2 else 1
    if who == "River":
        return int(data.rows.nnz) * several
    return data.rows.shape[1] * several if who in SLOW else 0


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
            if len(result.errors.get(who, ())) <= seed and steps(who, data) < LONG:
                play(result, who, competitor, ordered)
        if len(result.members) <= seed:
            result.members.append(member_errors(ordered).tolist())


def known_results(path: Path | None) -> dict[str, Result]:
    """What an earlier run left behind, by the name of the set."""
    if path is None or not path.exists():
        return {}
    return {entry["name"]: Result(**entry) for entry in json.loads(path.read_text("utf-8"))}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    folder = os.environ.get("THRESHER_DATA")
    parser.add_argument("--data", type=Path, default=folder, required=folder is None)
    parser.add_argument("--sets", default=",".join(READERS), help="names, with commas")
    parser.add_argument("--orders", type=int, default=10)
    parser.add_argument("--slow-orders", type=int, default=3, help="for scikit-learn and River")
    parser.add_argument("--page", type=Path, help="write the page here instead of printing it")
    parser.add_argument(
        "--json", type=Path, help="keep every single error here, and go on from what is there"
    )
    options = parser.parse_args(arguments)
    known = known_results(options.json)
    results = []
    for name in options.sets.split(","):
        data = READERS[name](options.data)
        fresh = Result(name, len(data.classes), data.rows.shape[1], data.n_classes)
        results.append(known.setdefault(name, fresh))
        measure(data, results[-1], options.orders, options.slow_orders)
        shown = {who: results[-1].cell(who) for who in [*results[-1].errors, BEST]}
        print(name, shown, file=sys.stderr, flush=True)
        if options.json:
            everything = [asdict(result) for result in known.values()]
            options.json.write_text(json.dumps(everything), "utf-8")
    slow = list(SLOW) if options.slow_orders else []
    columns = ["Committee", BEST, *[who for who in QUICK if who != "Committee"], *slow]
    orders = dict.fromkeys(QUICK, options.orders) | dict.fromkeys(slow, options.slow_orders)
    text = page(results, columns, orders)
    if options.page:
        options.page.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
