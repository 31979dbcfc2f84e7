"""Every error a user can cause, with its message: what, where, what was found, what to do."""

from __future__ import annotations


def _in_digits(count: int) -> str:
    """The count, or its power of two where it has too many digits to read."""
    return f"{count}" if count < 10**30 else f"at least 2^{count.bit_length() - 1}"


class ThresherError(ValueError):
    """Base of all errors that are the caller's to fix."""


class ParameterError(ThresherError):
    """A learner was asked for with a parameter it cannot have."""

    def __init__(self, whose: str, name: str, must: str, found: object, hint: str = "") -> None:
        super().__init__(
            f"{whose}: {name} must be {must}, found {found!r}." + (f" {hint}" if hint else "")
        )


class UnsoundBatchError(ThresherError):
    """Rows that no learner should see."""


class RowError(UnsoundBatchError):
    """One value in one row breaks a rule."""

    def __init__(self, row: int, column: object, value: object, rule: str, hint: str = "") -> None:
        super().__init__(
            f"row {row}, feature {column!r}: found {value}, but {rule}."
            + (f" {hint}" if hint else "")
        )


class LabelError(UnsoundBatchError):
    """A label that is neither -1/+1 nor 0/1, or labels that do not fit the rows."""


class DimensionError(ThresherError):
    """A row mentions a feature the learner has no weight for."""

    def __init__(self, row: int, index: int, n_features: int) -> None:
        super().__init__(
            f"row {row}: feature index {index} is outside the learner's {n_features} weights "
            f"(valid indices are 0 to {n_features - 1}). "
            f"Create the learner with n_features={index + 1} or more."
        )


class FeatureRangeError(ThresherError):
    """A feature value lies outside what the learner's theory allows."""

    def __init__(self, learner: str, row: int, column: object, value: float, domain: str) -> None:
        super().__init__(
            f"{learner} needs features in {domain}: row {row}, feature {column!r} is {value!r}. "
            "Scale or binarise the features first; nothing was learned from this batch."
        )


class NameTableFullError(ThresherError):
    """A vocabulary met more distinct names than the learner has weights."""

    def __init__(self, name: str, n_features: int) -> None:
        super().__init__(
            f"the vocabulary is full: {name!r} would be name number {n_features + 1}, but the "
            f"learner has {n_features} weights. Create it with a larger n_features, or with "
            "names='hash'."
        )


class StateError(ThresherError):
    """A saved state does not fit the learner it was given to."""


class HypothesisError(ThresherError):
    """A theorem was asked for its bound although one of its hypotheses is false."""

    def __init__(self, theorem: str, hypothesis: str, measured: str) -> None:
        super().__init__(f"{theorem} does not apply: it needs {hypothesis}, measured {measured}.")
        self.theorem = theorem
        self.hypothesis = hypothesis
        self.measured = measured


class CertificateError(ThresherError):
    """A document that is not a certificate."""

    @classmethod
    def must_be(cls, path: str, must: str, found: object) -> CertificateError:
        """A field is not what it must be."""
        shown = repr(found)
        shown = shown if len(shown) <= 60 else shown[:57] + "..."
        return cls(f"certificate: {path} must be {must}, found {shown}.")


class RunMismatchError(ThresherError):
    """The stream given is not the stream the learner was trained on."""

    def __init__(self, what: str, learner: object, replay: object) -> None:
        super().__init__(
            f"the learner has {what} {learner}, a replay of the stream given has {replay}. "
            "Give the whole stream the learner has seen since it was new: every row, in "
            "order, once for each time it was learned."
        )


class NotCertifiableError(ThresherError):
    """There is nothing a certificate could say."""


class JournalTruncatedWarning(UserWarning):
    """The journal reached its memory limit; later updates are counted but not kept."""


class VariableRangeError(DimensionError):
    """A row mentions a feature that the concepts of a class know nothing about."""

    def __init__(self, learner: str, row: int, index: int, value: float, n_variables: int) -> None:
        ThresherError.__init__(
            self,
            f"{learner}: row {row}, feature {index}: found {value!r}, but the concept class has "
            f"{n_variables} variables (valid indices are 0 to {n_variables - 1}). "
            f"Use a class with n_variables={index + 1} or more; nothing was learned from this "
            "batch.",
        )


class UnknownPointError(UnsoundBatchError):
    """A row that is not one of the points a truth table speaks about."""

    def __init__(self, learner: str, row: int, on: list[int], n_points: int) -> None:
        super().__init__(
            f"{learner}: row {row}: the row whose features equal to 1 are {on} is not among the "
            f"{n_points} points of the truth table. Give the table a column for it; nothing was "
            "learned from this batch."
        )


class ClassTooLargeError(ThresherError):
    """A concept class has more members than may be held in memory."""

    def __init__(self, concepts: str, size: int, limit: int, hint: str = "") -> None:
        super().__init__(
            f"{concepts} has {_in_digits(size)} concepts, more than the limit of {limit}. "
            + (hint or "Its .size and lazy iteration work at any size; use a smaller class.")
        )


class ConceptError(ThresherError):
    """A concept given by the caller cannot be used as one."""


class SearchBudgetError(ThresherError):
    """An exact search was stopped because it would take too long."""

    def __init__(self, concepts: str, tried: int, low: int, high: int) -> None:
        super().__init__(
            f"{concepts}: the search for the Littlestone dimension stopped after {tried} splits; "
            f"so far it is known to be at least {low} and at most {high}. Use a smaller class or "
            "fewer points, or allow more with budget=."
        )


class TableTooLargeError(ThresherError):
    """A truth table would have more cells than may be held in memory."""

    def __init__(self, concepts: str, size: int, n_points: int, limit: int) -> None:
        super().__init__(
            f"the truth table of {concepts} would have {_in_digits(size)} x {_in_digits(n_points)} "
            f"cells (concepts x points), more than the limit of {limit}. Use a smaller class, or "
            "give the points that matter with points=."
        )


class ComparatorError(ThresherError):
    """A declared target that an audit cannot compare a run with."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"the comparator cannot be used: {what}. Declare a set of relevant columns, a dict "
            "from columns to weights, or one weight per column."
        )


class AuditError(ThresherError):
    """A run that no potential is known for, or that lacks what its audit needs."""
