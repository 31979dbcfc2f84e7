"""Plant faults in the verifier's compiled replays, one after another, and see that tests notice.

Run `python -m scripts.plant_faults`, with names of files such as `scaling.pyx` for these alone.
Every fault is a replacement in a source file: another order of summation, another rule for ties,
one rounding less. The file is changed, built by the next import, tested, and put back. A fault
that no test notices ends the program with status 1.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
COMPILED = ROOT / "src/thresher/verifier/compiled"
REPLAYS = "tests/verifier/test_replays_to_the_bit.py"
PAPER = "tests/verifier/test_paper.py"
#: One failing case is enough; it need not be the smallest.
FIRST = {**os.environ, "HYPOTHESIS_PROFILE": "first"}


class Fault(NamedTuple):
    """One replacement, and which tests must notice it."""

    file: str
    old: str
    new: str
    tests: str = REPLAYS
    chosen: str = ""


FAULTS = (
    Fault(
        "linear_rounds.pxd",
        "for k in range(row.n):\n            total += weight",
        "for k in range(row.n - 1, -1, -1):\n            total += weight",
        chosen="arow",
    ),
    Fault(
        "linear_rounds.pxd",
        "cdef double total = 0.0\n",
        "cdef double total = weight[self.width] if self.bias else 0.0\n",
        chosen="perceptron",
    ),
    Fault(
        "linear_rounds.pyx",
        "row.wrong = (row.score >= self",
        "row.wrong = (row.score > self",
        chosen="perceptron",
    ),
    Fault(
        "linear_rounds.pyx",
        "self.mistaken[t] = (score >=",
        "self.mistaken[t] = (score >",
        chosen="perceptron",
    ),
    Fault("linear_rounds.pyx", "/ <double> (t + 1)", "/ <double> (t + 2)", chosen="adagrad"),
    Fault("linear_rounds.pyx", "if not row.h > 0.0 or", "if", chosen="arow"),
    Fault("linear_rounds.pxd", "return 1e150", "return 1e151", chosen="limit"),
    Fault("linear_rounds.pxd", "<double> (t + 1) *", "<double> t *", chosen="pa-1"),
    Fault(
        "linear_rounds.pyx",
        "if fabs(row.given[k]) > self.largest",
        "if fabs(row.x[k]) > self.largest",
        chosen="arow",
    ),
    Fault(
        "running_sums.pyx",
        "row.score <= self.margin",
        "row.score < self.margin",
        chosen="perceptron",
    ),
    Fault("running_sums.pyx", "self.factor < 1e-100", "self.factor < 1e-200", chosen="forgetting"),
    Fault(
        "running_sums.pyx", "amount = amount / self.factor", "amount = amount", chosen="forgetting"
    ),
    Fault("hinge_steps.pyx", "if not loss > 0.0:", "if not loss >= 0.0:", chosen="pa"),
    Fault("hinge_steps.pyx", "return row.wrong", "return False", chosen="pa"),
    Fault(
        "hinge_steps.pyx",
        "self.variant == 1 and c < tau",
        "self.variant == 2 and c < tau",
        chosen="pa-1",
    ),
    Fault(
        "hinge_steps.pyx", "square + 0.5 / c", "square + 1.0 / (2.0 * c * 1.0000001)", chosen="pa-1"
    ),
    Fault(
        "hinge_steps.pyx",
        "beta * x / self.precision[i]",
        "beta * (x / self.precision[i])",
        chosen="arow",
    ),
    Fault("hinge_steps.pyx", "+= x * x / r", "+= x * (x / r)", chosen="arow"),
    Fault("hinge_steps.pyx", "if margin < 1.0", "if margin <= 1.0", chosen="adagrad"),
    Fault("hinge_steps.pyx", "if self.squares[i] > 0.0:", "if True:", chosen="adagrad"),
    Fault(
        "hinge_steps.pyx",
        "self.rate * gradient / sqrt(self.squares[i])",
        "self.rate / sqrt(self.squares[i]) * gradient",
        chosen="adagrad",
    ),
    Fault(
        "p_norm_duals.pyx",
        "sign * (fabs(self.weight[i]) * self.size_of(i))",
        "sign * pow(self.size_of(i), self.p)",
        chosen="p-norm",
    ),
    Fault("p_norm_duals.pyx", "self.lost +=", "self.lost -=", chosen="p-norm"),
    Fault("p_norm_duals.pyx", "power <= 1e200", "power <= 1e250", chosen="p-norm"),
    Fault("shared_rows.pyx", "<= self.margin", "< self.margin", chosen="modified"),
    Fault("shared_rows.pyx", "return total + 1.0", "return total", chosen="modified"),
    Fault("shared_rows.pyx", "log1p(-share)", "log(1.0 - share)", chosen="modified"),
    Fault(
        "power_rounds.pyx",
        "inside == self.margin and row.y > 0.0",
        "inside == self.margin and row.y < 0.0",
        chosen="winnow",
    ),
    Fault("power_rounds.pyx", "gap == 0.0:", "False:", chosen="winnow"),
    Fault("power_rounds.pyx", "positive = gap > 0.0", "positive = gap < 0.0", chosen="winnow"),
    Fault("power_rounds.pyx", "z = self.lowest", "z = self.lowest + 1.0", chosen="winnow"),
    Fault(
        "power_rounds.pyx",
        "self.phase_mistakes > self.budgets",
        "self.phase_mistakes >= self.budgets",
        chosen="restarts",
    ),
    Fault(
        "power_rounds.pyx", "if self.zeroing and row.y < 0.0", "if self.zeroing", chosen="zeroing"
    ),
    Fault(
        "power_rounds.pyx",
        "return some or row.wrong",
        "return some",
        tests="tests/verifier/test_verify_replay.py",
        chosen="majority",
    ),
    Fault(
        "scaling.pyx",
        "out[k] = value[k] / largest",
        "out[k] = value[k] * (1.0 / largest)",
        chosen="arow",
    ),
    Fault(
        "scaling.pyx", "size = sqrt(size)", "size = sqrt(size) * 1.0000000000000002", chosen="arow"
    ),
    Fault("linear_rounds.pxd", "self.off[i] += fabs(", "self.off[i] += 0.0 * fabs(", tests=PAPER),
    Fault("running_sums.pyx", "if not fabs(score) > bound:", "if False:", tests=PAPER),
    Fault(
        "running_sums.pyx", "return self.margin > 0.0 and not", "return False and not", tests=PAPER
    ),
)


def is_noticed(fault: Fault) -> bool:
    """Whether some test fails while the fault is there."""
    path = COMPILED / fault.file
    sound = path.read_text("utf-8")
    if fault.old not in sound:
        raise SystemExit(f"{fault.file}: there is no {fault.old!r} to replace")
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", fault.tests]
    command += ["-k", fault.chosen] if fault.chosen else []
    try:
        path.write_text(sound.replace(fault.old, fault.new), "utf-8")
        # Built here, so that a fault that does not even compile is not taken for a noticed one.
        subprocess.run([sys.executable, "-c", "import thresher.verifier"], cwd=ROOT, check=True)
        done = subprocess.run(command, cwd=ROOT, env=FIRST, capture_output=True, check=False)
    finally:
        path.write_text(sound, "utf-8")
    return done.returncode == 1


def main() -> int:
    """Plant all faults; the number of those that nobody noticed."""
    missed = 0
    only = sys.argv[1:]
    for fault in FAULTS:
        if only and fault.file not in only:
            continue
        noticed = is_noticed(fault)
        missed += not noticed
        shown = " ".join(fault.new.split())
        print(f"{'noticed' if noticed else 'MISSED ':8} {fault.file}: {shown}", flush=True)
    return missed


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
