"""Events: what long work reports while it happens; whoever called decides what to show of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thresher.records import record

if TYPE_CHECKING:
    from thresher.learners.base.explanation import Explanation
    from thresher.models.progress import Point


@record
class Progressed:
    """Some more of the input was read and worked on."""

    #: Rows so far, in all passes.
    rows: int
    #: Bytes of input so far, as stored, and of all that is to come; None where nobody knows.
    position: int
    total_bytes: int | None


@record
class Understood:
    """The first rows have shown how the input is to be read."""

    format: str
    #: What labels mean, in words.
    labels: str
    #: Where the order of two labels decided which counts as +1: the one that does not.
    other: str | None = None


@record
class Warned:
    """Something that people should know of; the work goes on."""

    text: str


@record
class Explained:
    """A row, and why it has its score."""

    #: File and line.
    place: str
    why: Explanation


@record
class MoreRows:
    """There is more in the input than was asked for."""

    #: Rows that were worked on.
    rows: int


# ---- races ---------------------------------------------------------------------------------


@record
class LeftRace:
    """A learner is out of a race; the others go on."""

    learner: str
    #: The round it could not play, counted from 1, and where that row stands.
    round_number: int
    place: str
    why: str


# ---- training ------------------------------------------------------------------------------


@record
class InputOpened:
    """The data was found, and nothing is learned yet."""

    #: As they are called in messages and in a model's history.
    inputs: tuple[str, ...]
    format: str
    #: How many rows will be passed over.
    skip: int


@record
class LabelsDecided:
    """It is known what the labels mean, and so which learner learns."""

    several: bool
    #: Why this learner, where nobody chose one.
    why: str | None = None


@record
class PointReached:
    """The number of rounds is a power of two."""

    point: Point


@record
class Refuted:
    """The mistakes are more than the claim allows: no target of that class fits the stream."""

    #: Of the learner's life, counted from 0.
    round_number: int


@record
class MuchMemory:
    """One learner for each class takes a lot of memory."""

    n_classes: int
    n_bytes: int

    def __str__(self) -> str:
        return (
            f"{self.n_classes:,} classes with a learner each take {self.n_bytes / 1e9:.1f} GB, and "
            "the model file as much. A smaller n_features makes it less, and so does "
            "multiclass_passive_aggressive, which has weights only for features that it needs."
        )


@record
class LabelNeverSeen:
    """No row has the label that counts as +1."""

    label: str
    #: The labels that rows have.
    found: tuple[str, ...]


@record
class SortedByLabel:
    """Rows with the same label stand together; `told` says so in words, without a remedy."""

    told: str


@record
class Saved:
    """The model was written, on the way or in the end."""

    path: str
    rows: int


@record
class PassFinished:
    """The data was read to its end."""

    #: From 1.
    number: int
    #: Share of mistakes on the rows held out, if there are any.
    holdout_error: float | None


@record
class Finished:
    """Everything was learned."""

    rows: int


@record
class Stopped:
    """Somebody stopped the run before its end."""

    rows: int
    #: Whether anything was learned; otherwise nothing is saved.
    learned: bool


TrainingEvent = (
    InputOpened
    | LabelsDecided
    | PointReached
    | Refuted
    | Progressed
    | MuchMemory
    | LabelNeverSeen
    | SortedByLabel
    | Warned
    | Saved
    | PassFinished
    | Finished
    | Stopped
)
