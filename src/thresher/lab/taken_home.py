"""What the screen Your data gives away: a model, its report, and how to make them elsewhere."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from thresher.lab.files import ReadFile
from thresher.models.input_data import InputData
from thresher.models.model import Model
from thresher.models.rerun import Rerun
from thresher.models.train import train
from thresher.reports.report import Report

#: How the lab takes bad lines and weights of rows, as arguments and as options.
TAKEN: dict[str, Any] = {"on_bad": "skip", "ignore_importance": True}
_OPTIONS = "--on-bad skip --ignore-importance"


def model_bytes(read: ReadFile, learner: str) -> bytes:
    """The model that `thresher train` would write."""
    with TemporaryDirectory(prefix="thresher-lab-") as folder:
        path = Path(folder, "model.thr")
        _trained(read, learner).save(path)
        return path.read_bytes()


def report_page(read: ReadFile, learner: str) -> str:
    """The page that `thresher report` would write of that model and its run."""
    model = _trained(read, learner)
    rerun = Rerun(model, InputData.described(read.path, on_bad="skip"), ignore_importance=True)
    for _ in rerun:
        pass
    report = Report.of(model, rerun.account, commands=commands(read, learner))
    return Report(_renamed(report.facts, read.path, read.look.name)).html()


def commands(read: ReadFile, learner: str) -> tuple[str, str]:
    """What to type to have the model and the report."""
    name = shlex.quote(read.look.name)
    return (
        f"{read.look.command} --learner {shlex.quote(learner)} {_OPTIONS} -o model.thr",
        f"thresher report model.thr {name} {_OPTIONS} -o report.html",
    )


def program(read: ReadFile, learner: str) -> str:
    """What to type in Python to have the model.

    >>> from tempfile import mkdtemp
    >>> from thresher.lab.files import read_file
    >>> path = Path(mkdtemp(), "ages.csv")
    >>> _ = path.write_text("age,kind\\n3,a\\n5,b\\n4,a\\n")
    >>> read = read_file(str(path), "ages.csv", {"label_field": "kind"})
    >>> print(program(read, "perceptron"))  # doctest: +NORMALIZE_WHITESPACE
    import thresher as th
    <BLANKLINE>
    model = th.train('ages.csv', 'perceptron', label_field='kind', on_bad='skip',
                     ignore_importance=True)
    model.save("model.thr")
    print(th.Model.load("model.thr").summary())
    """
    said = {**_said(read), **TAKEN}
    words = [repr(read.look.name), repr(learner), *(f"{key}={said[key]!r}" for key in said)]
    return "\n".join(
        (
            "import thresher as th",
            "",
            f"model = th.train({', '.join(words)})",
            'model.save("model.thr")',
            'print(th.Model.load("model.thr").summary())',
        )
    )


def _said(read: ReadFile) -> dict[str, Any]:
    return {key: value for key, value in read.said.items() if value not in (None, "", ())}


def _trained(read: ReadFile, learner: str) -> Model:
    """The model; whoever gets it need not know where the file was."""
    model = train(read.path, learner, **_said(read), **TAKEN)
    (training,) = model.history
    sources = tuple(replace(source, name=read.look.name) for source in training.sources)
    return replace(model, history=(replace(training, sources=sources),))


def _renamed(fact: Any, path: str, name: str) -> Any:
    """Facts in which the file has its own name."""
    if isinstance(fact, dict):
        return {key: _renamed(value, path, name) for key, value in fact.items()}
    if isinstance(fact, list | tuple):
        return [_renamed(value, path, name) for value in fact]
    return fact.replace(path, name) if isinstance(fact, str) else fact
