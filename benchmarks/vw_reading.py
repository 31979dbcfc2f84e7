"""Whether VW text is read as Vowpal Wabbit reads it: `python -m benchmarks.vw_reading FILE ...`.

For each file, with its line ends as they are and with CRLF: the number of examples, and the names
and values of their features, from `vw --audit` and from the reader here; and whether each name of
`vw --invert_hash` is a name here. Files have simple labels; initial predictions are passed over.
Needs `vw` of the system or its Python package.
"""

from __future__ import annotations

import math
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from benchmarks.service_vw import driver
from thresher.kernels.rows.named_rows import NameTable
from thresher.streams.bad_lines import BadLinePolicy
from thresher.streams.reading import read_stream
from thresher.streams.recipe import Recipe

Row = dict[str, float]

OPTIONS = ["--audit", "--noconstant", "--bit_precision", "24"]
SHOWN = re.compile(r"(.*):([0-9]+):([^:]+):[^:]+")
WEIGHT = re.compile(r"^(.*):[0-9]+:\S+ \S+ \S+$", re.MULTILINE)
#: What Vowpal Wabbit shows of a feature without a name: its namespace.
NAMELESS = re.compile(r"([^^]*\^)?")


def audit(file: Path, *more: str) -> list[list[tuple[str, int, float]]]:
    """Name, place and value of the features of each example."""
    begin = driver()
    assert begin is not None, "Vowpal Wabbit is not there"
    command = [*begin, "--data", str(file), *OPTIONS, *more]
    shown = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    rows = []
    for line in shown.split("\n")[:-1]:
        # The line of an example's features follows the one of its prediction.
        if not line or line.startswith("\t"):
            found = [SHOWN.fullmatch(part) for part in line.split("\t")[1:]]
            rows.append([(m[1], int(m[2]), float(m[3])) for m in found if m])
    return rows


def of_vowpal_wabbit(file: Path, work: Path) -> tuple[list[Row], set[str]]:
    """Its examples, and the names of its weights; a feature without a name has its number."""
    readable = work / "weights"
    rows = audit(file, "--invert_hash", str(readable))
    named = set(WEIGHT.findall(readable.read_text().partition("l2_state")[2]))
    spaces = sorted({name for row in rows for name, *_ in row if NAMELESS.fullmatch(name)})
    (work / "zeros").write_text("".join(f"1 |{space[:-1]} 0\n" for space in spaces))
    zeros = audit(work / "zeros") if spaces else []
    place = {space: row[0][1] for space, row in zip(spaces, zeros, strict=True)}
    examples = []
    for row in rows:
        example: Row = {}
        for name, at, value in row:
            known = f"{name}{at - place[name]}" if name in place else name
            example[known] = example.get(known, 0.0) + value
        examples.append(example)
    return examples, named - place.keys()


def of_the_reader(file: Path) -> tuple[list[Row], str]:
    """The examples that are read here, and what was said of bad lines."""
    names, policy = NameTable(None, False), BadLinePolicy("skip")
    recipe = Recipe(format="vw", ignore_initial=True)
    stream = read_stream(file, names=names, bad=policy, recipe=recipe)
    rows = [dict(row) for chunk in stream.chunks() for row in chunk.rows]
    called = list(names.vocabulary)
    return [{called[column]: row[column] for column in row} for row in rows], policy.report()


def differences(file: Path, work: Path) -> Iterable[str]:
    """What differs, in words."""
    theirs, named = of_vowpal_wabbit(file, work)
    ours, bad = of_the_reader(file)
    if len(ours) != len(theirs):
        yield f"{len(ours)} examples, Vowpal Wabbit {len(theirs)}. {bad}"
        return
    for number, (own, other) in enumerate(zip(ours, theirs, strict=True), 1):
        # Vowpal Wabbit prints six digits.
        if own.keys() != other.keys() or not all(
            math.isclose(own[name], other[name], rel_tol=1e-5) for name in own
        ):
            yield f"example {number}: {own}, Vowpal Wabbit {other}"
    if unknown := named - {name for row in ours for name in row}:
        yield f"names only of Vowpal Wabbit: {sorted(unknown)}"


def main() -> None:
    """Compare the files, and count."""
    alike = 0
    with tempfile.TemporaryDirectory() as made:
        work = Path(made)
        for file in map(Path, sys.argv[1:]):
            text = file.read_bytes().replace(b"\r\n", b"\n")
            copies = {"as it is": file, "with CRLF": work / "crlf"}
            copies["with CRLF"].write_bytes(text.replace(b"\n", b"\r\n"))
            found = [
                f"{file} {how}: {what}"
                for how, copy in copies.items()
                for what in differences(copy, work)
            ]
            print(*found, sep="\n", end="\n" if found else "")
            alike += not found
    print(f"{alike} of {len(sys.argv) - 1} files are read as Vowpal Wabbit reads them")


if __name__ == "__main__":
    main()
