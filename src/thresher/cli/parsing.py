"""Values of options: spans, lists of names, policies."""

from __future__ import annotations

import re

import click

from thresher.models.input_data import Policy


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
