"""Shapes of values in a document, and refusals that name the place.

A shape is a value itself: a dict has exactly these keys, a list any number of the one item, a
tuple is a choice, `Text` is a string of a certain form and `Whole` a whole number within
limits; a type stands for its instances, anything else for itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any

from thresher.errors import CertificateError


@dataclass(frozen=True)
class Text:
    """A string that matches a pattern as a whole, and a condition where there is one."""

    must: str
    pattern: str
    sound: Callable[[str], bool] | None = None
    #: Whether the string stands for an exact number.
    exact: bool = False


@dataclass(frozen=True)
class Whole:
    """A whole number within limits."""

    least: int | None = None
    below: int | None = None


#: Digits above and below the bar of an exact number. A double has at most 325 of them, its square
#: and sums of such squares fewer than 1,000.
MOST_DIGITS = 2_000
#: The same for the numbers that a learner was made with: its replay raises them to powers. The
#: smallest doubles have 325 digits below the bar.
MOST_PARAMETER_DIGITS = 400
#: Whole numbers stay far below the size at which arithmetic with them takes time.
MOST_WHOLE_DIGITS = 40

COUNT = Whole(0)
WHOLE = Whole()
_DIGITS = f"[1-9][0-9]{{0,{MOST_DIGITS - 1}}}"
NUMBER = f"-?(0|{_DIGITS})(/{_DIGITS})?"
EXACT = Text("an exact number such as '3/8'", NUMBER, exact=True)
_FEW_DIGITS = f"[1-9][0-9]{{0,{MOST_PARAMETER_DIGITS - 1}}}"
#: A number that a learner was made with.
SHORT_NUMBER = f"-?(0|{_FEW_DIGITS})(/{_FEW_DIGITS})?"
POSITIVE = Text(
    "an exact number above 0 such as '3/8', of at most 400 digits above and below the bar",
    SHORT_NUMBER,
    lambda text: Fraction(text) > 0,
    exact=True,
)
#: How many features or experts a learner can be made for: columns have 32 bits.
ROOM = Whole(1, below=2**31)


def between(low: Fraction | int, high: Fraction | int, words: str) -> Text:
    """An exact number from low to high, which a message calls by the words.

    >>> check("1/3", between(1, 2, "from 1 to 2"), "$.beta")
    Traceback (most recent call last):
    thresher.errors.CertificateError: certificate: $.beta must be an exact number from 1 to 2 \
