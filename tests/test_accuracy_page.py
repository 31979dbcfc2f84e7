"""The figures of `docs/accuracy.md` agree with one another."""

from __future__ import annotations

import re
from math import exp, log
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[1] / "docs/accuracy.md").read_text("utf-8")
SECTIONS = dict(
    section.split("\n", maxsplit=1) for section in re.split(r"^## ", PAGE, flags=re.M)[1:]
)
Line = dict[str, str]
Table = dict[str, Line]


def tables_of(section: str) -> list[Table]:
    """The tables of a section: lines by their first cell, cells by their heading."""
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", SECTIONS[section] + "\n", flags=re.M):
        heads, _, *rows = [
            [cell.strip() for cell in line.strip("| ").split(" | ")] for line in block.splitlines()
        ]
        found.append({row[0]: dict(zip(heads, row, strict=True)) for row in rows})
    return found


def mean_of(cell: str) -> float:
    return float(cell.partition(" ")[0])


def errors_of(section: str) -> dict[str, Line]:
    """The cells of everybody by set, from the tables after the first."""
    first, *others = tables_of(section)
    return {name: {k: v for t in others for k, v in t.get(name, {}).items()} for name in first}


LISTED = ["Real files", "Tables, the first half", "Tables, the second half"]
SAID = re.compile(
    r"\* next to ([\w ]+): at or below on (\d+) of (\d+) sets; ratio ([\d.]+) on average, "
    r"([\d.]+) at worst \(([\w-]+)\)"
)
BEST = "the best of all peers"
listed = pytest.mark.parametrize("section", LISTED)


def between(own: str, theirs: str) -> tuple[float, float]:
    """What the ratio of two errors may be that are printed to 0.01, the ratio to 0.001."""
    a, b = mean_of(own), mean_of(theirs)
    return (a - 0.005) / (b + 0.005) - 0.0005, (a + 0.005) / max(b - 0.005, 1e-9) + 0.0005


@listed
def test_ratios_are_those_of_the_errors_next_to_them(section: str) -> None:
    for name, row in tables_of(section)[0].items():
        least, most = between(row["Committee"], row["its error"])
        # Over fewer orders the ratio is not quite that of the errors that are printed.
        apart = 0.05 if "(" in row["its error"] else 0.0
        assert least - apart <= float(row["ratio"]) <= most + apart, name


@listed
def test_the_best_peer_is_the_best_of_all_that_are_printed(section: str) -> None:
    everybody = errors_of(section)
    for name, row in tables_of(section)[0].items():
        peers = {
            who: mean_of(cell)
            for who, cell in everybody[name].items()
            if who not in ("set", "Committee", "best member") and cell != "-"
        }
        assert peers[row["best peer"]] == min(peers.values()) == mean_of(row["its error"]), name
        assert everybody[name]["Committee"] == row["Committee"].partition(" ")[0]


@listed
def test_the_words_say_what_the_first_table_says(section: str) -> None:
    rows = tables_of(section)[0]
    ratios = {name: float(row["ratio"]) for name, row in rows.items()}
    _, wins, sets, average, largest, worst = next(
        said for said in SAID.findall(SECTIONS[section]) if said[0] == BEST
    )
    below = sum(ratio < 1.0 for ratio in ratios.values())
    assert below <= int(wins) <= sum(ratio <= 1.0 for ratio in ratios.values())
    assert int(sets) == len(ratios)
    mean = exp(sum(map(log, ratios.values())) / len(ratios))
    assert float(average) == pytest.approx(mean, abs=0.001)
    assert float(largest) == max(ratios.values()) == ratios[worst]
    lost = {
        f"{name} ({row['ratio']}, {row['best peer']})"
        for name, row in rows.items()
        if float(row["ratio"]) > 1.0
    }
    named = re.search(r"\* above it on (\d+): (.*)", SECTIONS[section])
    assert int(sets) - int(wins) == (int(named[1]) if named else 0)
    assert lost == set(re.findall(r"[\w-]+ \([^)]*\)", named[2]) if named else [])


@listed
def test_the_words_about_each_peer_say_what_its_column_says(section: str) -> None:
    everybody = errors_of(section)
    spoken_of = {said[0] for said in SAID.findall(SECTIONS[section])}
    assert spoken_of == {
        BEST,
        *(who for row in everybody.values() for who in row if who not in ("set", "Committee")),
    }
    for who, wins, sets, average, largest, worst in SAID.findall(SECTIONS[section]):
        met = {n: row[who] for n, row in everybody.items() if row.get(who, "-") != "-"}
        if who == BEST or any("(" in cell for cell in met.values()):
            continue  # Ratios over fewer orders are not those of the errors that are printed.
        bounds = {n: between(everybody[n]["Committee"], cell) for n, cell in met.items()}
        assert int(sets) == len(met)
        assert sum(most < 1.0 for _, most in bounds.values()) <= int(wins)
        assert int(wins) <= sum(least <= 1.0 for least, _ in bounds.values())
        means = [exp(sum(log(max(b[i], 1e-9)) for b in bounds.values()) / len(met)) for i in (0, 1)]
        assert means[0] - 0.001 <= float(average) <= means[1] + 0.001, who
        assert bounds[worst][0] <= float(largest) <= bounds[worst][1], who


def test_the_short_table_says_what_the_sections_say() -> None:
    (short,) = tables_of("In short")
    *lines, everything = short.values()
    said = [
        found
        for section in [*LISTED, "Few positive rows"]
        for found in SAID.findall(SECTIONS[section])
        if found[0] == BEST
    ]
    for line, (_, wins, sets, average, largest, _) in zip(lines, said, strict=True):
        heads = "at or below the best peer", "ratio on average", "at worst"
        assert [line[head] for head in heads] == [f"{wins} of {sets}", average, largest]
    wins, sets = (sum(int(found[i]) for found in said[:3]) for i in (1, 2))
    assert everything["at or below the best peer"] == f"{wins} of {sets}"
    mean = exp(sum(int(f[2]) * log(float(f[3])) for f in said[:3]) / sets)
    assert float(everything["ratio on average"]) == pytest.approx(mean, abs=0.001)
    assert everything["at worst"] == max(found[4] for found in said[:3])


def test_the_halves_are_the_even_and_the_odd_places_of_one_sorted_list() -> None:
    first, second = (list(tables_of(section)[0]) for section in LISTED[1:])
    assert first == sorted(first + second)[::2]
    assert second == sorted(first + second)[1::2]
    sizes = [said[2] for said in SAID.findall(SECTIONS["Few positive rows"]) if said[0] == BEST]
    assert sizes == ["50", "50"]


def rows_of_published() -> list[Line]:
    """The lines of the last table, in which a set may have several."""
    lines = [line for line in SECTIONS["Published figures"].splitlines() if line.startswith("| ")]
    heads, *rows = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines]
    return [dict(zip(heads, row, strict=True)) for row in rows]


def test_published_figures_are_met_within_a_standard_deviation() -> None:
    rows = rows_of_published()
    assert len(rows) == 8
    for row in rows:
        _, _, spread = row["thresher"].partition(" ± ")
        apart = abs(mean_of(row["published"]) - mean_of(row["thresher"]))
        # Printed to three or four digits; the last set has one order, and one mistake is 1/1250.
        assert apart <= float(spread or 1 / 1250) + 0.0011, row["set"]
