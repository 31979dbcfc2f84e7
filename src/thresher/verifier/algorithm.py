"""Algorithm: everything the verifier knows about one learner, in one record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from thresher.theory import Concept, ExpectedMistakes, MistakeBound, RiskBound
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.playing import Parameters, Replay
from thresher.verifier.shapes import check, parsed
from thresher.verifier.statement import plain

if TYPE_CHECKING:
    from thresher.verifier.replayed_run import ReplayedRun
    from thresher.verifier.witness import Witness

#: The theorems about a run that a witness makes applicable.
Measure: TypeAlias = "Callable[[ReplayedRun, Witness], Iterator[MistakeBound]]"
#: Rounds first..stop-1 played from what the claimed mistakes before them left: the mistakes.
Ranges: TypeAlias = Callable[
    [LabelledRows, Parameters, NDArray[np.bool_], int, int], NDArray[np.bool_]
]
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


def every_mistake_changes(parameters: Parameters) -> bool:
    """Whether no mistake can be missing in a journal of updates.

    A mean of weights errs where the weights do not; a class that weighs nothing changes nothing.

    >>> every_mistake_changes({"average": False}), every_mistake_changes({"average": True})
    (True, False)
    """
    inner, weights = parameters.get("learner"), parameters.get("class_weight")
    if inner is not None and not every_mistake_changes(inner["parameters"]):
        return False
    silent = isinstance(weights, Mapping) and not all(map(Fraction, weights.values()))
    return not parameters.get("average", False) and not silent


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
    #: Parameters that documents of format 1 lack, and what they meant by that.
    optional: Mapping[str, Any] = field(default_factory=dict)
    #: Options, and the values with which this is the algorithm that its theorems speak of.
    textbook: Mapping[str, Any] = field(default_factory=dict)
    #: Whether it tells several classes apart by name.
    several: bool = False
    #: The run of the algorithm on a stream. Where there are `ranges`, which rounds were mistaken
    #: can be given as a third argument by somebody who has found that out.
    replay: Callable[..., Replay]
    #: A part of the run, given the mistakes before it; for the textbook's options alone.
    ranges: Ranges | None = None
    #: How shards that learned apart become one learner (`thresher.verifier.mixed_runs`): a replay
    #: then takes a `start`. None: nobody combines them.
    mixing: str | None = None
    #: Of one that is made of another learner for each class: the record and parameters of that one.
    #: Its shards are combined as those of each class are.
    inner_of: Callable[[Parameters], tuple[Algorithm, Parameters]] | None = None
    #: Whether every prediction of a rounded run is proven to be that of exact arithmetic.
    same_on_paper: Callable[[ReplayedRun], bool] | None = None
    #: What its theorems ask of a run beyond the replay; found once, see `ReplayedRun.measured`.
    measured: Callable[[ReplayedRun], object] | None = None
    #: Which values it accepts.
    domain: Callable[[Parameters], Domain]
    #: Whether of several values in a column the strongest counts; otherwise their sum does. The
    #: rows of a stream have one value in each: whoever reads names into columns has to know.
    strongest: bool = False
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
    bounds: Measure | None = None
    #: The theorems about the algorithm with other options than the textbook's, if there are any
    #: for these; None in place of a function where there are none.
    varied_bounds: Callable[[Parameters], Measure | None] | None = None
    #: The same for averages over its draws; given where predictions are drawn by lot.
    expectations: Callable[[ReplayedRun, Witness], Iterator[ExpectedMistakes]] | None = None
    #: The theorems about a finite class; given where the algorithm learns one.
    class_bounds: Callable[[Parameters], list[MistakeBound]] | None = None
    #: The theorems that need no witness: the facts of the replay are enough.
    run_bounds: Callable[[ReplayedRun], Iterator[MistakeBound]] | None = None
    #: What follows for new rows besides the risks that every run has, given delta.
    run_risks: Callable[[ReplayedRun, Fraction], Iterator[RiskBound]] | None = None
    #: In how many rounds a witness is wrong itself.
    witness_errors: Callable[[ReplayedRun, Witness], int | None] | None = None
    #: Which numbers of a witness, beside its weights, the theorems use.
    uses_level: bool = False
    uses_rho: bool = False
    #: What a declared class of targets allows, asked with the title.
    claims: Callable[[str, Parameters, Concept], MistakeBound | None] | None = None
    #: The same for other options than the textbook's.
    varied_claims: Callable[[str, Parameters, Concept], MistakeBound | None] | None = None

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
        check(parameters, self._shape(parameters), path)
        if self.check_together is not None:
            self.check_together(parameters, path)

    def parsed(self, parameters: dict[str, Any]) -> dict[str, Any]:
        """Parameters from JSON's terms, once `check` has found nothing wrong with them.

        Those left out are completed.
        """
        found: dict[str, Any] = parsed(parameters, self._shape(parameters))
        return {**self.optional, **found}

    def plain(self, parameters: Parameters, version: int) -> dict[str, Any]:
        """Parameters in JSON's terms, as a document of this version states them.

        Format 1 knew no options: there those with the value they then had are left out.
        """
        stated = {
            name: value
            for name, value in parameters.items()
            if version > 1 or name not in self.optional or value != self.optional[name]
        }
        return plain(stated)

    def _shape(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The shape of the parameters that are there, and of those that must be."""
        return {
            name: shape
            for name, shape in self.parameters.items()
            if name in parameters or name not in self.optional
        }

    def is_textbook(self, parameters: Parameters) -> bool:
        """Whether no option makes this another algorithm than its theorems speak of."""
        return all(parameters.get(name, value) == value for name, value in self.textbook.items())

    def journal_shows_all(self, parameters: Parameters) -> bool:
        """Whether the journal alone, played again, has every mistake of the run.

        A finite class that has run out errs unrecorded, and draws go by the number of the round.
        """
        return not (self.draws or self.learns_a_class) and every_mistake_changes(parameters)

    def ranges_for(self, parameters: Parameters) -> Ranges | None:
        """How parts of a run are played apart; None where a part needs all before it."""
        return self.ranges if self.is_textbook(parameters) else None

    def mixing_rule(self, parameters: Parameters) -> str | None:
        """How shards of it are combined; None where they keep more than a rule is known for."""
        if self.inner_of is not None:
            inner, own = self.inner_of(parameters)
            return inner.mixing_rule(own)
        guesses = "eta" in parameters and parameters["eta"] is parameters["margin"] is None
        kept = any(parameters.get(name) for name in ("average", "decay", "zeroing"))
        return None if guesses or kept else self.mixing

    def theorems_for(self, parameters: Parameters) -> Measure | None:
        """The theorems about the algorithm with these options; None where none is known."""
        if self.is_textbook(parameters):
            return self.bounds
        return None if self.varied_bounds is None else self.varied_bounds(parameters)

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
        claims = self.claims if self.is_textbook(parameters) else self.varied_claims
        return None if claims is None else claims(self.title, parameters, concept)
