"""The linear forms of a learner, compared with the learner before anybody relies on them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ExportError
from thresher.learners.base.learner import Learner
from thresher.learners.base.linear_form import LinearForm
from thresher.streams.labels import Label
from thresher.streams.rows import Rows

#: Rows of the journal, and features one by one, on which form and learner must agree.
PROBES = 256


def form_of(learner: Learner, label: Label | None = None) -> LinearForm:
    """The linear form, or an error if the learner's scores are not those of one.

    Parameters
    ----------
    learner
        Any; it says itself whether it scores rows by weights alone, and that is checked.
    label
        With several classes, the one whose scores are meant.

    Examples
    --------
    >>> import thresher as th
    >>> form_of(th.RandomizedWeightedMajority(4))
    Traceback (most recent call last):
    thresher.errors.ExportError: RandomizedWeightedMajority does not score rows by weights \
alone, so there is no export of its weights.
    """
    if learner.several and label is None:
        raise ExportError(
            f"this {type(learner).__name__} has several classes, each with weights of its own. Say "
            "which is meant (label=), or take the model of one (model_of_class)."
        )
    form = learner.linear_form(label)
    probes = _probes(learner, form)
    expected = learner.scores(probes)
    if label is not None:
        expected = expected[:, learner.classes.index(label)]
    _compare(learner, form, probes, expected)
    return form


def forms_of(learner: Learner) -> tuple[LinearForm, ...]:
    """The forms behind all scores: one for two classes, otherwise one for each class.

    >>> import thresher as th
    >>> learner = th.MulticlassPerceptron(2)
    >>> _ = learner.learn([[1, 0], [0, 1], [2, 1]], ["law", "art", "law"])
    >>> [form.weights.tolist() for form in forms_of(learner)]
    [[2.0, 0.0], [-2.0, 0.0]]
    """
    if not learner.several:
        return (form_of(learner),)
    forms = tuple(learner.linear_form(label) for label in learner.classes)
    if forms:
        probes = _probes(learner, forms[0])
        for form, expected in zip(forms, learner.scores(probes).T, strict=True):
            _compare(learner, form, probes, expected)
    return forms


def _compare(
    learner: Learner, form: LinearForm, probes: Rows, expected: NDArray[np.float64]
) -> None:
    # A score that was settled exactly lies on the right side, a few digits away.
    close = 1e-9 * (np.abs(expected) + abs(form.threshold) + abs(form.minus) + 1.0)
    if np.any(np.abs(form.scores(probes) - expected) > close):
        raise ExportError(
            f"the scores of this {type(learner).__name__} are not those of its weights, so there "
            "is no export of them."
        )


def _probes(learner: Learner, form: LinearForm) -> Rows:
    """The empty row, single features and pairs of them, and what the journal remembers."""
    heavy = form.touched()[:PROBES].tolist()
    columns = sorted({*heavy, *range(min(PROBES, len(form.weights)))})
    one = float(min(1.0, learner.domain.highest))
    rows: list[dict[int, float]] = [{}, *({i: one} for i in columns)]
    rows += [{i: one, j: one} for i, j in pairwise(columns)]
    journal = learner.journal_as_given
    return Rows.of(rows if journal is None else [*rows, *journal[:PROBES]])
