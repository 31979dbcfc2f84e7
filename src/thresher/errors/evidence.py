"""Theorems that do not apply, claims that cannot be made, and runs that are not as claimed."""

from __future__ import annotations

from thresher.errors.error import ThresherError, shortly


class HypothesisError(ThresherError):
    """A theorem was asked for its bound although one of its hypotheses is false."""

    code = "hypothesis"
    theorem: str
    hypothesis: str
    measured: str

    def __init__(self, theorem: str, hypothesis: str, measured: str) -> None:
        super().__init__(
            f"{theorem} does not apply: it needs {hypothesis}, measured {measured}.",
            theorem=theorem,
            hypothesis=hypothesis,
            measured=measured,
        )


class BeyondReachError(ThresherError, ArithmeticError):
    """Computing a bound would take too long; it is neither true nor false."""

    code = "beyond_reach"

    def __init__(self, what: str) -> None:
        super().__init__(f"{what}: that takes too long to compute, so nothing is known.")


class CertificateError(ThresherError):
    """A document that is not a certificate."""

    code = "certificate"

    @classmethod
    def must_be(cls, path: str, must: str, found: object) -> CertificateError:
        """A field is not what it must be."""
        shown = shortly(found)
        what = f"certificate: {path} must be {must}, found {shown}."
        return cls(what, path=path, must=must, found=shown)


class SignatureError(ThresherError):
    """A key that cannot be used, or keys that cannot be read."""

    code = "signature"


class RunMismatchError(ThresherError):
    """The stream given is not the stream the learner was trained on."""

    code = "run"

    def __init__(self, what: str, learner: object, replay: object) -> None:
        super().__init__(
            f"the learner has {what} {learner}, a replay of the stream given has {replay}.",
            "Give the whole stream that the learner has seen: every row, in order, as often as it "
            "was learned. Rows learned with other weights than 1 have no certificate.",
            quantity=what,
            learner=learner,
            replay=replay,
        )


class NotCertifiableError(ThresherError):
    """There is nothing a certificate could say."""

    code = "nothing_to_certify"


class ArithmeticModeError(ThresherError):
    """The processor does not round in the way that an exact replay needs."""

    code = "arithmetic"

    def __init__(self, what: str) -> None:
        super().__init__(
            f"this process does not calculate according to IEEE 754: {what}. A replay would not be "
            "one of this run.",
            "A library in this process has set this; check the run in a process without it.",
        )


class ComparatorError(ThresherError):
    """A declared target with which an audit cannot compare a run."""

    code = "comparator"

    def __init__(self, what: str) -> None:
        super().__init__(
            f"the comparator cannot be used: {what}.",
            "Declare a set of relevant columns, a dict from columns to weights, or one weight "
            "per column.",
        )


class AuditError(ThresherError):
    """A run for which no potential is known, or that lacks what its audit needs."""

    code = "audit"
