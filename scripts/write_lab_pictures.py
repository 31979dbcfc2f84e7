"""Write the pictures of docs/lab: `python -m scripts.write_lab_pictures`.

It needs what `make test-browser` installs. The pages are real ones, of a lab that is started for
it, on data that come with the package.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page, expect, sync_playwright

from thresher.streams import load_mushrooms

FOLDER = Path(__file__).parents[1] / "docs/lab"
#: Each picture: its name, the address, the theme, and the size of the window.
PICTURES = (
    ("step-light", "#step?t=346", "light", (1440, 900)),
    ("step-dark", "#step?t=500&on=1", "dark", (1440, 900)),
    ("step-phone", "#step?t=346", "light", (420, 900)),
    ("race-light", "#race", "light", (1440, 800)),
    ("race-dark", "#race?stream=separators:n_features=50,margin=0.1,rows=5000"
     "&learner=perceptron&learner=signed_winnow&learner=passive_aggressive&seeds=20",
     "dark", (1440, 760)),
    ("game-light", "#game?margin=1/3&moves=0m.1p.2m", "light", (1440, 640)),
    ("game-dark", "#game?play=halving&kind=disjunctions/4&moves=m.p", "dark", (1440, 800)),
)  # fmt: skip
#: The table of mushrooms as a file that somebody gives, with one label in 50 wrong.
WRONG_LABEL = 50


def main() -> None:
    """Start a lab and a browser, and write every picture."""
    FOLDER.mkdir(exist_ok=True)
    words = [sys.executable, "-m", "thresher", "lab", "--no-browser"]
    with (
        TemporaryDirectory() as folder,
        subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as lab,
        sync_playwright() as playwright,
    ):
        assert lab.stdout is not None
        address = lab.stdout.readline().strip()
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        try:
            for name, screen, theme, size in PICTURES:
                page = opened(browser, theme, size)
                page.goto(address + screen)
                settle(page)
                write(page, name, full=name.endswith("phone"))
            page = opened(browser, "light", (1440, 900))
            page.goto(f"{address}#data")
            page.locator("input[type=file]").set_input_files(mushroom_file(Path(folder)))
            expect(page.locator("[data-field=area]")).to_be_visible(timeout=60_000)
            settle(page)
            write(page, "data-light", full=True)
        finally:
            browser.close()
            lab.terminate()


def opened(browser: Any, theme: str, size: tuple[int, int]) -> Page:
    """An empty page."""
    width, height = size
    page: Page = browser.new_page(
        viewport={"width": width, "height": height}, color_scheme=theme, reduced_motion="reduce"
    )
    return page


def settle(page: Page) -> None:
    """Wait until nothing is on its way."""
    expect(page.locator("main")).to_be_visible()
    page.wait_for_timeout(1500)
    expect(page.locator(".dots")).to_have_count(0, timeout=60_000)
    if page.locator(".state").count():
        expect(page.locator(".state")).to_have_text("finished", timeout=60_000)


def mushroom_file(folder: Path) -> Path:
    """The mushrooms as a table, a few labels wrong, so that there is something to see."""
    batch, names = load_mushrooms(1)
    columns = [name.partition("=")[0] for name in (names[c] for c in next(batch.examples())[0])]
    lines = [",".join([*columns, "label"])]
    for t, (row, label) in enumerate(batch.examples()):
        wrong = -label if t % WRONG_LABEL == 7 else label
        cells = [names[column].partition("=")[2] for column in row]
        lines.append(",".join([*cells, "poisonous" if wrong > 0 else "edible"]))
    path = folder / "mushrooms.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def write(page: Page, name: str, *, full: bool) -> None:
    """Write a picture with a palette, which takes a third of the bytes."""
    path = FOLDER / f"{name}.png"
    path.write_bytes(with_palette(pixels(page.screenshot(full_page=full))))
    print(f"{path.name}: {path.stat().st_size:,} bytes")


def pixels(png: bytes) -> NDArray[np.uint8]:
    """The colours of a picture, as the browser writes it: 8 bits, three or four a pixel."""
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    assert depth == 8
    each = {2: 3, 6: 4}[kind]
    data, at = b"", 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + length]
        at += 12 + length
    lines = np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, 1 + width * each)
    out = np.zeros((height + 1, width + 1, each), np.int64)
    for y, line in enumerate(lines, 1):
        unfilter(out, y, int(line[0]), line[1:].reshape(width, each).astype(np.int64))
    return out[1:, 1:, :3].astype(np.uint8)


def unfilter(out: NDArray[np.int64], y: int, kind: int, line: NDArray[np.int64]) -> None:
    """Add to a line what its filter took away: the pixel before it, above it, or between."""
    if kind in (0, 2):
        out[y, 1:] = (line + (out[y - 1, 1:] if kind == 2 else 0)) % 256
        return
    if kind == 1:
        out[y, 1:] = np.cumsum(line, axis=0) % 256
        return
    for x in range(1, len(line) + 1):
        left, up, corner = out[y, x - 1], out[y - 1, x], out[y - 1, x - 1]
        if kind == 3:
            guess = (left + up) // 2
        else:
            distance = np.abs(np.stack((up - corner, left - corner, left + up - 2 * corner)))
            nearest = distance.argmin(axis=0)
            guess = np.choose(nearest, (left, up, corner))
        out[y, x] = (line[x - 1] + guess) % 256


def with_palette(colours: NDArray[np.uint8]) -> bytes:
    """The picture with the 256 commonest of its colours; others become the nearest of them."""
    height, width, _ = colours.shape
    packed = colours.astype(np.int64) @ np.array([65536, 256, 1])
    found, place, count = np.unique(packed, return_inverse=True, return_counts=True)
    kept = np.sort(found[np.argsort(-count, kind="stable")[:256]])
    of = np.stack((found >> 16, found >> 8 & 255, found & 255), axis=1)
    palette = np.stack((kept >> 16, kept >> 8 & 255, kept & 255), axis=1)
    nearest = np.array([int(((palette - one) ** 2).sum(axis=1).argmin()) for one in of])
    lines = nearest[place].reshape(height, width).astype(np.uint8)
    raw = np.concatenate((np.zeros((height, 1), np.uint8), lines), axis=1).tobytes()
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in (
            (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            (b"PLTE", palette.astype(np.uint8).tobytes()),
            (b"IDAT", zlib.compress(raw, 9)),
            (b"IEND", b""),
        )
    )


if __name__ == "__main__":
    main()
