"""Rows, labels and weights of examples that no learner, or not this learner, accepts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thresher.errors.error import ThresherError


class UnsoundBatchError(ThresherError):
    """Rows that no learner should see."""

    code = "batch"


class RowError(UnsoundBatchError):
    """One value in one row breaks a rule."""

    code = "row"
    row: int

    def __init__(self, row: int, column: object, value: object, rule: str, hint: str = "") -> None:
        #: The message without the row number, for callers that have a better name for the row.
        self.detail = f"feature {column!r}: found {value}, but {rule}."
        super().__init__(
            f"row {row}, {self.detail}", hint, row=row, column=column, value=value, rule=rule
        )


class LabelError(UnsoundBatchError):
    """A label that is neither -1/+1 nor 0/1, or labels that do not fit the rows."""

    code = "label"


class ImportanceError(UnsoundBatchError):
    """An importance that makes no sense, or that the learner cannot use."""

    code = "importance"

    @classmethod
    def senseless(cls, row: int, found: object) -> ImportanceError:
        """A weight must be a number that is neither negative nor excessively large."""
        what = f"row {row}: found importance {found!r}; it must be from 0 to 1e9."
        return cls(what, row=row, found=found)

    @classmethod
    def useless(cls, learner: str, row: int, found: object) -> ImportanceError:
        """The learner's update has no place for weights."""
        return cls(
            f"row {row}: found importance {found!r}, but the update of {learner} has no place for "
            "weights.",
            "Leave them out, or take a learner that scales its step by them: Perceptron, "
            "AROW, AdaGrad, PassiveAggressive (PA-I, PA-II), PNormPerceptron, Winnow and its kin.",
            code="importance.unused",
            learner=learner,
            row=row,
            found=found,
        )


class HeavyRowError(ImportanceError):
    """The importance of a row times a class weight is too large to be squared and added."""

    code = "importance.product"
    row: int

    def __init__(self, row: int, found: float) -> None:
        self.detail = (
            f"importance times the largest class weight is {found:g}; it must be from 0 to 1e9."
        )
        remedy = "Divide the class weights, or the importances of the rows, by a constant."
        super().__init__(f"row {row}: {self.detail}", remedy, row=row, found=found)


class DimensionError(ThresherError):
    """A row mentions a feature the learner has no weight for."""

    code = "dimension"
    row: int

    def __init__(self, row: int, index: int, n_features: int) -> None:
        self.detail = (
            f"feature index {index} is outside the learner's {n_features} weights "
            f"(valid indices are 0 to {n_features - 1})."
        )
        super().__init__(
            f"row {row}: {self.detail}",
            f"Create the learner with n_features={index + 1} or more.",
            row=row,
            index=index,
            n_features=n_features,
        )


class VariableRangeError(DimensionError):
    """A row mentions a feature that the concepts of a class know nothing about."""

    code = "dimension.variables"

    def __init__(self, learner: str, row: int, index: int, value: float, n_variables: int) -> None:
        self.detail = (
            f"feature {index}: found {value!r}, but the concept class has {n_variables} variables "
            f"(valid indices are 0 to {n_variables - 1})."
        )
        ThresherError.__init__(
            self,
            f"{learner}: row {row}, {self.detail}",
            f"Use a class with n_variables={index + 1} or more.",
            learner=learner,
            row=row,
            index=index,
            value=value,
            n_variables=n_variables,
        )


class FeatureRangeError(ThresherError):
    """A feature value lies outside what the learner's theory allows."""

    code = "domain"
    learner: str
    row: int
    column: Any
    value: float
    domain: str

    def __init__(self, learner: str, row: int, column: object, value: float, domain: str) -> None:
        needs, found = f"{learner} needs features in {domain}", f"feature {column!r} is {value!r}"
        self.detail = f"{needs}, {found}."
        super().__init__(
            f"{needs}: row {row}, {found}.",
            "Scale or binarise the features first.",
            learner=learner,
            row=row,
            column=column,
            value=value,
            domain=domain,
        )

    def naming(self, names: Mapping[int, str]) -> FeatureRangeError:
        """The same error about a feature that may have a name.

        >>> str(FeatureRangeError("Winnow", 3, 28213, 2.0, "[0, 1]").naming({28213: "cash"}))[:56]
        "Winnow needs features in [0, 1]: row 3, feature 'cash' i"
        """
        name = names.get(self.column, self.column)
        # A number is written as one, and not as a name.
        called = self.column if name == str(self.column) else name
        return FeatureRangeError(self.learner, self.row, called, self.value, self.domain)


class UnknownPointError(UnsoundBatchError):
    """A row that is not one of the points of a truth table."""

    code = "point"

    def __init__(self, learner: str, row: int, on: list[int], n_points: int) -> None:
        super().__init__(
            f"{learner}: row {row}: the row whose features equal to 1 are {on} is not among the "
            f"{n_points} points of the truth table.",
            "Give the table a column for it.",
            learner=learner,
            row=row,
            on=on,
            n_points=n_points,
        )
