"""How long the lab takes to its first page, and what it sends: `python -m scripts.measure_lab`.

It needs what `make test-browser` installs. Every start is a new process and a new window; the
first page is there when the curves of all learners are drawn.
"""

from __future__ import annotations

import platform
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from thresher import __version__

STATIC = Path(__file__).parents[1] / "src/thresher/lab/static"
STARTS = 5


def first_page(browser: Browser) -> tuple[float, float]:
    """Seconds to the address, and to the curves on the screen."""
    begin = time.perf_counter()
    words = [sys.executable, "-m", "thresher", "lab", "--no-browser"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as lab:
        try:
            assert lab.stdout is not None
            address = lab.stdout.readline().strip()
            ready = time.perf_counter() - begin
            page = browser.new_page()
            page.goto(address)
            page.locator(".curve").nth(2).wait_for()
            drawn = time.perf_counter() - begin
            page.close()
        finally:
            lab.terminate()
    return ready, drawn


def main() -> None:
    """Measure, and say on what."""
    print(f"thresher {__version__}, Python {platform.python_version()}, {platform.machine()}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        print(f"chromium {browser.version}")
        times = [first_page(browser) for _ in range(STARTS)]
        browser.close()
    for name, seconds in zip(("address", "first page"), zip(*times, strict=True), strict=True):
        print(f"{name}: {statistics.median(seconds):.2f} s (median of {STARTS})")
    for file in sorted(STATIC.iterdir()):
        print(f"{file.name}: {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
