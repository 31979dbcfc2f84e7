"""How far workers are, for commands whose answer comes all at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thresher.cli.terminal.live_line import LiveLine
    from thresher.cluster.engine import Engine


class ToldTasks:
    """An engine that tells, while results are waited for, how many of them are there."""

    def __init__(self, engine: Engine, line: LiveLine) -> None:
        self._workers, self._line = engine, line
        self.elsewhere = engine.elsewhere

    @property
    def width(self) -> int:
        """How many workers there are just now."""
        return self._workers.width

    def submit(self, name: str, function: Callable[..., Any], *args: Any) -> Any:
        """Hand in a task."""
        return self._workers.submit(name, function, *args)

    def gather(self, tasks: Sequence[Any], seconds: float) -> Iterator[tuple[int, Any]]:
        """The results as they come."""
        for done, found in enumerate(self._workers.gather(tasks, seconds), 1):
            self._line.tell(f"{done:,} of {len(tasks):,} parts")
            yield found

    def close(self) -> None:
        """Let go of what was started."""
        self._workers.close()
