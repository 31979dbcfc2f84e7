"""Vowpal Wabbit's daemon, for `benchmarks.service`: `vw` of the system or its Python package.

A line that comes over a connection is answered by a line. Each child has a connection at a time.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from importlib.util import find_spec

DRIVER = "import sys, vowpalwabbit as v; v.Workspace(' '.join(sys.argv[1:])).run_parser()"


def driver() -> list[str] | None:
    """How the program is started; None: it is not there."""
    if (vw := shutil.which("vw")) is not None:
        return [vw]
    return [sys.executable, "-c", DRIVER] if find_spec("vowpalwabbit") else None


def main() -> None:
    """Start it with so many children, say where, and end all of them on a signal."""
    begin, children = driver(), sys.argv[1]
    assert begin is not None
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--daemon", "--foreground", "--quiet", "--bit_precision", "18", "--port", str(port)]
    options += ["--num_children", children, "--loss_function", "hinge", *sys.argv[2:]]
    vw = subprocess.Popen([*begin, *options], start_new_session=True)

    def end(*_: object) -> None:
        os.killpg(vw.pid, signal.SIGKILL)

    signal.signal(signal.SIGTERM, end)
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            break
        except OSError:
            time.sleep(0.05)
    print(f"http://127.0.0.1:{port}", flush=True)
    vw.wait()


if __name__ == "__main__":
    main()
