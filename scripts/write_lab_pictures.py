"""Write the pictures of docs/lab: `python -m scripts.write_lab_pictures`.

`python -m scripts.write_lab_pictures live` writes those whose names begin so. It needs what
`make test-browser` installs. The pages are real ones, of a lab that is started for
it, on data that come with the package.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Page, expect, sync_playwright

from scripts.live_example import furnish, serving
from scripts.png import pixels, with_palette
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


#: Pictures of a model that is served: its name, the theme, the size of the window.
LIVE = (
    ("live-light", "mail", "light", (1440, 900)),
    ("live-dark", "mushrooms", "dark", (1440, 900)),
    ("live-phone", "mail", "light", (420, 900)),
)


def main(beginning: str = "") -> None:
    """Start a service, a lab and a browser, and write every picture that begins so."""
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, serving(Path(folder, "store"), 8080) as (_, service):
        furnish(service)
        written(Path(folder), service, beginning)


def written(folder: Path, service: str, beginning: str) -> None:
    """Write the pictures, of a lab that watches a service."""
    words = [sys.executable, "-m", "thresher", "lab", "--no-browser", "--live", service]
    with (
        subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as lab,
        sync_playwright() as playwright,
    ):
        assert lab.stdout is not None
        address = lab.stdout.readline().strip().partition("#")[0]
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        try:
            for name, model, theme, size in LIVE:
                if not name.startswith(beginning):
                    continue
                page = opened(browser, theme, size)
                page.goto(f"{address}#live?model={model}")
                expect(page.locator(".state")).to_have_text("connected")
                page.wait_for_timeout(1500)
                write(page, name, full=True)
            for name, screen, theme, size in PICTURES:
                if not name.startswith(beginning):
                    continue
                page = opened(browser, theme, size)
                page.goto(address + screen)
                settle(page)
                write(page, name, full=name.endswith("phone"))
            two, several = mushroom_file(folder), odour_file(folder)
            for name, theme, size, file in (
                ("data-light", "light", (1440, 900), two),
                ("data-dark", "dark", (1440, 900), two),
                ("classes-light", "light", (1440, 900), several),
                ("classes-dark", "dark", (1440, 900), several),
                ("classes-phone", "light", (420, 900), several),
            ):
                if not name.startswith(beginning):
                    continue
                page = opened(browser, theme, size)
                page.goto(f"{address}#data")
                page.locator("input[type=file]").set_input_files(file)
                expect(page.get_by_text("What weighs most")).to_be_visible(timeout=60_000)
                expect(page.get_by_text("searching for comparators")).to_have_count(
                    0, timeout=60_000
                )
                settle(page)
                write(page, name, full=True)
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


def odour_file(folder: Path) -> Path:
    """The mushrooms by their odour, which is to be told from the rest: seven classes."""
    batch, names = load_mushrooms(1)
    lines = []
    for row, _ in batch.examples():
        cells = [names[column] for column in row]
        odour = next(cell.partition("=")[2] for cell in cells if cell.startswith("odor="))
        words = [cell.replace(" ", "-") for cell in cells if not cell.startswith("odor=")]
        lines.append(f"{odour} | {' '.join(words)}")
    path = folder / "odours.txt"
    path.write_text("\n".join(line.replace(" | ", "\t") for line in lines) + "\n")
    return path


def write(page: Page, name: str, *, full: bool) -> None:
    """Write a picture with a palette, which takes a third of the bytes."""
    path = FOLDER / f"{name}.png"
    path.write_bytes(with_palette(pixels(page.screenshot(full_page=full))))
    print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:2])
