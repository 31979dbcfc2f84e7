"""Values of options: spans, lists of names, exact numbers, policies."""

from __future__ import annotations

import re
from fractions import Fraction

import click

from thresher.models.input_data import Policy

# Short ones only: Fraction("1e999999999") would take the machine's memory.
_NUMBER = re.compile(
    r"[+-]?(\d{1,40}(/\d{1,40}|\.\d{0,40})?|\.\d{1,40})(e[+-]?\d{1,3})?", re.IGNORECASE
)


def span(text: str) -> tuple[int, int]:
    """A range of lengths: `2` or `1-3`.

    >>> span("1-3"), span("2")
    ((1, 3), (2, 2))
    """
    found = re.fullmatch(r"(\d{1,3})(?:-(\d{1,3}))?", text)
    low = int(found[1]) if found else 0
    high = int(found[2] or low) if found else 0
    if not 1 <= low <= high:
        raise click.BadParameter(f"{text!r} is not a length such as 2, or lengths such as 1-3.")
    return (low, high)


def name_list(text: str) -> tuple[str, ...]:
    """Names with commas between them.

    >>> name_list("age, height")
    ('age', 'height')
    """
    return tuple(name.strip() for name in text.split(",") if name.strip())


def on_bad(text: str) -> tuple[Policy, str | None]:
    """What to do with bad lines: `stop`, `skip` or `quarantine=FILE`.

    >>> on_bad("skip"), on_bad("quarantine=bad.txt")
    (('skip', None), ('quarantine', 'bad.txt'))
    """
    policies: dict[str, Policy] = {"stop": "stop", "skip": "skip"}
    if text in policies:
        return (policies[text], None)
    policy, _, file = text.partition("=")
    if policy != "quarantine":
        raise click.BadParameter(f"{text!r} is none of stop, skip and quarantine FILE.")
    if not file:
        raise click.BadParameter("quarantine needs the file that takes the bad lines.")
    return ("quarantine", file)


def exact(text: str) -> int | Fraction | None:
    """A number as it is written: `1/3` and `0.1` mean just that; None if it is no number.

    >>> exact("0.1"), exact("13/5"), exact("1e-3"), exact("7"), exact("seven")
    (Fraction(1, 10), Fraction(13, 5), Fraction(1, 1000), 7, None)
    """
    if not _NUMBER.fullmatch(text):
        return None
    try:
        number = Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None
    return int(number) if number.denominator == 1 else number


WORDS: dict[str, bool | None] = {
    "true": True, "yes": True, "on": True,
    "false": False, "no": False, "off": False,
    "none": None,
}  # fmt: skip


def literal(text: str) -> int | Fraction | bool | str | None:
    """A parameter's value as it is written: a number, exactly; yes or no; none; or a word.

    >>> literal("1/2"), literal("yes"), literal("none"), literal("l2")
    (Fraction(1, 2), True, None, 'l2')
    """
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    number = exact(text)
    return text if number is None else number


def assignments(text: str, whose: str) -> dict[str, str]:
    """`name=value` pairs with commas between them.

    >>> assignments("k=4,n=100", "claim")
    {'k': '4', 'n': '100'}
    """
    found: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = part.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise click.UsageError(f"{whose}: {part!r} is not of the form name=value.")
        if name.strip() in found:
            raise click.UsageError(f"{whose}: {name.strip()} is given twice.")
        found[name.strip()] = value.strip()
    return found
