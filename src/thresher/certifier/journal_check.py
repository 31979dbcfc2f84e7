"""Whether the journal of a learner explains its numbers."""

from __future__ import annotations

from typing import Any

from thresher.certifier.finished_run import identity
from thresher.errors import ThresherError
from thresher.verifier.journal import rows_of_journal
from thresher.verifier.replays.playing import ONE_OF_SEVERAL
from thresher.verifier.state import state_digest


def journal_explains(learner: Any) -> bool | None:
    """Whether a replay of the journal ends with the learner's own numbers, bit for bit.

    None where a journal cannot show it: there is none, or a part of it was not kept; rows had an
    importance; or the numbers also depend on rounds that changed nothing, as a mean does.

    >>> import thresher as th
    >>> learner = th.Perceptron(2)
    >>> _ = learner.learn([[1, 0], [0, 1]] * 3, [1, -1] * 3)
    >>> journal_explains(learner), journal_explains(learner.with_dual([1.0, -1.0]))
    (True, None)
    """
    journal = learner.journal
    if journal is None or not journal.complete or learner.several or learner.warm_start:
        return None
    try:
        algorithm, parameters = identity(learner)
    except ThresherError:
        return None
    if algorithm.draws or parameters.get("average", False):
        return None
    rows = rows_of_journal(algorithm, parameters, journal)
    if algorithm.fault(parameters, rows) is not None:
        return False
    # The learner of a class may have been taken from among several.
    runs = (algorithm.replay(rows, {**parameters, ONE_OF_SEVERAL: way}) for way in (False, True))
    own = state_digest(learner.learned_state())
    return any(len(run.updates) == len(rows) and state_digest(run.state) == own for run in runs)
