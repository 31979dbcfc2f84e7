"""The lab draws the paths that reports draw: one curve, one text."""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path
from typing import Any

from scripts import build_lab
from thresher.pictures.chart import path_of
from thresher.pictures.scale import Scale

#: Reads charts, writes the path of each.
SCRIPT = """
import { linear, path } from "./plot.js";
import { readFileSync } from "node:fs";
const charts = JSON.parse(readFileSync(0, "utf8"));
const drawn = charts.map((c) => path(c.points, linear(...c.across), linear(...c.up), c.steps));
process.stdout.write(JSON.stringify(drawn));
"""


def charts() -> list[dict[str, Any]]:
    dice = random.Random(5)
    found: list[dict[str, Any]] = [
        # Places half-way between two tenths, where roundings differ.
        {"points": [(k, k) for k in range(80)], "across": (0, 80, 0, 4), "up": (0, 80, 20, 0)},
        {"points": [(k, 0) for k in range(9)], "across": (0, 8, -0.4, 0.4), "up": (0, 0, 9, 0)},
        {"points": [], "across": (0, 1, 0, 1), "up": (0, 1, 0, 1)},
        {"points": [(0, 1e308), (1, -1e308)], "across": (0, 1, 0, 5), "up": (-1e308, 1e308, 9, 0)},
    ]
    for _ in range(200):
        height = dice.choice([1, 0.3, 1e6, 1e-7])
        points = [(k * 3, dice.random() * height) for k in range(dice.randrange(1, 60))]
        found.append(
            {
                "points": sorted(points) if dice.random() < 0.9 else points,
                "across": (0, points[-1][0], 40.5, dice.randrange(100, 900)),
                "up": (0, height, dice.randrange(100, 400), 8),
            }
        )
    return [{**one, "steps": steps} for one in found for steps in (False, True)]


def test_the_lab_draws_the_paths_of_reports(tmp_path: Path) -> None:
    build_lab.install()
    place = build_lab.PLACE / "node_modules"
    subprocess.run(
        [place / ".bin/esbuild", "src/plot.tsx", "--bundle", "--format=esm",
         "--jsx=automatic", "--jsx-import-source=preact", "--log-level=warning",
         f"--outfile={tmp_path / 'plot.js'}"],
        cwd=build_lab.SOURCE, check=True, env={**os.environ, "NODE_PATH": str(place)},
    )  # fmt: skip
    (tmp_path / "draw.mjs").write_text(SCRIPT)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    asked = charts()
    done = subprocess.run(
        ["node", tmp_path / "draw.mjs"],
        input=json.dumps(asked), capture_output=True, text=True, check=True,
    )  # fmt: skip
    drawn = json.loads(done.stdout)
    assert drawn == [
        path_of(one["points"], Scale(*one["across"]), Scale(*one["up"]), steps=one["steps"])
        for one in asked
    ]
    assert sum(map(len, drawn)) > 50_000
