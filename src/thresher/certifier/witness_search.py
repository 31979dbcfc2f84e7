"""Where each learner's witnesses are searched for."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from thresher.certifier.witness_boolean import (
    conjunction_witnesses,
    elimination_witnesses,
    majority_witnesses,
    winnow_witnesses,
)
from thresher.certifier.witness_exponentiated import exponentiated_witnesses
from thresher.certifier.witness_perceptron import perceptron_witnesses
from thresher.verifier.certificate import Witness
from thresher.verifier.run import Run

SEARCH: dict[str, Callable[[Run], Iterator[Witness]]] = {
    "perceptron": perceptron_witnesses,
    "winnow": winnow_witnesses,
    "normalized_winnow": exponentiated_witnesses,
    "signed_winnow": exponentiated_witnesses,
    "elimination": elimination_witnesses,
    "conjunction": conjunction_witnesses,
    "weighted_majority": majority_witnesses,
    "randomized_weighted_majority": majority_witnesses,
}
