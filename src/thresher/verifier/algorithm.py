"""Algorithm: everything the verifier knows about one learner, in one record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from thresher.theory import Concept, ExpectedMistakes, MistakeBound
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.playing import Parameters, Replay
from thresher.verifier.shapes import check, parsed

if TYPE_CHECKING:
    from thresher.verifier.replayed_run import ReplayedRun
    from thresher.verifier.witness import Witness

Rewriting: TypeAlias = Callable[[LabelledRows, Parameters], LabelledRows]


@dataclass(frozen=True)
class Domain:
    """The values a learner accepts: the lowest, the highest, and whether only whole ones."""

    lowest: Fraction
    highest: Fraction
    whole: bool = False


def as_given(stream: LabelledRows, parameters: Parameters) -> LabelledRows:
    """The rows as they are."""
    return stream


def n_features(parameters: Parameters) -> int | None:
    """The room that most learners are created with; None for one that grows."""
    limit: int | None = parameters["n_features"]
    return limit


@dataclass(frozen=True, kw_only=True, eq=False)
class Algorithm:
    """One algorithm: how it is named, played again, measured, and held to a claim.

    The schema of certificates, the replay, the measures and the claims all ask this record;
    nothing else in the verifier knows an algorithm by its name. See `thresher.verifier.algorithms`
    for the table.
    """

    #: In certificates, model files and on the command line: "winnow".
    name: str
    #: In theorems, and as a class in Python: "Winnow".
    title: str
    #: The shape of each parameter in a certificate; see `thresher.verifier.shapes`.
    parameters: Mapping[str, Any]
    #: Whether it tells several classes apart by name.
    several: bool = False
    #: The run of the algorithm on a stream.
    replay: Callable[[LabelledRows, Parameters], Replay]
    #: Which values it accepts.
    domain: Callable[[Parameters], Domain]
    #: How many columns it has room for; None if it grows.
    room: Callable[[Parameters], int | None] = n_features
    #: Refuses parameters that do not go together, given the path to them.
    check_together: Callable[[Parameters, str], None] | None = None
    #: Says why a row is beyond the algorithm although its values are not.
    check_rows: Callable[[LabelledRows, Parameters], str | None] | None = None
    #: The rows as its journal keeps them, and back.
    kept: Rewriting = as_given
    seen: Rewriting = as_given
    #: The theorems that a witness makes applicable.
    bounds: Callable[[ReplayedRun, Witness], Iterator[MistakeBound]] | None = None
    #: The same for averages over its draws; given where predictions are drawn by lot.
    expectations: Callable[[ReplayedRun, Witness], Iterator[ExpectedMistakes]] | None = None
    #: The theorems about a finite class; given where the algorithm learns one.
    class_bounds: Callable[[Parameters], list[MistakeBound]] | None = None
    #: The theorems that need no witness: the facts of the replay are enough.
    run_bounds: Callable[[ReplayedRun], Iterator[MistakeBound]] | None = None
    #: In how many rounds a witness is wrong itself.
    witness_errors: Callable[[ReplayedRun, Witness], int | None] | None = None
    #: Which numbers of a witness, beside its weights, the theorems use.
    uses_level: bool = False
    uses_rho: bool = False
    #: What a declared class of targets allows, asked with the title.
    claims: Callable[[str, Parameters, Concept], MistakeBound | None] | None = None

    @property
    def draws(self) -> bool:
        """Whether predictions are drawn by lot."""
        return self.expectations is not None

    @property
    def learns_a_class(self) -> bool:
        """Whether it learns a finite class, which its certificates carry."""
        return self.class_bounds is not None

    def check(self, parameters: dict[str, Any], path: str) -> None:
        """Refuse parameters, in JSON's terms, that the algorithm cannot have."""
        check(parameters, dict(self.parameters), path)
        if self.check_together is not None:
            self.check_together(parameters, path)

    def parsed(self, parameters: dict[str, Any]) -> dict[str, Any]:
        """Parameters from JSON's terms, once `check` has found nothing wrong with them."""
        found: dict[str, Any] = parsed(parameters, dict(self.parameters))
        return found

    def fault(self, parameters: Parameters, stream: LabelledRows) -> str | None:
        """Why the algorithm cannot have seen the stream; None if it can."""
        limit = self.room(parameters)
        if limit is not None and stream.width > limit:
            return f"column {stream.width - 1}, where the learner has {limit}"
        domain, value = self.domain(parameters), stream.value
        takes = f"where the learner takes {domain.lowest} to {domain.highest}"
        for found in (value.min(initial=0.0), value.max(initial=0.0)):
            if not domain.lowest <= Fraction(float(found)) <= domain.highest:
                return f"value {found}, {takes}"
        if domain.whole and np.any(value != np.rint(value)):
            return "a fraction, where the learner takes whole numbers"
        if parameters.get("bias", False) and domain.highest < 1:
            return f"a constant feature 1, {takes}"
        return None if self.check_rows is None else self.check_rows(stream, parameters)

    def allowance(self, parameters: Parameters, concept: Concept) -> MistakeBound | None:
        """The strongest theorem about the algorithm on a declared class of targets, or None."""
        return None if self.claims is None else self.claims(self.title, parameters, concept)
