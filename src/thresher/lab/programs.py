"""The run on the screen as a program in Python."""

from __future__ import annotations

import shlex

from thresher.lab.recorded_run import RecordedRun
from thresher.lab.streams import FILE
from thresher.models.choice import LearnerChoice
from thresher.models.written import literal


def program(run: RecordedRun) -> str:
    """What to type in Python to have the same run and its certificate.

    >>> from thresher.lab.streams import stream_of
    >>> stream = stream_of("winnow-loop:repeats=2", {})
    >>> text = program(RecordedRun(stream, stream.whole(), "winnow:threshold=4"))
    >>> print(text)
    import thresher as th
    from thresher.lab.streams import stream_of
    <BLANKLINE>
    stream = stream_of('winnow-loop:repeats=2', {}).whole()
    learner = th.Winnow(n_features=4, threshold=4)
    print(learner.learn(stream).mistakes)
    print(th.certify(learner, stream))
    >>> exec(text)  # doctest: +ELLIPSIS
    11
    ...
    """
    choice = LearnerChoice.parse(run.text)
    given = {name: literal(str(value)) for name, value in choice.given.items()}
    first = f"n_features={run.stream.n_features}"
    imports, stream = _stream(run)
    if choice.record.needs == "concepts":
        imports.append("from thresher.models.concept_choice import concept_class")
        concepts = given.pop("concepts", "disjunctions")
        first = f"concept_class({concepts!r}, {run.stream.n_features})"
    arguments = ", ".join([first, *(f"{name}={value!r}" for name, value in given.items())])
    if "Fraction(" in arguments:
        imports.insert(0, "from fractions import Fraction")
    return "\n".join(
        (
            "import thresher as th",
            *imports,
            "",
            f"stream = {stream}",
            f"learner = th.{choice.record.title}({arguments})",
            "print(learner.learn(stream).mistakes)",
            "print(th.certify(learner, stream))",
        )
    )


def _stream(run: RecordedRun) -> tuple[list[str], str]:
    """What to import, and an expression for the rows."""
    stream = run.stream
    if not stream.text.startswith(f"{FILE}:"):
        imports = ["from thresher.lab.streams import stream_of"]
        return imports, f"stream_of({stream.text!r}, {{}}).whole()"
    imports = ["from thresher.lab.files import file_stream"]
    return imports, f"file_stream({shlex.split(stream.file)[0]!r}).whole()"
