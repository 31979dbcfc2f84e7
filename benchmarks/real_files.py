"""Real files through the commands: ``python -m benchmarks.real_files FOLDER``.

Every file below FOLDER that a reader knows is trained on and tested with the commands alone, as a
user would; what each came to is printed as a table. Files in other formats are listed as left out.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.timing import table

#: Data sets by a part of their path, and the options that their labels or columns need.
OPTIONS = {
    "SMSSpamCollection": ["--positive", "spam", "--words", "1-2"],
    "svmguide3": ["--label-field", "0"],
    "phishing.csv": ["--label-field", "is_phishing"],
    "rcv1_multiclass": ["--positive", "1"],
}
LEFT_OUT = (".arff", ".zip", ".tar.xz", ".mat", ".xml", "SOURCE.txt", "featmap.txt")


def outcome(path: Path, folder: Path) -> tuple[str, ...]:
    """One line of the table: rows, progressive error and error on the same rows afterwards."""
    options = next((o for part, o in OPTIONS.items() if part in path.name), [])
    model = folder / "model.thr"
    trained = command("train", str(path), "-o", str(model), *options)
    if "failure" in trained:
        return (path.name, "", "", "", trained["failure"])
    tested = command("test", str(model), str(path))
    error = trained["mistakes"] / max(trained["rounds"], 1)
    shown = (path.name, f"{trained['rounds']:,}", f"{error:.2%}")
    if "failure" in tested:
        return (*shown, "", tested["failure"])
    return (*shown, f"{tested['mistakes'] / max(tested['rows'], 1):.2%}", "")


def command(*words: str) -> dict[str, Any]:
    """The result of a command as JSON, or the line it complained with."""
    done = subprocess.run(
        [sys.executable, "-m", "thresher", *words, "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return {"failure": done.stderr.strip().splitlines()[-1] if done.stderr else "failed"}
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    root = parser.parse_args(arguments).folder
    files = sorted(path for path in root.rglob("*") if path.is_file())
    known = [path for path in files if not path.name.endswith(LEFT_OUT)]
    with tempfile.TemporaryDirectory() as temporary:
        lines = [outcome(path, Path(temporary)) for path in known]
    headings = ("file", "rows", "while learning", "afterwards", "")
    print(table(headings, lines))
    print("\nleft out: " + ", ".join(path.name for path in files if path not in known))


if __name__ == "__main__":
    main()
