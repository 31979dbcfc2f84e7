"""Where the witnesses for each algorithm are searched for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from thresher.certifier.witnesses.adagrad import adagrad_witnesses
from thresher.certifier.witnesses.experts import majority_witnesses
from thresher.certifier.witnesses.exponentiated import exponentiated_witnesses
from thresher.certifier.witnesses.literal_sets import conjunction_witnesses, elimination_witnesses
from thresher.certifier.witnesses.multiclass import (
    multiclass_perceptron_witnesses,
    multiclass_winnow_witnesses,
)
from thresher.certifier.witnesses.passive_aggressive import passive_aggressive_witnesses
from thresher.certifier.witnesses.perceptron import perceptron_witnesses
from thresher.certifier.witnesses.winnow import winnow_witnesses
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.witness import Witness

#: One search for every algorithm of the verifier with a theorem about witnesses.
SEARCH: dict[str, Callable[[ReplayedRun], Iterator[Witness]]] = {
    "perceptron": perceptron_witnesses,
    "p_norm_perceptron": perceptron_witnesses,
    "passive_aggressive": passive_aggressive_witnesses,
    "adagrad": adagrad_witnesses,
    "winnow": winnow_witnesses,
    "normalized_winnow": partial(exponentiated_witnesses, signed=False),
    "signed_winnow": partial(exponentiated_witnesses, signed=True),
    "elimination": elimination_witnesses,
    "conjunction": conjunction_witnesses,
    "weighted_majority": majority_witnesses,
    "randomized_weighted_majority": majority_witnesses,
    "multiclass_perceptron": multiclass_perceptron_witnesses,
    "multiclass_normalized_winnow": partial(multiclass_winnow_witnesses, signed=False),
    "multiclass_signed_winnow": partial(multiclass_winnow_witnesses, signed=True),
}


def searched_witnesses(run: ReplayedRun) -> Iterable[Witness]:
    """Candidates for the witness of a run; none where no theorem could use one."""
    algorithm = run.algorithm
    theorems = algorithm.theorems_for(run.parameters) or algorithm.expectations
    search = SEARCH.get(algorithm.name) if theorems is not None else None
    return () if search is None else search(run)
