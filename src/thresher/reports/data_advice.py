"""DataAdvice: whom to take for some data, after a race on its first rows, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from thresher.learners.base.learner import Learner
from thresher.models.race import Race
from thresher.models.runner import Runner
from thresher.models.usual_learners import COMMITTEE
from thresher.reports.advice import SHARE_OF_A_MEMBER, Advice, never_recovers
from thresher.reports.sample import MulticlassSample, Sample


class DataAdvice:
    """What was measured on a sample, what the theorems say to that, and who won the race on it."""

    def __init__(
        self,
        sample: Sample | MulticlassSample,
        advice: Advice | None,
        race: Race,
        *,
        n_features: int,
        left_out: tuple[str, ...] = (),
        certain: bool = False,
    ) -> None:
        self.sample, self.race = sample, race
        #: What the theorems say; None where no short "or" explains the labels.
        self.advice = advice
        #: How many features the learners had: room for some that the sample does not show.
        self.n_features = n_features
        #: Who would take too much memory for so many classes.
        self.left_out = left_out
        runners = [r for r in race.standings() if isinstance(r.learner, Learner)]
        ranked = [r for r in runners if r.out is None] or runners
        #: Who won, and who is advised.
        self.first = ranked[0]
        lasting = [r for r in ranked if certain or not _brittle(r)] or ranked
        #: The best of those that a wrong label may spoil.
        self.spoilt = next((r for r in ranked if r not in lasting), None)
        self.committee = next((r for r in lasting if r.title == COMMITTEE), None)
        self.winner = self._advised(lasting)

    @property
    def several(self) -> bool:
        """Whether there are several classes."""
        return isinstance(self.sample, MulticlassSample)

    def _advised(self, ranked: list[Runner]) -> Runner:
        """The best, except that a promise for good, or no need of tuning, decides a near race."""
        best, committee = ranked[0], self.committee
        if committee is None:
            return best
        if self.sample.clean:
            promised = {p.command_name for p in self.advice.promises} if self.advice else set()
            return next((r for r in ranked if r.title.partition(":")[0] in promised), best)
        return committee if near(committee, best) else best

    def to_dict(self) -> dict[str, Any]:
        """All of it in JSON's terms."""
        results = [runner.to_dict() for runner in self.race.standings()]
        for result in results:
            del result["curve"]
        return {
            "sample": self.sample.to_dict(),
            "advice": None if self.advice is None else self.advice.to_dict(),
            **({"left_out": list(self.left_out)} if self.several else {}),
            "race": results,
            "recommended": self.winner.title,
        }

    def verdict(self, *, no_noise: str = "noise=0") -> str:
        """Whom to take, and why; `no_noise` is how the reader says that no label is wrong."""
        proven = "; what a theorem allows holds for all rows of the kind it speaks of"
        return (
            f"Take {self.winner.title}: {' '.join(self._reasons(no_noise))} Counts are evidence "
            f"about these rows{'' if self.several else proven}."
        )

    def _reasons(self, no_noise: str) -> Iterator[str]:
        first, winner = self.first, self.winner
        if first is winner:
            yield "it made the fewest mistakes."
        if self.spoilt is not None and self.spoilt.curve.mistakes < winner.curve.mistakes:
            yield (
                f"{self.spoilt.title} made fewer mistakes, but a single wrong label spoils it for "
                f"good. Say {no_noise} if there is certainly none."
            )
        if winner is self.committee:
            if first not in (winner, self.spoilt):
                yield f"{first.title} made hardly fewer mistakes."
            yield _why_a_committee_for_each_class() if self.several else _why_the_committee(winner)
        elif self.committee is not None and self.sample.clean:
            made = self.committee.curve.mistakes
            yield (
                "A short 'or' explains the labels, so that its mistakes are bounded for good and "
                f"can be certified; the committee, of which that is not known, made {made:,}."
            )


def _brittle(runner: Runner) -> bool:
    learner = runner.learner
    return isinstance(learner, Learner) and never_recovers(type(learner), learner.parameters)


def near(runner: Runner, best: Runner) -> bool:
    """Whether so few more mistakes may well be chance: two roots of their number.

    >>> from thresher.models.contestants import CommonestLabel
    >>> one, two = Runner("a", CommonestLabel()), Runner("b", CommonestLabel())
    >>> for title, mistakes in ((one, 110), (two, 90)):
    ...     title.curve.add([True] * mistakes)
    >>> near(one, two), near(two, one)
    (True, True)
    """
    made, least = runner.curve.mistakes, best.curve.mistakes
    return made <= least or (made - least) ** 2 <= 4 * made


def _why_the_committee(runner: Runner) -> str:
    """What the committee promises, whatever the stream."""
    allowed = "" if runner.allowed is None else f", which is {runner.allowed:,} on these rows"
    return (
        "It needs no tuning: it mixes learners with steps from short to long, and its "
        "mistakes are at most the logarithmic loss of the best of its experts, in bits, and the "
        f"logarithm of {1 / SHARE_OF_A_MEMBER} times the rows ({runner.theorem}){allowed}. It "
        "keeps no journal, so that a certificate needs the data, and has no single list of "
        "weights; arow has."
    )


def _why_a_committee_for_each_class() -> str:
    return (
        "It needs no tuning: each class has several learners and their mixture, which is never "
        "much worse than the best of them. It takes 72 bytes for each feature and class; arow "
        "takes 16, and shows its weights."
    )
