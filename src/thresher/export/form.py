"""The linear form of a model, compared with the model before anybody relies on it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from thresher.errors import ExportError
from thresher.learners.base.learner import Learner
from thresher.learners.base.linear_form import LinearForm
from thresher.learners.base.linear_learner import LinearLearner
from thresher.streams.rows import Rows

#: Rows of the journal, and features one by one, on which form and model must agree.
PROBES = 256


def form_of(learner: Learner) -> LinearForm:
    """The linear form, or an error if the learner's scores are not those of one.

    >>> import thresher as th
    >>> form_of(th.RandomizedWeightedMajority(4))
    Traceback (most recent call last):
    thresher.errors.ExportError: RandomizedWeightedMajority does not score rows by weights \
alone, so there is no export of its weights.
    """
    # Scores and predictions of a calibrated learner are those of the learner inside.
    learner = learner.uncalibrated
    form = learner.linear_form()
    if not isinstance(learner, LinearLearner):
        raise _not_linear(learner)
    probes = _probes(learner, len(form.weights))
    found, expected = form.scores(probes), learner.scores(probes)
    # A score that was settled exactly lies on the right side, a few digits away.
    close = 1e-9 * (np.abs(expected) + abs(form.threshold) + 1.0)
    if np.any(np.abs(found - expected) > close):
        raise _not_linear(learner)
    return form


def _not_linear(learner: Learner) -> ExportError:
    return ExportError(
        f"{type(learner).__name__} does not score rows by weights alone, so there is no export "
        "of its weights."
    )


def _probes(learner: LinearLearner, n: int) -> Rows:
    """The empty row, single features and pairs of them, and what the journal remembers."""
    heavy = np.argsort(-np.abs(learner.dual[:n]), kind="stable")[:PROBES].tolist()
    one = float(min(1.0, learner.domain.highest))
    rows: list[dict[int, float]] = [{}, *({i: one} for i in heavy)]
    rows += [{i: one, j: one} for i, j in pairwise(heavy)]
    # A learner over literals remembers these, and not the variables it is asked about.
    if learner.journal.n_features <= n:
        rows += list(learner.journal[:PROBES])
    return Rows.of(rows)
