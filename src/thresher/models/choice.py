"""LearnerChoice: a learner by its name, with parameters as they were written or as values."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from thresher.errors import RequestError
from thresher.errors.error import did_you_mean
from thresher.learners.registry import Record, learners_with, record_of
from thresher.models.written import assignments, literal
from thresher.parameters import features_by_default
from thresher.records import record

if TYPE_CHECKING:
    from thresher.learners.base.learner import Learner

#: Who learns where nobody chose; with several classes one for each, while that fits.
DEFAULT_LEARNER = "committee"
#: Who learns, where nobody chose, what a theorem is to speak of: claims, certificates, lectures.
CLASSICAL_LEARNER = "perceptron"
#: One for each class where a committee for each would take too much memory.
LEAN_LEARNER, ITS_PARAMETERS = "arow", {"bias": True, "scaling": "online"}
#: Parameters that follow from what is said about the data.
_OF_THE_DATA = ("n_features", "names")


@record
class LearnerChoice:
    """A learner by name, and its parameters: texts are read, other values taken as they are.

    Examples
    --------
    >>> choice = LearnerChoice.parse("winnow:beta=1/2")
    >>> choice
    LearnerChoice(name='winnow', given={'beta': '1/2'})
    >>> choice.create(n_features=8)
    Winnow(n_features=8, beta=1/2): 0 rounds, 0 mistakes
    >>> LearnerChoice("arow", {"r": 2.0}).create(n_features=8)
    AROW(n_features=8, r=2.0): 0 rounds, 0 mistakes
    """

    name: str
    given: Mapping[str, Any] = field(default_factory=dict)
    #: Whether somebody named the learner; otherwise it is the default, with these parameters.
    named: bool = field(default=True, repr=False)

    @classmethod
    def parse(cls, text: str) -> LearnerChoice:
        """A choice from `name` or `name:parameter=value,...`."""
        name, _, parameters = text.partition(":")
        return cls(record_of(name.strip()).name, assignments(parameters, f"learner {text}"))

    @classmethod
    def default(cls, said: LearnerChoice | None = None) -> LearnerChoice:
        """What was said, or the learner for those who named none, with what they set."""
        return cls._of(DEFAULT_LEARNER, said)

    @classmethod
    def classical(cls, said: LearnerChoice | None = None) -> LearnerChoice:
        """The same where a theorem is to speak of the run."""
        return cls._of(CLASSICAL_LEARNER, said)

    @classmethod
    def _of(cls, name: str, said: LearnerChoice | None) -> LearnerChoice:
        if said is not None and said.named:
            return said
        return cls(name, {} if said is None else said.given, named=False)

    @property
    def by_somebody(self) -> bool:
        """Whether somebody named the learner, or set a parameter of it."""
        return self.named or bool(self.given)

    @property
    def takes_several(self) -> bool:
        """Whether the learner takes several classes itself, without one of it for each."""
        return self._record().several

    def for_each_class(self, *, lean: bool = False) -> LearnerChoice:
        """The learner that each of several classes gets; a `lean` one takes little memory."""
        if self.named or (self.name == DEFAULT_LEARNER and not lean):
            return self
        return replace(self, name=LEAN_LEARNER, given={**ITS_PARAMETERS, **self.given})

    def require_two_classes(self, what: str) -> LearnerChoice:
        """Itself, unless it takes several classes where only two make sense."""
        if self.takes_several:
            raise RequestError(f"{self.name} takes several classes, and {what} two.")
        return self

    def create(
        self,
        *,
        n_features: int | None = None,
        seed: int | None = None,
        vocabulary: bool = False,
        journal: bool | None = True,
    ) -> Learner:
        """The learner, which has seen nothing.

        Parameters
        ----------
        n_features
            None means 2^18; with a vocabulary, as many as there are names, where the learner
            can grow.
        seed, vocabulary
            How names find their columns: hashed with a seed, or kept exactly.
        journal
            Whether it keeps the journal of its updates; None: unless it would hold most of the
            stream.
        """
        made = self._record().load()
        accepted = inspect.signature(made).parameters
        arguments = {name: self._value(accepted, name) for name in self.given}
        count = "n_experts" if "n_experts" in accepted else "n_features"
        grows = vocabulary and n_features is None and accepted[count].default is None
        if not grows:
            arguments.setdefault(count, n_features or features_by_default(None))
        if vocabulary or seed is not None:
            # Imported here: it brings the kernels along, and who asks for help needs none.
            from thresher.names.tables import Hashed, Vocabulary  # noqa: PLC0415

            if "names" not in accepted:
                raise RequestError(
                    f"{self.name} takes no names: leave vocabulary= and seed= out.",
                    code="request.takes_no_names",
                    learner=self.name,
                )
            arguments["names"] = Vocabulary() if vocabulary else Hashed(seed or 0)
        wanted = not made.changes_in_most_rounds if journal is None else journal
        if not wanted and "journal_bytes" in accepted:
            arguments["journal_bytes"] = 0
        return made(**arguments)

    def _unknown(self, name: str, known: list[str]) -> RequestError:
        """What to say about a parameter that the learner has not."""
        if name == "bias" and self._record().load().always_biased:
            what = f"{self.name} has a constant feature already: leave bias= out."
            return RequestError(what, code="request.biased_already", learner=self.name)
        near = did_you_mean(name, known)
        what = f"has no parameter {name}; it has {', '.join(known)}.{near}"
        if self.named:
            return RequestError(f"{self.name} {what}")
        others = learners_with(name)
        whose = f" {name} is a parameter of {', '.join(others)}." if others else ""
        return RequestError(f"no learner was named, and the default, {self.name}, {what}{whose}")

    @property
    def record(self) -> Record:
        """What is known of the learner before it is imported."""
        return record_of(self.name)

    def _record(self) -> Record:
        record = self.record
        if record.needs == "concepts":
            raise RequestError(
                f"{self.name} learns from a list of concepts, which only a program can give it."
            )
        if record.needs == "learner":
            how = "multiclass=True" if record.several else "calibrate='isotonic'"
            raise RequestError(
                f"{self.name} is made of another learner: name that one, and say {how}.",
                code="request.one_for_each_class"
                if record.several
                else "request.calibrates_another",
                learner=self.name,
            )
        return record

    def _value(self, accepted: Mapping[str, inspect.Parameter], name: str) -> Any:
        if name in _OF_THE_DATA:
            raise RequestError(
                f"{self.name}: {name} is said about the data, not about the learner: n_features=, "
                "vocabulary= and seed= stand beside it.",
                code="request.said_of_the_data",
                learner=self.name,
                parameter=name,
            )
        if name not in accepted:
            raise self._unknown(name, [known for known in accepted if known not in _OF_THE_DATA])
        given = self.given[name]
        value = literal(given) if isinstance(given, str) else given
        # A parameter that is a float is one everywhere; an exact one stays the fraction it is.
        if accepted[name].annotation != "float" or not isinstance(value, int | Fraction):
            return value
        try:
            return float(value)
        except OverflowError:
            # The learner says what it may be.
            return value
