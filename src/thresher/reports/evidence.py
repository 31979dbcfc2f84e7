"""Evidence: what theorems say of a run, from a certificate that is given, or found for a report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from thresher import theory
from thresher.certifier import certify
from thresher.errors import ThresherError
from thresher.theory.theorem import shown
from thresher.verifier import Certificate, Verdict, verify
from thresher.verifier.risk_words import premise_of, risk_words
from thresher.verifier.verdict import DOES_NOT_HOLD
from thresher.verifier.verdict_text import conclusion, taken_for_granted

if TYPE_CHECKING:
    from thresher.models.account import Account
    from thresher.models.model import Model
    from thresher.streams.batch import Batch
    from thresher.theory import MistakeBound
    from thresher.verifier import Statement

#: What is known where no verdict says it: no theorem was asked, none applies, one holds always.
NOT_ASKED, COUNTED, ALWAYS = "not asked", "counted", "always"
#: Features of a comparator that are named.
MOST_OF_TARGET = 8
#: When the bound was known.
TIMES = {
    "hindsight": "in hindsight",
    "a priori": "claimed",
    "refutation": "claimed",
    "expectation": "on average over its draws",
    "count": "a count",
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """A certificate with its verdict, or the bound of a learner that needs none, or the reason."""

    certificate: Certificate | None = None
    #: What was found where the certificate was checked.
    verdict: Verdict | None = None
    #: Whether the certificate was made for the report, and not by somebody before.
    found: bool = False
    #: What bounds the mistakes of any run of the learner.
    bound: MistakeBound | None = None
    #: Why there is no certificate.
    why: str = ""

    @property
    def refuted(self) -> bool:
        """Whether the certificate was found to be false: nothing it says is repeated then."""
        return self.verdict is not None and self.verdict.status == DOES_NOT_HOLD

    @property
    def allowed(self) -> int | None:
        """How many mistakes are allowed; None if nobody says."""
        if self.certificate is not None:
            return None if self.refuted else self.certificate.allowed
        return None if self.bound is None else self.bound.max_mistakes()

    def facts(self, model: Model) -> dict[str, Any]:
        """The evidence as plain values, beside the mistakes that the model has counted."""
        certificate, verdict = self.certificate, self.verdict
        made, rounds = model.learner.mistakes, model.learner.n_rounds
        own = certificate is None or self.refuted
        found: dict[str, Any] = {
            "made": made if certificate is None or own else certificate.mistakes,
            "rounds": rounds if certificate is None or own else certificate.learned,
            "allowed": self.allowed,
            "theorem": None,
            "kind": None,
            "time": None,
            "status": NOT_ASKED if certificate is None else COUNTED,
            "says": self.why,
            "premises": [],
            "unknown": [],
            "differences": [],
            "claim": None,
            "remarks": [],
            "signed": [],
            "given": certificate is not None and not self.found,
            "target": None,
            "assumed": [],
        }
        if certificate is None:
            if self.bound is not None:
                found |= _quoted(self.bound) | {"status": ALWAYS, "time": "in hindsight"}
            return found
        found |= {
            "kind": certificate.kind,
            "time": TIMES[certificate.kind],
            "theorem": certificate.theorem,
            "claim": None if certificate.claim is None else str(certificate.claim),
            "expected": certificate.expected,
            "data_digest": certificate.data_digest,
            "seal": certificate.seal,
            "arithmetic": certificate.arithmetic,
            "held_out": certificate.held_out,
            "held_out_mistakes": certificate.held_out_mistakes,
            "remarks": _remarks(certificate),
            "target": _target(certificate, model),
            "assumed": list(taken_for_granted(certificate)),
        }
        quoted = certificate.bounds or certificate.expectations
        if quoted:
            found |= _of_statement(quoted[0])
        if verdict is not None:
            found |= {
                "status": COUNTED if verdict.holds and not quoted else verdict.status,
                "says": conclusion(verdict),
                "premises": list(verdict.premises),
                "unknown": [*verdict.unmet, *verdict.unchecked],
                "differences": [finding.what for finding in verdict.differences],
                "replayed": verdict.replayed,
                "signed": list(verdict.signers or ()),
            }
        return found

    def risks(self) -> list[dict[str, str]]:
        """What is said of rows to come, with what it takes for granted."""
        if self.certificate is None or self.verdict is None or not self.verdict.holds:
            return []
        return [
            {
                "says": risk_words(statement, self.certificate.delta),
                "if": premise_of(statement),
                "theorem": statement.theorem,
            }
            for statement in self.certificate.risks
        ]


def evidence_for(
    model: Model, account: Account | None, certificate: Certificate | None
) -> Evidence:
    """What is known of the model's run: the certificate, checked as far as data allow.

    Without one it is made if the data are the run's own and small enough to search them.
    """
    learner = model.learner
    if certificate is not None:
        # A certificate speaks of the run: the rows of a test say nothing about it.
        of_the_run = account is not None and account.kind == "run"
        rows = account.rows_for(certificate.rounds) if account and of_the_run else None
        return Evidence(certificate, verify(certificate, rows, model=learner))
    bound = learner.bound() if learner.n_rounds else None
    if account is None or account.kind != "run":
        return Evidence(bound=bound, why="the data of the run were not given")
    batch = account.rows_of_the_run()
    if batch is None:
        return Evidence(bound=bound, why="the run is too long to be searched for a report")
    return _found(model, batch, bound)


def _found(model: Model, batch: Batch, bound: MistakeBound | None) -> Evidence:
    history = model.history[0]
    once = all(source.passes == 1 for source in history.sources)
    # Rows that come again are no new draws: nothing follows for new data.
    delta = 0.05 if once else None
    holdout = history.holdout if once else None
    try:
        certificate = certify(model.learner, batch, delta=delta, holdout=holdout)
        return Evidence(certificate, verify(certificate, batch, model=model.learner), found=True)
    except ThresherError as error:
        return Evidence(bound=bound, why=str(error))


def _of_statement(statement: Statement) -> dict[str, Any]:
    kind = getattr(theory, statement.theorem, None)
    meanings = {} if kind is None else kind.quantities()
    return {
        "theorem": statement.theorem,
        "statement": "" if kind is None else kind.statement,
        "reference": "" if kind is None else kind.reference,
        "quantities": [
            {"name": name, "value": _short(value), "meaning": meanings.get(name, "")}
            for name, value in statement.quantities.items()
        ],
    }


def _quoted(bound: MistakeBound) -> dict[str, Any]:
    meanings = bound.quantities()
    return {
        "theorem": bound.name,
        "statement": bound.statement,
        "reference": bound.reference,
        "quantities": [
            {"name": name, "value": _short(value), "meaning": meanings.get(name, "")}
            for name, value in bound.measured().items()
        ],
    }


def _short(value: object) -> str:
    """A measured quantity in a few characters."""
    if isinstance(value, tuple) and len(value) > 4:
        return f"{len(value):,} numbers"
    text = shown(value) if not isinstance(value, tuple) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _target(certificate: Certificate, model: Model) -> dict[str, Any] | None:
    """The comparator that a theorem was asked about: its heaviest features."""
    if certificate.witness is None:
        return None
    found = certificate.witness.comparator
    n_features = model.learner.n_features
    pairs = sorted(
        zip(found.columns, found.numerators, strict=True), key=lambda p: (-abs(p[1]), p[0])
    )
    return {
        "features": [
            {
                "name": model.names_of(column)[0] if column < n_features else str(column),
                "weight": str(weight),
            }
            for column, weight in pairs[:MOST_OF_TARGET]
        ],
        "more": max(0, len(pairs) - MOST_OF_TARGET),
        "bias": str(found.bias) if found.bias else None,
        "denominator": str(found.denominator),
        "errors": certificate.witness.errors,
    }


def _remarks(certificate: Certificate) -> list[str]:
    """What a certificate says of itself that one should know."""
    found = []
    if certificate.beside_the_experts is not None:
        found.append(certificate.beside_the_experts)
    if certificate.emptied_in_round is not None:
        found.append(
            f"no concept of the class fits the first {certificate.emptied_in_round:,} rounds"
        )
    if certificate.exceeds_rounds:
        found.append("that is a mistake in every round: it tells of repetitions only")
    elif certificate.says_little and certificate.kind != "refutation":
        found.append(
            f"that says little: the commoner label alone would err {certificate.rarer:,} times"
        )
    return found
