"""`thresher demo`: a tour of the commands on the bundled mushrooms."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from thresher.cli.options import Command

#: A lecture's example: the target is "x1 or x4".
LECTURE = "1 | x1 x3\n-1 | x2 x3\n1 | x2 x3 x4\n-1 |\n"
#: Each step: what it shows, and the command, as it is typed in a folder with `mushrooms.vw`.
#: `OPTIONS` are those that say how to read the file.
OPTIONS = "--vocabulary --features 98"
TOUR = (
    (
        "Which learner? Every mushroom is judged before the answer is told.",
        f"race mushrooms.vw {OPTIONS} --learner winnow --learner perceptron --learner committee",
    ),
    (
        "Who chooses nothing gets a committee, which needs no tuning.",
        f"train mushrooms.vw -o best.thr {OPTIONS}",
    ),
    (
        "Train one that theorems speak of. A row is printed whenever the rounds have doubled.",
        f"train mushrooms.vw -o mushrooms.thr --learner winnow {OPTIONS}",
    ),
    ("What has it learned?", "inspect mushrooms.thr --top 6"),
    (
        "How few mistakes did it have to make? A theorem says, for the best comparator found.",
        "certify mushrooms.thr mushrooms.vw -o mushrooms.cert.json",
    ),
    (
        "Anybody can check that: the run is played again by code that knows no learner.",
        f"verify mushrooms.cert.json mushrooms.vw {OPTIONS}",
    ),
    (
        "One label changed, and the certificate no longer holds.",
        f"verify mushrooms.cert.json forged.vw {OPTIONS}",
    ),
    (
        "Look at it: one page without a script, which opens anywhere.",
        "report mushrooms.thr mushrooms.vw --certificate mushrooms.cert.json -o report.html",
    ),
    (
        "Every round of a small stream, as a lecture writes it on the board; weights are exact.",
        "trace lecture.vw --learner winnow --vocabulary --features 5 --rounds 1:11",
    ),
    (
        "Which learner for a stream of which only a few figures are known?",
        "advise --features 10000 --relevant 20 --active 50",
    ),
)


@click.command("demo", cls=Command)
@click.option(
    "--order", type=int, default=1, show_default=True, metavar="SEED", help="Seed of the shuffle."
)
@click.option(
    "--keep", metavar="FOLDER", help="Keep the files in FOLDER, which must not exist yet."
)
def command(order: int, keep: str | None) -> None:
    """Take a tour of the commands on a stream of mushrooms.

    The package contains 5,644 mushrooms, poisonous or edible, described by 98 yes/no features. The
    tour runs every command for you and shows its output.

    \b
    Examples:
      thresher demo
      thresher demo --keep tour      (and go on by yourself: cd tour)
    """
    with workplace(keep) as folder:
        write_streams(folder, order)
        for number, (why, words) in enumerate(TOUR, 1):
            click.echo(f"{number}. {why}\n")
            click.echo(f"$ thresher {words}")
            click.echo(shown(words.split(), folder))
    if keep is not None:
        click.echo(f"The files are in {keep}.")


@contextmanager
def workplace(keep: str | None) -> Iterator[Path]:
    """A folder for the tour: one to keep, or one that is gone afterwards."""
    from tempfile import TemporaryDirectory

    if keep is not None:
        folder = Path(keep)
        if folder.exists():
            raise click.UsageError(f"--keep {keep}: it exists already; choose another name.")
        folder.mkdir(parents=True)
        yield folder
        return
    with TemporaryDirectory(prefix="thresher-demo-") as name:
        yield Path(name)


def write_streams(folder: Path, order: int) -> None:
    """The mushrooms as Vowpal Wabbit text, again with one label changed, and a lecture's rows."""
    from thresher.streams import load_mushrooms

    stream, names = load_mushrooms(order)
    lines = [
        f"{label} | {' '.join(names[column] for column in row)}\n"
        for row, label in stream.examples()
    ]
    (folder / "mushrooms.vw").write_text("".join(lines), "utf-8")
    label, _, rest = lines[1000].partition(" ")
    lines[1000] = f"{-int(label)} {rest}"
    (folder / "forged.vw").write_text("".join(lines), "utf-8")
    (folder / "lecture.vw").write_text(LECTURE * 5, "utf-8")


def shown(words: list[str], folder: Path) -> str:
    """What a command prints in a folder: standard output and error in the order of a terminal."""
    import os
    import subprocess
    import sys

    from thresher.cli.terminal.speech import width

    # The matrices of the tour are small: threads of the linear algebra would only wait for another.
    environment = os.environ | {
        "COLUMNS": str(width()),
        "PYTHONIOENCODING": sys.stdout.encoding or "utf-8",
        "OPENBLAS_NUM_THREADS": "1",
    }
    done = subprocess.run(
        [sys.executable, "-m", "thresher", *words],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding=sys.stdout.encoding or "utf-8",
        check=False,
    )
    status = f"(exit status {done.returncode})\n" if done.returncode else ""
    return f"{done.stdout}{status}"
