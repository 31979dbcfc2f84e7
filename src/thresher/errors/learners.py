"""Learners: parameters they cannot have, names they have no room for, states that do not fit."""

from __future__ import annotations

from thresher.errors.error import ThresherError, did_you_mean, shortly


class ParameterError(ThresherError):
    """A learner was given a parameter that it cannot have."""

    code = "parameter"

    def __init__(self, whose: str, name: str, must: str, found: object, hint: str = "") -> None:
        super().__init__(
            f"{whose}: {name} must be {must}, found {shortly(found)}.",
            hint,
            whose=whose,
            name=name,
            must=must,
            found=found,
        )


class UnknownLearnerError(ThresherError):
    """There is no learner of the given name."""

    code = "learner"

    def __init__(self, name: str, known: list[str]) -> None:
        plain = name.replace("-", "_").lower()
        what = f"there is no learner called {name!r}.{did_you_mean(plain, known)}"
        super().__init__(what, f"Learners: {', '.join(known)}.", name=name, known=known)


class NameTableFullError(ThresherError):
    """A vocabulary met more distinct names than the learner has weights."""

    code = "names"

    def __init__(self, name: str, n_features: int) -> None:
        super().__init__(
            f"the vocabulary is full: {name!r} would be name number {n_features + 1}, but the "
            f"learner has {n_features} weights.",
            "Create it with more weights (n_features=), or hash the names (names=th.Hashed()).",
            name=name,
            n_features=n_features,
        )


class StateError(ThresherError):
    """A saved state does not fit the learner it was given to."""

    code = "state"


class BusyLearnerError(ThresherError):
    """A value in the rows called the learner that is learning them."""

    code = "busy"

    def __init__(self) -> None:
        super().__init__(
            "a value in the rows called the learner that is learning them, and would wait forever.",
            "Convert the values to plain numbers first.",
        )


class JournalTruncatedWarning(UserWarning):
    """The journal reached its memory limit; later updates are counted but not kept."""


class SortedRowsWarning(UserWarning):
    """Rows with the same label are grouped together: the last group outweighs the rest."""
