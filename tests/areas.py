"""What a run of the tests is about, said when it begins, and where its time went, when it ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain
from textwrap import wrap
from typing import Any

import pytest


def area(nodeid: str) -> str:
    """The part of the project that a test is about.

    >>> area("tests/learners/test_names.py::test_a[b/c]"), area("tests/test_errors.py::test_a")
    ('learners', 'the whole')
    >>> area("src/thresher/demo.py::thresher.demo"), area("docs/start.md::start.md")
    ('docstrings', 'documentation')
    """
    top, *within = nodeid.partition("::")[0].split("/")
    if top == "src":
        return "docstrings"
    if top != "tests":
        return "documentation"
    return within[0] if len(within) > 1 else "the whole"


def lines(head: str, found: Counter[str]) -> list[str]:
    """The areas by their numbers, the largest first.

    >>> lines("3 tests: ", Counter({"lab": 1, "cli": 2}))
    ['3 tests: cli 2, lab 1.']
    """
    parts = (f"{name} {number:,.0f}".replace(" ", "\0") for name, number in found.most_common())
    text = head + ", ".join(parts) + "."
    return [line.replace("\0", " ") for line in wrap(text, 100, subsequent_indent="  ")]


class Announced:
    """Says once what is tested, where it is of more than one area."""

    def __init__(self, reporter: Any) -> None:
        self._reporter, self._said = reporter, False

    def _say(self, nodeids: Iterable[str]) -> None:
        found = Counter(map(area, nodeids))
        if len(found) > 1 and not self._said:
            self._said = True
            for line in lines(f"{found.total():,} tests: ", found):
                self._reporter.write_line(line)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """One process: here are the tests."""
        self._say(item.nodeid for item in session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: object, ids: list[str]) -> None:
        """Several: the first of them to know the tests tells us."""
        self._say(ids)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Announce in the process that has the terminal, once there is one."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Announced(reporter))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how long the areas took, before the closing line."""
    seconds: dict[str, float] = {}
    for report in chain.from_iterable(terminalreporter.stats.values()):
        if isinstance(report, pytest.TestReport):
            name = area(report.nodeid)
            seconds[name] = seconds.get(name, 0.0) + report.duration
    took = Counter({name: round(spent) for name, spent in seconds.items()})
    if len(took) > 1:
        for line in lines(f"{took.total():,} seconds, summed over processes: ", took):
            terminalreporter.write_line(line)
