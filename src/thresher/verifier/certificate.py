"""Certificate: a claim about a run, with all it takes to check it, and no verdict."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thresher.errors import CertificateError
from thresher.verifier.algorithm import Algorithm
from thresher.verifier.algorithms import ALGORITHMS
from thresher.verifier.document import MOST_BYTES, fields_of, parsed, seal_of, written
from thresher.verifier.held_out import learned_rounds
from thresher.verifier.mixed_runs.mixing import Mixing
from thresher.verifier.risk_words import premise_of, risk_words
from thresher.verifier.schema import VERSION
from thresher.verifier.signature import Signature, canonical
from thresher.verifier.statement import Claim, Statement
from thresher.verifier.witness import Witness

if TYPE_CHECKING:
    from thresher.pictures import Svg


@dataclass(frozen=True)
class Certificate:
    """A claim that a learner made so many mistakes on a stream, and that a theorem allows them.

    It carries no verdict: `thresher.verify` recomputes everything from the data. The first of the
    ``bounds`` allows the fewest mistakes. ``kind`` says what is claimed:

    * ``hindsight``: mistakes are at most ``allowed``, for the ``witness`` found after the run;
    * ``a priori``: the same for a declared ``claim``, known before the run;
    * ``refutation``: mistakes exceed what the ``claim`` allows, so no target of the declared
      class fits the stream;
    * ``expectation``: the counts, and in ``expectations`` what a theorem allows on average
      over the learner's own draws; a single run may exceed that, and is not compared with it;
    * ``count``: the counts alone; no theorem applies. For a learner over a finite class
      ``emptied_in_round`` then says which label no concept was left to agree with.
    """

    kind: str
    learner: str
    # Numbers, and for learners over a finite class the class as plain data.
    parameters: Mapping[str, Any]
    data_digest: str
    #: Rows of the data, those held out included.
    rounds: int
    width: int
    mistakes: int
    arithmetic: str
    updates: int
    journal_digest: str
    scope: str
    claim: Claim | None
    witness: Witness | None
    bounds: tuple[Statement, ...]
    risks: tuple[Statement, ...]
    #: Of two classes; None where there are several.
    positives: int | None = None
    false_negatives: int | None = None
    false_positives: int | None = None
    #: The names of several classes, in the order of their numbers.
    classes: tuple[str, ...] | None = None
    #: Digests of every 4,096 rows, of which `data_digest` is the root; none in version 1.
    chunks: tuple[str, ...] = ()
    values: int = 0
    #: A bit per round, packed (`thresher.verifier.mistaken_rounds`); None if that is too long.
    mistaken_rounds: str | None = None
    #: Rows whose number, counted from 1, this divides were not learned; None: all were.
    held_out_every: int | None = None
    #: How many of those the learner got wrong in the end.
    held_out_mistakes: int | None = None
    #: What the learner had become (`thresher.verifier.state`); empty in version 1.
    state_digest: str = ""
    #: Further counts and losses of the run, by name.
    facts: Mapping[str, tuple[int | float, ...]] = field(default_factory=dict)
    #: The probability with which each of the risks may be exceeded; None in version 1.
    delta: Fraction | None = None
    expectations: tuple[Statement, ...] = ()
    emptied_in_round: int | None = None
    #: How shards learned apart and were combined; None: one learner saw all rows in order.
    mixing: Mixing | None = None
    version: int = VERSION
    seal: str = ""
    #: Of the seal, and so of every field; see `thresher.certifier.sign`.
    signatures: tuple[Signature, ...] = ()

    def __post_init__(self) -> None:
        if not self.seal:
            object.__setattr__(self, "seal", self.proper_seal())

    @property
    def algorithm(self) -> Algorithm:
        """What the verifier knows about the learner."""
        return ALGORITHMS[self.learner]

    @property
    def theorem(self) -> str | None:
        """The name of the strongest theorem that applies."""
        quoted = self.bounds or self.expectations
        return quoted[0].theorem if quoted else None

    @property
    def allowed(self) -> int | None:
        """The mistakes that theorem allows."""
        return int(self.bounds[0].allows) if self.bounds else None

    @property
    def expected(self) -> float | None:
        """The mistakes that theorem allows on average over the learner's draws."""
        return float(self.expectations[0].allows) if self.expectations else None

    @property
    def learned(self) -> int:
        """Rounds of the run: the rows that were not held out, as often as they were read."""
        return learned_rounds(self.rounds, self.held_out_every) * self.epochs

    @property
    def epochs(self) -> int:
        """How often shards read their rows; 1 where there are none."""
        return 1 if self.mixing is None else self.mixing.epochs

    @property
    def held_out(self) -> int:
        """Rows that were held out."""
        return self.rounds - learned_rounds(self.rounds, self.held_out_every)

    @property
    def exceeds_rounds(self) -> bool:
        """Whether even the strongest theorem allows a mistake in every round of this stream.

        It still limits the mistakes if the same rows come again and again.
        """
        return self.allowed is not None and self.allowed >= self.learned > self.mistakes

    @property
    def regret(self) -> int | None:
        """Mistakes beyond those of the best comparator found."""
        if self.witness is None or self.witness.errors is None:
            return None
        return self.mistakes - self.witness.errors

    @property
    def rarer(self) -> int | None:
        """Rounds of the rarer label: the mistakes of always predicting the other one.

        Of rows that are partly held out it is not known which of them are rarer.
        """
        if self.positives is None or self.held_out_every is not None:
            return None
        return min(self.positives, self.rounds - self.positives) * self.epochs

    @property
    def says_little(self) -> bool:
        """Whether always predicting the more common label makes fewer mistakes than are allowed."""
        return self.allowed is not None and self.rarer is not None and self.allowed >= self.rarer

    @property
    def strongest(self) -> tuple[Statement, ...]:
        """Of the bounds, the strongest of each theorem."""
        found: dict[str, Statement] = {}
        for statement in self.bounds:
            found.setdefault(statement.theorem, statement)
        return tuple(found.values())

    @property
    def beside_the_experts(self) -> str | None:
        """How the mistakes compare with those of the best expert, where there are experts."""
        experts = self.facts.get("expert_mistakes")
        if not experts:
            return None
        best, n = min(experts), len(experts)
        more = self.mistakes - best
        than = "as many" if not more else f"{abs(more)} {'fewer' if more > 0 else 'more'}"
        return f"the best of its {n} experts makes {best} mistakes, {than}"

    def proper_seal(self) -> str:
        """SHA-256 of the canonical bytes of everything but the seal."""
        return seal_of(self)

    def resealed(self) -> Certificate:
        """The same claim with the seal that belongs to it."""
        return replace(self, seal="", signatures=())

    def to_json(self) -> str:
        """The certificate as JSON in canonical form: sorted keys, no spaces, one line."""
        return canonical(self._whole()).decode()

    def _whole(self) -> dict[str, Any]:
        signed = [signature.document() for signature in self.signatures]
        return (
            written(self)
            | {"seal": self.seal}
            | ({} if self.version == 1 else {"signatures": signed})
        )

    @classmethod
    def from_json(cls, text: str | bytes) -> Certificate:
        """The certificate in a JSON text; if the text is not one, the error names the place."""
        document = parsed(text)
        found = cls(**fields_of(document))
        if found._whole() != document:
            raise CertificateError("certificate: fractions must be in lowest terms.")
        return found

    def save(self, path: str | Path) -> None:
        """Write the JSON form to a file; it holds the old bytes or the new ones, never a mix."""
        path = Path(path)
        if path.exists() and not path.is_file():
            # A pipe or a device is written to, not replaced.
            path.write_text(self.to_json() + "\n", "utf-8")
            return
        path = path.resolve()
        partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
        try:
            partial.write_text(self.to_json() + "\n", "utf-8")
            if path.exists():
                partial.chmod(path.stat().st_mode)
            partial.replace(path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise

    @classmethod
    def load(cls, path: str | Path) -> Certificate:
        """Read the JSON form from a file."""
        with Path(path).open("rb") as file:
            # What is longer is refused, and may have no end.
            return cls.from_json(file.read(MOST_BYTES + 1))

    def plot(self) -> Svg:
        """Mistakes made along the rounds, below those that are allowed, as a picture."""
        from thresher.verifier.certificate_picture import certificate_chart  # noqa: PLC0415

        return certificate_chart(self)

    def _repr_html_(self) -> str:
        from thresher.verifier.certificate_picture import certificate_html  # noqa: PLC0415

        return certificate_html(self)

    def __str__(self) -> str:
        lines = [f"{self.learner}: {self.mistakes} mistakes in {self.learned} rounds"]
        if self.mixing is not None:
            lines.append(self.mixing.words)
        if self.held_out_mistakes is not None:
            lines.append(
                f"{self.held_out_mistakes} of {self.held_out} rows held out are wrong"
                if self.held_out
                else f"no row was held out: every {self.held_out_every:,}th of {self.rounds:,}"
            )
        if self.beside_the_experts is not None:
            lines.append(self.beside_the_experts)
        lines += [f"{s.words} allows {s.allows} ({self.kind})" for s in self.strongest]
        lines += [
            f"{s.theorem} allows {s.allows:.4g} on average over the draws"
            for s in self.expectations
        ]
        if self.emptied_in_round is not None:
            lines.append(f"no concept of the class fits the first {self.emptied_in_round} rounds")
        if self.exceeds_rounds:
            lines.append("that is a mistake in every round: it tells of repetitions only")
        elif self.says_little and self.kind != "refutation":
            lines.append(f"that says little: the commoner label alone would err {self.rarer} times")
        lines += [f"if {premise_of(s)}, {risk_words(s, self.delta)}" for s in self.risks]
        if self.version > 1 and self.mistaken_rounds is None:
            lines.append("the list of mistaken rounds is left out")
        return "\n".join(lines)
