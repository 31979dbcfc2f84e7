"""Values of options: spans, lists of names, policies."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

import click

from thresher.models.input_data import Policy
from thresher.parameters import exact


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


def class_weight(text: str) -> tuple[str, float]:
    """A label and what its rows count: `spam:5`; a label may hold colons itself.

    >>> class_weight("spam:5"), class_weight("a:b:1/2")
    (('spam', 5.0), ('a:b', 0.5))
    """
    label, colon, weight = text.rpartition(":")
    number = exact(weight)
    if not colon or not label or number is None or not 0 <= number <= 1e9:
        raise click.BadParameter(
            f"{text!r} is not a label, a colon and a weight from 0 to 1e9, such as spam:5."
        )
    return label, float(number)


def name_list(text: str) -> tuple[str, ...]:
    """Names with commas between them.

    >>> name_list("age, height")
    ('age', 'height')
    """
    return tuple(name.strip() for name in text.split(",") if name.strip())


def lists_joined(words: Iterable[str], lists: Container[str]) -> list[str]:
    """The words of a command in which a list of names that is given again goes on.

    Otherwise the last one would stand alone, and a column that was to be ignored would be learned.

    >>> lists_joined(["--ignore", "id", "a.csv", "--ignore=day"], {"--ignore"})
    ['--ignore', 'id,day', 'a.csv']
    """
    joined: list[str] = []
    at: dict[str, int] = {}
    rest = iter(words)
    for word in rest:
        option, equals, names = word.partition("=")
        if word == "--":
            return [*joined, word, *rest]
        following = names if equals else next(rest, None) if option in lists else None
        if option not in lists or following is None:
            joined.append(word)
        elif option in at:
            joined[at[option]] += f",{following}"
        else:
            at[option] = len(joined) + 1
            joined += [option, following]
    return joined


def separator(text: str) -> str:
    r"""What stands between two fields; a tab, which is hard to type, has names.

    >>> separator(";"), separator("tab"), separator(r"\t")
    (';', '\t', '\t')
    """
    return "\t" if text in ("tab", r"\t") else text


def on_bad(text: str) -> tuple[Policy, str | None]:
    """What to do with bad lines: `stop`, `skip`, or `quarantine FILE`, as one word or two.

    >>> on_bad("skip"), on_bad("quarantine=bad.txt"), on_bad("quarantine bad.txt")
    (('skip', None), ('quarantine', 'bad.txt'), ('quarantine', 'bad.txt'))
    """
    policies: dict[str, Policy] = {"stop": "stop", "skip": "skip"}
    if text in policies:
        return (policies[text], None)
    policy, file = text[: len("quarantine")], text[len("quarantine") + 1 :].strip()
    if policy != "quarantine" or text[len(policy) : len(policy) + 1] not in ("", "=", " "):
        raise click.BadParameter(f"{text!r} is none of stop, skip and quarantine FILE.")
    if not file:
        raise click.BadParameter(
            "quarantine needs the file that takes the bad lines: quarantine FILE."
        )
    return ("quarantine", file)
