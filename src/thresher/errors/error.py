"""ThresherError: what is wrong, what to do about it, and both in a form for programs."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Any, NamedTuple, Self

_PLAIN = (str, bool, int, type(None))
#: Characters of what was found that a message has room for.
LONGEST_SHOWN = 60


def joined(what: str, remedy: str) -> str:
    """Two sentences as one text.

    >>> joined("a.svm: there is no such file", "Name another."), joined("That was all.", "")
    ('a.svm: there is no such file. Name another.', 'That was all.')
    """
    if not remedy:
        return what
    return f"{what} {remedy}" if what.endswith((".", "?", "!")) else f"{what}. {remedy}"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A question to append to what is wrong with a name; nothing where no known one is near.

    >>> did_you_mean("percepton", ["perceptron", "winnow"]), did_you_mean("x", ["winnow"])
    (" Did you mean 'perceptron'?", '')
    """
    # Imported here: names are mostly right.
    from difflib import get_close_matches  # noqa: PLC0415

    near = get_close_matches(name, [*known], 1)
    return f" Did you mean {near[0]!r}?" if near else ""


def shortly(found: object) -> str:
    """What was found, as Python shows it; the beginning of it where that is long.

    >>> shortly("abc"), shortly(10**100)[-6:]
    ("'abc'", '000...')
    """
    shown = _in_python(found)
    return shown if len(shown) <= LONGEST_SHOWN else shown[: LONGEST_SHOWN - 3] + "..."


def _in_python(found: object) -> str:
    try:
        return repr(found)
    except ValueError:
        # Python writes no number of more than 4,300 digits.
        return "a number of very many digits"


def json_ready(value: Any) -> Any:
    """A value as JSON has it; what JSON does not know is written as Python shows it.

    >>> json_ready((1, {2: "x"}, 1j))
    [1, {'2': 'x'}, '1j']
    """
    if type(value) in _PLAIN or (type(value) is float and isfinite(value)):
        return value
    if isinstance(value, list | tuple):
        return [json_ready(item) for item in value]
    if isinstance(value, dict):
        return {str(name): json_ready(item) for name, item in value.items()}
    if hasattr(value, "item") and getattr(value, "ndim", 1) == 0:
        # A NumPy number; this file does without NumPy.
        return json_ready(value.item())
    return _in_python(value)


class Hint(NamedTuple):
    """What can be done: a code for programs, a sentence for Python users, and the details."""

    code: str
    remedy: str = ""
    fields: dict[str, Any] = {}  # noqa: RUF012  (a tuple is not changed, nor is this)


class ThresherError(ValueError):
    """Base of all errors that the caller can fix.

    The message is `what` is wrong, the same for everybody, and the `remedy`, in the terms of a
    Python caller. Other interfaces (the command line, a service) keep `what`, and word the remedy
    themselves by `code` and `fields`. Fields are attributes too.

    >>> error = ThresherError("the box is full.", "Make it larger: size=4.", size=3)
    >>> str(error), error.what, error.size, error.fields
    ('the box is full. Make it larger: size=4.', 'the box is full.', 3, {'size': 3})

    Parameters
    ----------
    what
        What is wrong: where, what was found, what was expected.
    remedy
        What a Python caller can do about it.
    code
        A name of this particular case, where a class has several; it begins with the code of the
        class.
    fields
        The details, for callers that word the error themselves.
    """

    #: A short name of the kind of error, which stays the same when messages change.
    code: str = "error"

    def __init__(
        self, what: str, remedy: str = "", *, code: str | None = None, **fields: Any
    ) -> None:
        super().__init__(joined(what, remedy))
        self.what, self.remedy = what, remedy
        if code is not None:
            self.code = code
        #: The details as JSON-ready values.
        self.fields = {name: json_ready(value) for name, value in fields.items()}
        vars(self).update(fields)

    @property
    def hint(self) -> Hint:
        """All but `what`."""
        return Hint(self.code, self.remedy, self.fields)

    def __reduce__(self) -> tuple[Any, ...]:
        # A subclass is made from other arguments than its message.
        return _restored, (type(self), self.args, vars(self))

    @classmethod
    def _bare(cls, args: tuple[Any, ...], state: dict[str, Any]) -> Self:
        error = cls.__new__(cls, *args)
        vars(error).update(state)
        return error


def _restored(
    kind: type[ThresherError], args: tuple[Any, ...], state: dict[str, Any]
) -> ThresherError:
    return kind._bare(args, state)
