"""Which parameters a River classifier has: the learner's own, and how names find columns."""

from __future__ import annotations

from inspect import Parameter

from thresher.learners.adapter import Adapter

#: Hashing needs a number of columns; collisions are rare below a tenth of it.
COLUMNS = 2**16

MEANINGS = {
    "n_features": """\
None keeps names exactly and grows with them. A number hashes them into so many columns,
which takes less time where names are many.""",
    "calibrate": """\
"isotonic" or "platt": learn from the scores that were taken before their labels were
known what they are worth as probabilities, see :class:`thresher.Calibrated`. The likeliest
class is predicted then.""",
    "bias": "Whether to add a constant feature 1, whose weight is learned like any other.",
    "journal_bytes": "Memory the journal of updates may take; none is kept unless asked for.",
}

#: Where the algorithm depends on the number of features.
HASHED = "Number of columns into which names are hashed."

#: Where the learner is made for features within bounds.
BOUNDS = """\
As for the learner. "online" divides each feature by the largest absolute value it has had
so far, which leaves features that are 0 or 1 as they are; with None a feature out of
bounds is an error."""


class Declaration(Adapter):
    """What the declaration of a River classifier says."""

    @classmethod
    def _stated(cls) -> list[Parameter]:
        taken, hashing = cls._taken, cls._must_know_n_features()
        # One table for all classes grows with the names.
        growing = not hashing and not cls._example.several
        scaling = "online" if cls._bounded() else None
        columns = [] if not hashing else [_parameter("n_features", "int", COLUMNS)]
        common = (
            ("bias" in taken, "bias", "bool", True),
            ("scaling" in taken, "scaling", "str | None", scaling),
            (growing, "n_features", "int | None", None),
            (cls._can_be_calibrated(), "calibrate", "str | None", None),
            ("journal_bytes" in taken, "journal_bytes", "int", 0),
        )
        rest = [_parameter(*stated) for there, *stated in common if there]
        return [*columns, *cls._own(), *rest]

    @classmethod
    def _meaning(cls, name: str) -> str | None:
        if name == "scaling" and cls._bounded():
            return BOUNDS
        if name == "n_features" and cls._must_know_n_features():
            return HASHED
        return MEANINGS.get(name)


def _parameter(name: str, annotation: str, default: object) -> Parameter:
    kind = Parameter.POSITIONAL_OR_KEYWORD
    return Parameter(name, kind, default=default, annotation=annotation)
