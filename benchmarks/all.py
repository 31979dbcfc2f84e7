"""Every figure of `docs/performance.md`: `python -m benchmarks.all --page docs/performance.md`.

Each part is a benchmark of its own, run as a process, so that none meets what another left
behind; the page shows its command and what it printed. What was measured is kept in a file
(`--json`), and a part that is there is not measured again, so that a run can be interrupted, or
done part by part: `--only startup,text`. `--quick` tries everything on streams too small to mean
anything.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import machine
from benchmarks.marks import rewrite

#: Where others have more of the cores than this, figures are not to be trusted.
QUIET = 0.05


@dataclass(frozen=True, slots=True)
class Part:
    """A benchmark, what to ask of it, and the same for a try."""

    module: str
    usual: str = ""
    quick: str = ""
    #: Whether it draws pictures: into the folder beside the page.
    draws: bool = False

    def command(self, *, quick: bool) -> list[str]:
        """The words behind `python`."""
        return ["-m", f"benchmarks.{self.module}", *(self.quick if quick else self.usual).split()]


PARTS = {
    "startup": Part("startup", "--rounds 20", "--rounds 1"),
    "text": Part("processes", "--rows 400000 --repeat 7", "--rows 2000 --repeat 1"),
    "gigabyte": Part("processes", "--rows 1600000 --repeat 3", "--rows 4000 --repeat 1"),
    "limit": Part("binary_limit", "--rows 1600000 --repeat 7", "--rows 2000 --repeat 1"),
    "memory": Part("speed", "--rows 400000 --repeat 7", "--quick"),
    "committee": Part("committee_speed", "--rows 100000 --repeat 5", "--rows 2000 --repeat 1"),
    "classes": Part("several_classes", "--rows 100000 --repeat 5", "--rows 1000 --repeat 1"),
    "pairs": Part("pairs", "--repeat 5", "--rows 100 --texts 100 --repeat 1"),
    "threads": Part("threads", "--rows 400000 --repeat 5", "--rows 1000 --repeat 1"),
    "scaling": Part(
        "scaling", "", "--values 20000 --repeat 1 --gigabytes 0.0005,0.001", draws=True
    ),
}


def measured(part: Part, pictures: Path | None, *, quick: bool) -> dict[str, Any]:
    """What a part printed, how it was asked, and how much of the machine others had meanwhile."""
    others, words = machine.Others(), part.command(quick=quick)
    drawing = ["--pictures", str(pictures)] if part.draws and pictures else []
    found = subprocess.run(
        [sys.executable, *words, *drawing], stdout=subprocess.PIPE, text=True, check=False
    )
    if found.returncode:
        raise SystemExit(f"python {' '.join(words)} failed with status {found.returncode}")
    printed, command = found.stdout.strip(), " ".join(["python", *words])
    return {"command": command, "others": others.share(), "printed": printed}


def section(found: dict[str, Any]) -> str:
    """A part of the page."""
    others = found["others"]
    busy = others is not None and others > QUIET
    note = f"\n\nBUSY: other programs had {others:.0%} of the cores." if busy else ""
    return f"    {found['command']}{note}\n\n```text\n{found['printed']}\n```"


def measured_with() -> str:
    """The machine and the versions, for the page."""
    listed = ", ".join(f"{name} {version}" for name, version in machine.versions().items())
    text = f"{machine.processor()}; {listed}."
    return textwrap.fill(text, 110, break_on_hyphens=False)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what is missing, and print it or write it into the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default=",".join(PARTS), help="parts, with commas")
    parser.add_argument("--json", type=Path, help="keep the figures here, and go on from there")
    parser.add_argument("--again", action="store_true", help="measure what is there once more")
    parser.add_argument("--page", type=Path, help="write the figures into this page")
    parser.add_argument("--quick", action="store_true", help="streams too small to mean anything")
    options = parser.parse_args(arguments)
    names = options.only.split(",")
    if unknown := [name for name in names if name not in PARTS]:
        raise SystemExit(f"there is no part {unknown[0]!r}; parts are {', '.join(PARTS)}")
    record: dict[str, Any] = {}
    if options.json and options.json.exists():
        record = json.loads(options.json.read_text("utf-8"))
    pictures = None if options.page is None else options.page.with_suffix("")
    for name in names:
        if name in record and not options.again:
            continue
        print(f"measuring {name}", file=sys.stderr, flush=True)
        record[name] = measured(PARTS[name], pictures, quick=options.quick)
        if options.json:
            options.json.write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    sections = {name: section(record[name]) for name in PARTS if name in record}
    if options.page:
        rewrite(options.page, {"machine": measured_with(), **sections})
    else:
        print("\n\n".join(f"{name}\n\n{text}" for name, text in sections.items()))


if __name__ == "__main__":
    main()
