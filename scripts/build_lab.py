"""Build the lab's page from lab-ui/: `python -m scripts.build_lab`.

It needs Node and npm, which those who install the package do not: the result is kept in
`src/thresher/lab/static`. `--check` builds elsewhere and says whether the bytes are the same.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE, STATIC = ROOT / "lab-ui", ROOT / "src/thresher/lab/static"
#: Where npm puts what it fetches; not in the source folder, which the house rules read.
PLACE = ROOT / "build/lab-ui"
#: A page over a slow line, or a saved one sent by mail: small enough for both.
MOST_BYTES = 100_000
FONT = "node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"


def install() -> None:
    """Fetch what package-lock.json names, once."""
    PLACE.mkdir(parents=True, exist_ok=True)
    lock, done = SOURCE / "package-lock.json", PLACE / "installed.json"
    if done.exists() and done.read_bytes() == lock.read_bytes():
        return
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(SOURCE / name, PLACE / name)
    subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--silent"], cwd=PLACE, check=True)
    shutil.copy(lock, done)


def build(into: Path) -> None:
    """Check the types and write one file of script and one of style."""
    tools = PLACE / "node_modules/.bin"
    subprocess.run([tools / "tsc", "-p", SOURCE], check=True)
    into.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        [
            tools / "esbuild", "src/main.tsx", "--bundle", "--minify", "--format=esm",
            "--target=es2022", "--jsx=automatic", "--jsx-import-source=preact",
            "--external:*.woff2", "--charset=utf8", "--legal-comments=none",
            "--log-level=warning", f"--outfile={into / 'lab.js'}",
        ],
        cwd=SOURCE, check=True, env={**os.environ, "NODE_PATH": str(PLACE / "node_modules")},
    )  # fmt: skip
    shutil.copy(PLACE / FONT, into / "inter.woff2")


def differing(one: Path, other: Path) -> list[str]:
    """The files that are not the same in both folders."""
    names = ("lab.js", "lab.css", "inter.woff2")
    return [name for name in names if (one / name).read_bytes() != (other / name).read_bytes()]


def main(words: list[str]) -> int:
    """Build, or with `--check` compare."""
    install()
    into = PLACE / "built" if words == ["--check"] else STATIC
    build(into)
    size = (into / "lab.js").stat().st_size
    print(f"lab.js: {size:,} bytes")
    if size > MOST_BYTES:
        print(f"that is more than {MOST_BYTES:,}")
        return 1
    changed = differing(into, STATIC)
    if changed:
        print(f"{', '.join(changed)} is not what lab-ui/ makes: python -m scripts.build_lab")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
