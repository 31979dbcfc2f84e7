"""What a process of `thresher train` has loaded when it is done."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

#: Prints modules, and the classes of thresher for which `dataclass` compiled source.
RUN = """
import json, sys
from thresher.cli.main import thresher
try:
    thresher.main(["train", "-q", "rows.svm", "-o", "model.thr"])
except SystemExit as left:
    assert left.code == 0
compiled = sorted({
    f"{one.__module__}.{one.__name__}"
    for name, module in [*sys.modules.items()] if name.startswith("thresher.")
    for one in vars(module).values()
    if isinstance(one, type) and "__dataclass_params__" in vars(one)
})
print(json.dumps([sorted(sys.modules), compiled]))
"""
#: For other formats, compressed files and other commands; each takes milliseconds.
NOT_FOR_TRAIN = {
    "isal", "msgspec", "numpy.random", "pyarrow", "scipy", "zstandard",
    "thresher.certifier", "thresher.concepts", "thresher.export", "thresher.games",
    "thresher.proofs", "thresher.reports", "thresher.verifier",
    "thresher.streams.formats.binary_frame", "thresher.streams.formats.csv_table",
}  # fmt: skip


def test_train_loads_nothing_that_it_does_not_use(tmp_path: Path) -> None:
    (tmp_path / "rows.svm").write_text("1 3:1 5:1\n")
    words = [sys.executable, "-c", RUN]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    modules, compiled = json.loads(done.stdout.splitlines()[-1])
    assert NOT_FOR_TRAIN & {*modules} == set()
    # Theorems are not records: a descriptor checks each of their quantities.
    assert [name for name in compiled if not name.startswith("thresher.theory.")] == []
