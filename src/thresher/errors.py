"""Every error a user can cause, with its message: what, where, what was found, what to do."""

from __future__ import annotations

from typing import Self


def _in_digits(count: int) -> str:
    """The count, or its power of two where it has too many digits to read."""
    return f"{count}" if count < 10**30 else f"at least 2^{count.bit_length() - 1}"


class ThresherError(ValueError):
    """Base of all errors that are the caller's to fix.

    The message speaks to a program. A door that calls things by other names, such as the command
    line, phrases errors with a `code` anew, from their `fields`.
    """

    code = ""
    fields: dict[str, object]

    def coded(self, code: str, **fields: object) -> Self:
        """The error itself, with a code and what it is about."""
        self.code, self.fields = code, fields
        return self


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
        self.row = row
        #: The message for those who know a better name for the row than its number.
        self.detail = f"feature {column!r}: found {value}, but {rule}." + (
            f" {hint}" if hint else ""
        )
        super().__init__(f"row {row}, {self.detail}")


class LabelError(UnsoundBatchError):
    """A label that is neither -1/+1 nor 0/1, or labels that do not fit the rows."""


class ImportanceError(UnsoundBatchError):
    """A weight of an example that makes no sense, or that the learner has no use for."""

    @classmethod
    def senseless(cls, row: int, found: object) -> ImportanceError:
        """A weight must be a number that is not negative, and not beyond all measure."""
        return cls(f"row {row}: found importance {found!r}; it must be from 0 to 1e9.")

    @classmethod
    def useless(cls, learner: str, row: int, found: object) -> ImportanceError:
        """The learner's update has no place for weights."""
        return cls(
            f"row {row}: found importance {found!r}, but the update of {learner} has no place for "
            "weights. Leave them out, or take a learner that scales its step by them: Perceptron, "
            "AROW, AdaGrad, PassiveAggressive (PA-I, PA-II), PNormPerceptron, Winnow and its kin."
        )


class DimensionError(ThresherError):
    """A row mentions a feature the learner has no weight for."""

    def __init__(self, row: int, index: int, n_features: int) -> None:
        self.row = row
        outside = (
            f"feature index {index} is outside the learner's {n_features} weights "
            f"(valid indices are 0 to {n_features - 1})."
        )
        self.detail = f"{outside} Train with --features {index + 1} or more."
        ThresherError.__init__(
            self,
            f"row {row}: {outside} Create the learner with n_features={index + 1} or more.",
        )


class FeatureRangeError(ThresherError):
    """A feature value lies outside what the learner's theory allows."""

    def __init__(self, learner: str, row: int, column: object, value: float, domain: str) -> None:
        self.row = row
        needs, found = f"{learner} needs features in {domain}", f"feature {column!r} is {value!r}."
        self.detail = f"{needs}, {found} Scale or binarise the features first."
        super().__init__(
            f"{needs}: row {row}, {found} "
            "Scale or binarise the features first; nothing was learned from this batch."
        )


class NameTableFullError(ThresherError):
    """A vocabulary met more distinct names than the learner has weights."""

    def __init__(self, name: str, n_features: int) -> None:
        super().__init__(
            f"the vocabulary is full: {name!r} would be name number {n_features + 1}, but the "
            f"learner has {n_features} weights. Create it with more of them (n_features, --bits), "
            "or have names hashed."
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


class UnknownLearnerError(ThresherError):
    """A learner was asked for by a name that nobody has."""

    def __init__(self, name: str, known: list[str]) -> None:
        super().__init__(f"there is no learner called {name!r}. Learners: {', '.join(known)}.")


class ModelError(ThresherError):
    """Something was asked of a model that it is not made for."""


class ModelFileError(ThresherError):
    """A model file that cannot be read, trusted or written."""

    def __init__(self, path: object, what: str, hint: str = "") -> None:
        super().__init__(f"{path}: {what}." + (f" {hint}" if hint else ""))

    @classmethod
    def foreign(cls, path: object, found: str) -> ModelFileError:
        """The file is something else."""
        return cls(
            path,
            f"this is not a thresher model: {found}",
            "A model is what `thresher train -o MODEL` or learner.save(path) writes.",
        )

    @classmethod
    def damaged(cls, path: object, found: str) -> ModelFileError:
        """The file was a model once."""
        return cls(
            path,
            f"the model file is damaged: {found}",
            "Restore it from a copy, or train again.",
        )

    @classmethod
    def newer(cls, path: object, found: int, known: int) -> ModelFileError:
        """The file was written by a later release."""
        return cls(
            path,
            f"the model file has format {found}, and this release reads formats up to {known}",
            "Upgrade thresher to load it.",
        )

    @classmethod
    def unsound(cls, path: object, place: str, what: str) -> ModelFileError:
        """The bytes are intact, but what they say cannot be."""
        return cls(
            path,
            f"the model file cannot be used: {place}: {what}",
            "It was not written by thresher, or not by a release that works.",
        )


class NotStorableError(ThresherError):
    """A learner holds something that a model file cannot."""


class ExportError(ThresherError):
    """A model that cannot be written in the form asked for."""


class BinaryFileError(ThresherError):
    """A binary file that is damaged, cut short, or of a kind this version cannot read."""

    def __init__(self, file: str, what: str, do: str) -> None:
        super().__init__(f"{file}: {what}. {do}")


class NotWritableError(ThresherError):
    """Rows that the format asked for cannot hold."""


class MissingPackageError(ThresherError):
    """An optional package is needed and not there."""

    def __init__(self, what: str, package: str, extra: str) -> None:
        super().__init__(
            f"{what} needs the package {package}, which is not installed. "
            f"Install it with: pip install 'thresher[{extra}]'"
        )


class SourceError(ThresherError):
    """A file or pipe that cannot be read: missing, a directory, cut short, damaged."""

    def __init__(self, file: str, what: str, hint: str = "") -> None:
        super().__init__(f"{file}: {what}." + (f" {hint}" if hint else ""))


class FormatError(ThresherError):
    """A format that is unknown, or that could not be told from name and content."""


class BadLineError(ThresherError):
    """A line that could not be read, where the reader was told to stop."""

    def __init__(self, where_and_what: str, hint: str = "") -> None:
        super().__init__(where_and_what + (f". {hint}" if hint else ""))


class StreamFaultError(ThresherError):
    """A row that was read well and cannot be learned; the message says where it stands."""


class ResumeError(ThresherError):
    """A model whose training cannot continue in the way asked for."""


class RequestError(ThresherError):
    """Something was asked for that cannot be, alone or beside the rest of what was asked for."""

    def __init__(self, message: str, code: str = "", **fields: object) -> None:
        super().__init__(message)
        self.coded(code, **fields)
