"""The run on the screen as a program in Python."""

from __future__ import annotations

from inspect import signature
from shlex import quote

from thresher.lab.recorded_run import RecordedRun
from thresher.lab.streams import FILE
from thresher.models.choice import LearnerChoice
from thresher.models.written import literal

#: What a learner of concepts learns unless somebody says otherwise.
CONCEPTS = "disjunctions"


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
    imports, stream = _stream(run)
    more, learner = constructed(run.text, run.stream.n_features)
    return "\n".join(
        (
            *more,
            *imports,
            "",
            f"stream = {stream}",
            f"learner = {learner}",
            "print(learner.learn(stream).mistakes)",
            "print(th.certify(learner, stream))",
        )
    )


def constructed(text: str, n_features: int) -> tuple[list[str], str]:
    """What to import, and an expression for a learner that was chosen by name.

    >>> constructed("winnow:beta=1/2", 4)[1], constructed("halving:concepts=singletons", 4)[1]
    ('th.Winnow(n_features=4, beta=Fraction(1, 2))', "th.Halving(concept_class('singletons', 4))")
    """
    choice = LearnerChoice.parse(text)
    given = {name: literal(str(value)) for name, value in choice.given.items()}
    imports = ["import thresher as th"]
    first = f"n_features={n_features}"
    if "n_experts" in signature(choice.record.load()).parameters:
        first = f"n_experts={n_features}"
    if choice.record.needs == "concepts":
        imports.append("from thresher.models.concept_choice import concept_class")
        first = f"concept_class({given.pop('concepts', CONCEPTS)!r}, {n_features})"
    arguments = ", ".join([first, *(f"{name}={value!r}" for name, value in given.items())])
    if "Fraction(" in arguments:
        imports.insert(0, "from fractions import Fraction")
    return imports, f"th.{choice.record.title}({arguments})"


def spoken(text: str) -> str:
    """A learner as the command line takes it: a class of concepts has an option of its own.

    >>> spoken("winnow:beta=1/2"), spoken("halving")
    ('--learner winnow:beta=1/2', '--learner halving --concepts disjunctions')
    """
    choice = LearnerChoice.parse(text)
    if choice.record.needs != "concepts":
        return f"--learner {quote(text)}"
    concepts = quote(str(choice.given.get("concepts", CONCEPTS)))
    return f"--learner {choice.name} --concepts {concepts}"


def _stream(run: RecordedRun) -> tuple[list[str], str]:
    """What to import, and an expression for the rows."""
    stream = run.stream
    if not stream.text.startswith(f"{FILE}:"):
        imports = ["from thresher.lab.streams import stream_of"]
        return imports, f"stream_of({stream.text!r}, {{}}).whole()"
    imports = ["from thresher.lab.files import file_stream"]
    said = (f", {name}={value!r}" for name, value in stream.said.items())
    return imports, f"file_stream({stream.title!r}{''.join(said)}).whole()"
