"""Look into a wheel: everything is there and nothing else, and it is small enough."""

from __future__ import annotations

import sys
import zipfile
from hashlib import sha256
from pathlib import Path

#: What a wheel may weigh.
LIMIT = 4_000_000
NEEDED = ("thresher/__init__.py", "thresher/py.typed", "thresher/lab/static/lab.js")
UNWANTED = (".pyx", ".pxd", ".c", ".h")


def faults(path: Path) -> list[str]:
    """What is wrong with the wheel, in words."""
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
    found = [f"{name} is missing" for name in NEEDED if name not in names]
    found += [f"{name} is source of the build" for name in names if name.endswith(UNWANTED)]
    size = path.stat().st_size
    return [*found, f"{size:,} bytes, and {LIMIT:,} are allowed"] if size > LIMIT else found


if __name__ == "__main__":
    wheel = Path(sys.argv[1])
    wrong = faults(wheel)
    for fault in wrong:
        print(f"{wheel.name}: {fault}", file=sys.stderr)
    digest = sha256(wheel.read_bytes()).hexdigest()
    print(f"{wheel.name}: {wheel.stat().st_size:,} bytes, sha256 {digest}")
    sys.exit(bool(wrong))
