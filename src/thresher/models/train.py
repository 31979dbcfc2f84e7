"""`thresher.train`: what the command of that name does, for programs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from thresher.learners.base.learner import Learner
from thresher.models.choice import LearnerChoice
from thresher.models.input_data import InputData, Path, Policy
from thresher.models.training import TrainingRun
from thresher.models.training_request import TrainingRequest
from thresher.streams.recipe import Recipe

if TYPE_CHECKING:
    from thresher.models.events import TrainingEvent
    from thresher.models.model import Model
    from thresher.theory import Concept


def train(  # noqa: PLR0913  (each is an option of the command, and has a default)
    paths: Path | Iterable[Path],
    learner: str | LearnerChoice | Learner | None = None,
    *,
    positive: object = None,
    recipe: Recipe | None = None,
    n_features: int | None = None,
    seed: int | None = None,
    vocabulary: bool = False,
    passes: int = 1,
    holdout: int | None = None,
    window: int | None = None,
    claim: Concept | str | None = None,
    multiclass: bool = False,
    calibrate: str | None = None,
    save_to: Path | None = None,
    save_every: int | None = None,
    resume: Path | None = None,
    skip_rows: int | None = None,
    journal: bool | None = None,
    ignore_importance: bool = False,
    class_weight: Mapping[Any, float] | None = None,
    on_bad: Policy = "stop",
    quarantine: Path | None = None,
    max_bad: int | None = None,
    threads: int | None = None,
    on_event: Callable[[TrainingEvent], object] | None = None,
    **reading: Any,
) -> Model:
    """Learn from files, row by row, and return the model.

    The model holds what `thresher train` would write: the learner, how lines become rows, what
    labels mean, the names of features, and a record of the training data. The same files give the
    same model.

    Parameters
    ----------
    paths
        A file, a pattern (``"day-*.svm.gz"``), several of them, or ``"-"`` for standard input.
    learner
        A name, optionally with parameters (``"winnow:beta=1/2"``), or a learner, of which a copy
        is trained. The default is a committee, which needs no tuning. With several classes, each
        has a committee if those of the first 1,000 rows fit into 2 GiB, and otherwise an AROW with
        ``scaling="online"``. With a claim, the default is a perceptron.
    positive
        The label that counts as +1; every other counts as -1. Without it, the labels -1/+1, 0/1
        and 1/2 are understood, and more than two labels are the names of that many classes.
    recipe
        How lines become rows. Its fields, and those of `NGrams`, may also be given directly:
        ``format="text", words=(1, 2)``.
    n_features
        Number of features; names are hashed into them. 2^18 by default.
    seed, vocabulary
        The seed of the hash; or whether names are kept exactly instead.
    passes
        How many times the data is read.
    holdout
        One row in this many is never learned, only predicted. With several passes, the model is
        the one after the pass that did best on these rows.
    window
        Progressive validation also reports the error over this many last rounds, which shows
        whether the learner keeps up with a stream that drifts.
    claim
        A claim about the stream: a concept of `thresher.theory`, or ``"disjunction:k=4"``.
    multiclass
        Whether there are several classes, whatever the first 1,000 rows show.
    calibrate
        ``"isotonic"`` or ``"platt"``: also learn probabilities.
    save_to, save_every
        The file to which the model is written, at the end and after every so many rows.
    resume, skip_rows
        A model file to continue from, at the row where it stopped if it did; or how many rows to
        skip.
    journal
        Whether to keep the journal of updates; None: for learners that change on mistakes alone.
    ignore_importance
        Whether every row counts 1, whatever importance it states.
    class_weight
        How much the rows of a class count, by its label: ``{"spam": 5}``; 1 unless given.
    on_bad, quarantine, max_bad
        What happens to lines that cannot be read; see :class:`thresher.BadLinePolicy`.
    threads
        How many threads read and, with a learner for each class, learn; the model does not depend
        on it.
    on_event
        Called with each event of :mod:`thresher.models.events`: points of progressive validation,
        a refuted claim, a saved model. To be able to stop a run early, iterate over a
        `TrainingRun` instead.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "mail.tsv"
    >>> _ = file.write_text("spam\\tfree cash\\nham\\tsee you monday\\nspam\\tcash now\\n")
    >>> model = train(file, "winnow", format="text", positive="spam", n_features=1024)
    >>> model.learner
    Winnow(n_features=1024): 3 rounds, 2 mistakes
    >>> model.label_names, [source.rows for source in model.history[0].sources]
    (('ham', 'spam'), [3])
    """
    data = InputData.described(
        paths,
        recipe=recipe,
        positive=positive,
        n_features=n_features,
        seed=seed,
        vocabulary=vocabulary,
        on_bad=on_bad,
        quarantine=quarantine,
        max_bad=max_bad,
        threads=threads,
        **reading,
    )
    request = TrainingRequest(
        data=data,
        learner=LearnerChoice.parse(learner) if isinstance(learner, str) else learner,
        passes=passes,
        holdout=holdout,
        window=window,
        claim=claim,
        multiclass=multiclass,
        calibrate=calibrate,
        save_to=None if save_to is None else os.fspath(save_to),
        save_every=save_every,
        resume=None if resume is None else os.fspath(resume),
        skip_rows=skip_rows,
        journal=journal,
        ignore_importance=ignore_importance,
        class_weight=class_weight,
    )
    run = TrainingRun(request)
    for event in run:
        if on_event is not None:
            on_event(event)
    return run.model
