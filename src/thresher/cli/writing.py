"""Where results go: a file, or standard output, in UTF-8 whatever the terminal speaks.

What stands in a file already is replaced, as other programs do, unless it would be missed: see
`_check_replaced`.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any

import click

MODEL, CERTIFICATE, BAD_LINES, EMPTY = "a model", "a certificate", "bad lines", "nothing"
#: What commands write that nobody makes again in a moment.
WRITTEN_BY = {"train": MODEL, "certify": CERTIFICATE}

#: How a file begins that a model or a certificate is in, behind so many bytes, and what it is.
_BEGINNINGS = ((8, b'{"__metadata__":{"sha256":"', MODEL), (0, b'{"bounds":[', CERTIFICATE))
#: How a file of bad lines begins: with the place of the first, and what was found there.
_BAD_LINE = re.compile(rb"# .*:[0-9]+: found ")
_LONGEST_BEGINNING = 1 << 13


def check_files(command: str | None, arguments: Mapping[str, Any]) -> None:
    """Refuse, before any work, to write to a file that has another use, or that would be missed.

    Parameters
    ----------
    command
        The name of the command that is to run.
    arguments
        What it was given, by parameter.
    """
    output, resumed = arguments.get("output"), arguments.get("resume")
    models = [arguments[name] for name in ("model", "certificate", "resume") if arguments.get(name)]
    # A model that is trained further may be replaced by what becomes of it.
    inputs = [*arguments.get("paths", ()), *(name for name in models if name != resumed)]
    if output not in (None, "-"):
        _check_output("-o", output, inputs)
        _check_replaced("-o", output, WRITTEN_BY.get(command or ""))
    if (page := arguments.get("report")) is not None:
        if page == "-":
            raise click.UsageError("--report: results go to standard output; name a file.")
        _check_output("--report", page, [*inputs, *models])
        if output is not None and os.path.realpath(page) == os.path.realpath(output):
            raise click.UsageError(f"--report {page}: the model goes there; choose another name.")
        _check_replaced("--report", page)
    if (secret := arguments.get("secret")) is not None:
        if output is not None and os.path.realpath(secret) == os.path.realpath(output):
            raise click.UsageError(f"--secret {secret}: the rows go there; choose another name.")
        _check_replaced("--secret", secret)
    _, quarantine = arguments.get("on_bad", (None, None))
    if quarantine is None:
        return
    from thresher.streams.sources.source import is_one_of

    if is_one_of(quarantine, arguments.get("paths", ())):
        raise click.UsageError(f"--on-bad quarantine {quarantine}: this is one of the inputs.")
    others = {os.path.realpath(name) for name in (*models, output, page) if name is not None}
    if os.path.realpath(quarantine) in others - {os.devnull}:
        raise click.UsageError(f"--on-bad quarantine {quarantine}: this file has another use.")
    _check_replaced("--on-bad quarantine", quarantine, BAD_LINES)


def _check_output(option: str, path: str, inputs: Iterable[str]) -> None:
    """Refuse an output that could not be written or that is an input."""
    from thresher.addresses import is_remote, shown
    from thresher.streams.sources.source import is_one_of
    from thresher.streams.sources.whole_file import HERE_ALONE

    if is_remote(path):
        raise click.UsageError(
            f"{option} {shown(path)}: {HERE_ALONE}; write it here, then copy it there."
        )
    folder = os.path.dirname(path) or "."
    if not path:
        raise click.UsageError(f"{option}: there is no file without a name; give it one.")
    if os.path.isdir(path):
        raise click.UsageError(f"{option} {path}: this is a folder; give the name of a file in it.")
    if not os.path.isdir(folder):
        raise click.UsageError(f"{option} {path}: there is no folder {folder}; make it first.")
    # A device or a pipe takes what is written; a file is put in its place when it is complete.
    plain = os.path.isfile(path) or not os.path.exists(path)
    if plain and not os.access(folder, os.W_OK | os.X_OK):
        raise click.UsageError(f"{option} {path}: the folder {folder} is not writable.")
    if is_one_of(path, inputs):
        raise click.UsageError(f"{option} {path}: this is one of the inputs; choose another name.")


def _check_replaced(option: str, path: str, written: str | None = None) -> None:
    """Refuse to put something in the place of a file of another kind.

    A model, a certificate and a file of bad lines take the place of their like alone. All else may
    take the place of any file but a model or a certificate.
    """
    if not os.path.isfile(path) or (found := _kind_of(path)) in (written, EMPTY):
        return
    precious = found in (MODEL, CERTIFICATE)
    if written is not None or precious:
        what = f"holds {found}" if precious else f"does not hold {written}"
        raise click.UsageError(
            f"{option} {path}: this file is there already and {what}; nothing was written. "
            "Choose another name, or remove it first."
        )


def _kind_of(path: str) -> str | None:
    """What a file holds, as far as its first bytes tell; None: something of others."""
    try:
        with open(path, "rb") as file:
            head = file.read(_LONGEST_BEGINNING)
    except OSError:
        # Whoever may not read it may still replace it, if the folder says so.
        return None
    if not head:
        return EMPTY
    if _BAD_LINE.match(head):
        return BAD_LINES
    return next((kind for at, mark, kind in _BEGINNINGS if head.startswith(mark, at)), None)


@contextmanager
def writing(path: str) -> Iterator[IO[bytes]]:
    """A file to write bytes to, which appears when all is written; standard output for `-`."""
    if path != "-":
        from thresher.streams.sources.whole_file import whole_file

        with whole_file(path) as file:
            yield file
        return
    if sys.stdout is None:
        raise click.UsageError("standard output is closed; give a file with -o.")
    sys.stdout.flush()
    out = sys.stdout.buffer
    if not isinstance(out, io.RawIOBase):
        yield out
        out.flush()
        return
    # Python without buffers (-u) gives up a text of which a pipe took only a part.
    buffered = io.BufferedWriter(out)
    try:
        yield buffered
        buffered.flush()
    finally:
        buffered.detach()
