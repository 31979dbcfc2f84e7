"""Options that were renamed: the old spelling is taken for one more minor release, and told of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from thresher.cli.terminal.speech import warn


class RenamedOption(NamedTuple):
    """How an option is written now, and the release in which the old spelling goes."""

    now: str
    goes: str


#: By the command and the spelling that earlier releases had.
RENAMED_OPTIONS = {
    ("race", "--csv"): RenamedOption("--output", "0.4"),
}


def with_new_names(command: str | None, words: Sequence[str]) -> list[str]:
    """The words of a command with the options as they are called now; old ones are told of.

    >>> with_new_names("race", ["a.svm", "--csv=c.csv"])
    ['a.svm', '--output=c.csv']
    """
    found: list[str] = []
    for position, word in enumerate(words):
        if word == "--":
            return [*found, *words[position:]]
        old, equals, value = word.partition("=")
        new = RENAMED_OPTIONS.get((command or "", old))
        if new is not None:
            warn(f"{old} is called {new.now} now; the old name goes in {new.goes}.")
            word = f"{new.now}{equals}{value}"
        found.append(word)
    return found
