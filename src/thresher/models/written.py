"""Values as people write them: exact numbers, yes and no, and pairs such as `k=4`."""

from __future__ import annotations

import re
from fractions import Fraction

from thresher.errors import RequestError
from thresher.parameters import exact

WORDS: dict[str, bool | None] = {
    "true": True, "yes": True, "on": True,
    "false": False, "no": False, "off": False,
    "none": None,
}  # fmt: skip

_WHOLE = re.compile(r"-?[0-9]{1,15}")


def literal(text: str) -> int | Fraction | bool | str | None:
    """A parameter's value as it is written: a number, exactly; yes or no; none; or a word.

    >>> literal("1/2"), literal("yes"), literal("none"), literal("l2")
    (Fraction(1, 2), True, None, 'l2')
    """
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    number = exact(text)
    return text if number is None else number


def whole_number(text: str) -> int | None:
    """A whole number in at most 15 digits, or None.

    >>> whole_number("-12"), whole_number("--5"), whole_number("²"), whole_number("9" * 16)
    (-12, None, None, None)
    """
    return int(text) if _WHOLE.fullmatch(text) else None


def assignments(text: str, whose: str) -> dict[str, str]:
    """`name=value` pairs with commas between them; an error begins with `whose`.

    >>> assignments("k=4,n=100", "claim")
    {'k': '4', 'n': '100'}
    """
    found: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = part.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise ill_written(whose, f"{part!r} is not of the form name=value.")
        if name.strip() in found:
            raise ill_written(whose, f"{name.strip()} is given twice.")
        found[name.strip()] = value.strip()
    return found


def ill_written(whose: str, what: str) -> RequestError:
    """Something is wrong with a text that was to say `whose`, such as `claim disjunction:k`."""
    return RequestError(f"{whose}: {what}", code="request.ill_written", whose=whose)
