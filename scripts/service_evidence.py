"""Evidence that the service loses nothing: kills under load, and cuts of the power.

    python -m scripts.service_evidence --kills 300 --cuts 400 --operations 10000

    python -m scripts.service_evidence --kills 0 --cuts 0 --postgres 60

Kills a service at so many random moments under eight writers whose retries keep their ids; then
cuts the power of a simulated disk so many times, with full syncing, with less, and on a disk that
ignores syncs; then does so many operations of a state machine (learn, predict, retry, shadow, swap,
rollback, snapshot, restart, kill), and compares every answer and all weights with a learner that
does the same one after another. With `--postgres` the store is in PostgreSQL, and service and
database are killed by turns. Exit status 0 if nothing acknowledged was lost, nothing was learned
twice, nothing differed, and the harness saw losses where there must be some.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.postgres_server import running_server
from tests.service.killing import Report, killed
from tests.service.test_linearizable import operated
from tests.service.test_power_cuts import cut_at_random


def _progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _told(found: Report) -> bool:
    """Whether nothing was lost, repeated or changed."""
    print(found, flush=True)
    return not any((found.lost, found.twice, found.wrong_sequence, found.differs, found.unsound))


def main() -> int:
    """Run both, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--cuts", type=int, default=400)
    parser.add_argument("--operations", type=int, default=10_000)
    parser.add_argument("--postgres", type=int, default=0, metavar="KILLS")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    sound = True
    if asked.kills:
        with TemporaryDirectory() as folder:
            found = killed(Path(folder), asked.kills, seed=asked.seed, progress=_progress)
        sound &= _told(found)
    if asked.postgres:
        with TemporaryDirectory() as folder, running_server() as server:
            found = killed(
                Path(folder), asked.postgres, seed=asked.seed, progress=_progress, server=server
            )
        sound &= _told(found)
    for lies, synchronous in ((False, "full"), (False, "normal"), (True, "full")):
        lost = 0
        for seed in range(asked.seed, asked.seed + asked.cuts):
            with TemporaryDirectory() as folder:
                lost += cut_at_random(Path(folder), seed, lies=lies, synchronous=synchronous)
        disk = "a disk that ignores syncs" if lies else "an honest disk"
        print(f"synchronous={synchronous}, {disk}: {lost} of {asked.cuts} lost", flush=True)
        must = lies or synchronous == "normal"
        sound &= lost > asked.cuts // 3 if must and asked.cuts else lost == 0
    if asked.operations:
        done = operated(asked.operations)
        print(f"{done} operations of the state machine: every answer and weight as in order")
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