such as '3/8', found '1/3'.
    """
    return Text(
        f"an exact number {words} such as '3/8'",
        SHORT_NUMBER,
        lambda text: low <= Fraction(text) <= high,
        exact=True,
    )


def _is_finite(text: str) -> bool:
    try:
        return isfinite(float.fromhex(text))
    except OverflowError:
        return False


HEX = Text(
    "a float in hexadecimal such as '0x1.8p-1'",
    r"0x[01]\.[0-9a-f]{1,13}p[+-][0-9]{1,4}",
    _is_finite,
)
SIGNED_HEX = Text("a float in hexadecimal such as '-0x1.8p-1'", f"-?{HEX.pattern}", _is_finite)
DIGEST = Text("64 hexadecimal digits", r"[0-9a-f]{64}")
NAME = Text("a name", r"[A-Za-z][A-Za-z0-9_]{0,99}")
BITS = Text("bytes in hexadecimal", r"([0-9a-f]{2})+")
LABEL = Text("a label of at most 10,000 characters", r"(?s:.{0,10000})")
LINE = Text("a line of text", r"[^\n]{0,1000}")


def check(value: object, shape: Any, path: str) -> None:
    """Refuse a value that does not have the shape, by its path.

    >>> check({"rows": [3, None]}, {"rows": [WHOLE]}, "$")
    Traceback (most recent call last):
    thresher.errors.CertificateError: certificate: $.rows[1] must be a whole number, found None.
    """
    if isinstance(shape, dict):
        _check_keys(value, shape, path)
    elif isinstance(shape, list):
        if not isinstance(value, list):
            raise CertificateError.must_be(path, "a list", value)
        for i, item in enumerate(value):
            check(item, shape[0], f"{path}[{i}]")
    elif isinstance(shape, tuple):
        _check_choice(value, shape, path)
    elif not _is(value, shape):
        raise CertificateError.must_be(path, _words(shape), value)


def _check_keys(value: object, shape: dict[str, Any], path: str) -> None:
    if not isinstance(value, dict):
        raise CertificateError.must_be(path, "an object", value)
    for name in sorted(shape.keys() - value.keys()):
        raise CertificateError(f"certificate: the field {path}.{name} is missing.")
    for name in sorted(value.keys() - shape.keys()):
        shown = name if re.fullmatch(NAME.pattern, name) else ascii(name[:60])
        raise CertificateError(f"certificate: the field {path}.{shown} is unknown.")
    for name, inner in shape.items():
        check(value[name], inner, f"{path}.{name}")


def _check_choice(value: object, shape: tuple[Any, ...], path: str) -> None:
    refusal = None
    for choice in shape:
        try:
            check(value, choice, path)
            return
        except CertificateError as error:
            # Of several refusals the one from inside the object says more.
            refusal = error if refusal is None or isinstance(choice, dict) else refusal
    if any(isinstance(choice, dict) for choice in shape) and refusal is not None:
        raise refusal
    raise CertificateError.must_be(path, " or ".join(map(_words, shape)), value)


def _is(value: object, shape: Any) -> bool:
    if isinstance(shape, Text):
        matches = isinstance(value, str) and re.fullmatch(shape.pattern, value) is not None
        return matches and (shape.sound is None or shape.sound(str(value)))
    if isinstance(shape, Whole):
        if not isinstance(value, int) or isinstance(value, bool):
            return False
        low_enough = shape.below is None or value < shape.below
        return low_enough and (shape.least is None or value >= shape.least)
    if isinstance(shape, type):
        return isinstance(value, shape)
    return type(value) is type(shape) and value == shape


def _words(shape: Any) -> str:
    if isinstance(shape, Text):
        return shape.must
    if isinstance(shape, Whole):
        least = "" if shape.least is None else f" from {shape.least} on"
        return f"a whole number{least}" + ("" if shape.below is None else f" below {shape.below}")
    if isinstance(shape, type):
        return {bool: "true or false", dict: "an object"}[shape]
    if isinstance(shape, list):
        return "a list"
    return "null" if shape is None else repr(shape)


def parsed(value: Any, shape: Any) -> Any:
    """A value that has the shape, with exact numbers as fractions and lists as tuples.

    >>> parsed({"rate": "3/8", "rule": "pa-1"}, {"rate": POSITIVE, "rule": ("pa", "pa-1")})
    {'rate': Fraction(3, 8), 'rule': 'pa-1'}
    """
    if isinstance(shape, dict):
        return {name: parsed(value[name], inner) for name, inner in shape.items()}
    if isinstance(shape, list):
        return tuple(parsed(item, shape[0]) for item in value)
    if isinstance(shape, tuple):
        return parsed(value, next(choice for choice in shape if _fits(value, choice)))
    return Fraction(value) if isinstance(shape, Text) and shape.exact else value


def stated(value: Any, shape: Any) -> Any:
    """A learner's own value as a certificate states it: exact numbers are fractions.

    >>> stated(0.5, (POSITIVE, None)), stated(None, (POSITIVE, None)), stated(3.0, Whole(1))
    (Fraction(1, 2), None, 3)
    """
    if isinstance(shape, tuple):
        if value is None or isinstance(value, str):
            return value
        shape = next(choice for choice in shape if choice is not None)
    if isinstance(shape, dict):
        return {name: stated(value[name], inner) for name, inner in shape.items()}
    if isinstance(shape, list):
        return tuple(stated(item, shape[0]) for item in value)
    if shape is bool:
        return bool(value)
    if isinstance(shape, Whole):
        return int(value)
    if isinstance(shape, Text) and shape.exact:
        return Fraction(value if isinstance(value, int | Fraction) else float(value))
    return value


def _fits(value: object, shape: Any) -> bool:
    try:
        check(value, shape, "$")
    except CertificateError:
        return False
    return True
