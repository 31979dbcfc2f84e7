"""The engine that runs tasks on a Dask cluster, and never waits for what will not come."""

from __future__ import annotations

import inspect
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from functools import partial
from multiprocessing import active_children
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any
from uuid import uuid4

from thresher.cluster.engine import failed, late
from thresher.errors import ClusterError, MissingPackageError, ParameterError, ThresherError
from thresher.streams.sources.machine import free_memory, interrupts_wait

#: Where `auto` looks for the address of a scheduler: what Dask's own tools read.
VARIABLE = "DASK_SCHEDULER_ADDRESS"
#: How often a task is tried again that could not read its data.
RETRIES = 2
#: How long a scheduler may take to answer, and a cluster without workers to get some.
PATIENCE = 30.0
#: Seconds that workers of this machine may take to start, half as long: see `_within`.
STARTING = 60.0
#: Bytes of memory that a worker takes, with its packages and nothing else.
WORKER = 100_000_000
#: How often it is looked whether there are still workers.
_LOOK = 1.0


class DaskEngine:
    """Tasks on the workers of a Dask client.

    Parameters
    ----------
    client
        A `distributed.Client`, which stays open; or what makes one when the first task comes, and
        names what else is to be closed with the engine.
    patience
        How many seconds to wait for a worker where there is none, and for the scheduler.
    elsewhere
        Whether workers may see another folder as theirs.
    """

    def __init__(
        self,
        client: Any | Callable[[], tuple[Any, ...]],
        *,
        patience: float = PATIENCE,
        elsewhere: bool = True,
    ) -> None:
        self.elsewhere, self._patience = elsewhere, patience
        self._start = client if inspect.isfunction(client) or isinstance(client, partial) else None
        self._started: tuple[Any, ...] = ()
        self._made = None if self._start is not None else client
        self._run, self._n = uuid4().hex[:12], 0
        self._names: dict[str, str] = {}
        self._open: list[Any] = []
        self._alone_since: float | None = None

    @property
    def _client(self) -> Any:
        """The client, made now if nobody needed it so far."""
        if self._made is None and self._start is not None:
            self._started = self._start()
            self._made = self._started[0]
        return self._made

    @property
    def width(self) -> int:
        """How many workers there are just now."""
        return self._require_scheduler()

    def submit(self, name: str, function: Callable[..., Any], *args: Any) -> Any:
        """Send a task; the scheduler keeps it, and gives it to another worker if one is lost."""
        if self._client.status == "closed":
            raise ClusterError("the client is closed.", "Make another.", code="cluster.closed")
        self._n += 1
        key = f"thresher-{self._run}-{self._n}"
        with warnings.catch_warnings():
            # A state is sent once in an epoch: it may be large.
            warnings.filterwarnings("ignore", "Sending large graph")
            if any(hasattr(arg, "__dask_graph__") for arg in args):
                # As one graph, so that data which a task needs is not kept after it.
                task = _delayed(told_alone)(function, *args, dask_key_name=key)
                future = self._client.compute(task, retries=RETRIES)
            else:
                how = {"key": key, "pure": False, "retries": RETRIES}
                future = self._client.submit(told_alone, function, *args, **how)
        self._names[key] = name
        self._open.append(future)
        return future

    def gather(self, tasks: Sequence[Any], seconds: float) -> Iterator[tuple[int, Any]]:
        """The results as they come; an error where one fails for good, or time or workers end."""
        until = monotonic() + seconds
        done: SimpleQueue[int] = SimpleQueue()
        waiting = dict(enumerate(tasks))
        for place, task in waiting.items():
            task.add_done_callback(lambda _, place=place: done.put(place))
        try:
            while waiting:
                try:
                    place = done.get(timeout=max(0.0, min(_LOOK, until - monotonic())))
                    found = self._result(waiting[place], until, seconds)
                except (Empty, TimeoutError):
                    self._check(waiting, until, seconds)
                    continue
                del waiting[place]
                # Whoever sends results lives.
                self._alone_since = None
                yield place, found
        finally:
            self._forget()

    def close(self) -> None:
        """Take back what is not done, and end what was started here.

        An interrupt waits for it: somebody who presses Ctrl-C twice is served sooner by workers
        that end than by a traceback, and workers that are left behind are nobody's wish.
        """
        self._forget()
        if self._started:
            with interrupts_wait():
                for one in self._started:
                    one.close(timeout=self._patience)

    def _forget(self) -> None:
        """Take back what was handed in, results and what tasks needed included.

        The scheduler is told, and not waited for: it may hang.
        """
        for future in self._open:
            future.release()
        self._open, self._names = [], {}

    def _result(self, task: Any, until: float, seconds: float) -> Any:
        """The result of a task that is done; it is fetched again if its worker is lost now."""
        name = self._names.get(task.key, task.key)
        while True:
            status = task.status
            if status == "cancelled":
                self._require_scheduler()
                raise ClusterError(f"{name}: the scheduler took it back.", code="cluster.cancelled")
            if status == "error":
                error = task.exception(timeout=self._patience)
                raise self._failed(name, error) from error
            try:
                # Where its worker is lost with the result, another computes it again.
                return task.result(timeout=_LOOK)
            except TimeoutError:
                self._check({0: task}, until, seconds)

    def _failed(self, name: str, error: BaseException) -> Exception:
        if type(error).__name__ == "KilledWorker":
            return ClusterError(
                f"{name}: the workers that had it were lost, one after another.",
                "Perhaps their memory does not suffice: more shards make each smaller.",
                code="cluster.killed",
            )
        return failed(name, error)

    def _check(self, waiting: dict[int, Any], until: float, seconds: float) -> None:
        """Raise if time is up, the scheduler is gone, or there has been no worker for long."""
        if monotonic() >= until:
            raise late([self._names.get(task.key, task.key) for task in waiting.values()], seconds)
        if self._require_scheduler():
            self._alone_since = None
            return
        now = monotonic()
        self._alone_since = self._alone_since or now
        if now - self._alone_since >= self._patience:
            raise ClusterError(
                f"there has been no worker for {self._patience:g} seconds, and "
                f"{len(waiting)} tasks wait for one, the first: "
                f"{self._names.get(next(iter(waiting.values())).key)}.",
                "Start workers. What earlier epochs have learned is kept where it was to be "
                "saved: resume= goes on from there.",
                code="cluster.no_workers",
            )

    def _require_scheduler(self) -> int:
        """How many workers there are; an error if nobody can tell."""
        try:
            if self._client.status == "running":
                # Without a limit, a scheduler that hangs would be waited for.
                found = self._client.sync(
                    self._client.scheduler.ncores, callback_timeout=self._patience
                )
                return len(found)
        except (OSError, TimeoutError):
            pass
        raise ClusterError(
            "the scheduler does not answer any more.",
            "What earlier epochs have learned is kept where it was to be saved: resume= goes on "
            "from there.",
            code="cluster.no_scheduler",
        )


def told_alone(function: Callable[..., Any], *args: Any) -> Any:
    """What a function returns; an error of ours goes without those that it came from.

    A worker logs an error with its causes and sends them. Causes are errors of other packages: some
    have a signed address in them, and some cannot be sent at all.
    """
    try:
        return function(*args)
    except ThresherError as error:
        found = error
    found.__cause__ = found.__context__ = None
    raise found.with_traceback(None)


def connected(address: str, *, patience: float = PATIENCE) -> DaskEngine:
    """The engine for an address, ``"auto"``, or ``"local:N"``, which starts N workers here.

    >>> connected("local:none")
    Traceback (most recent call last):
    thresher.errors.ParameterError: cluster: address must be 'local:N' with at least one worker, \
'auto', or where a scheduler listens, such as 'tcp://10.0.0.5:8786', found 'local:none'.
    """
    given = address
    kind, _, count = address.partition(":")
    if kind == "local" and not (count.isascii() and count.isdigit() and 1 <= int(count) <= 1024):
        raise ParameterError("cluster", "address", _ADDRESSES, address)
    if kind == "local":
        _require_memory(int(count))
    if address == "auto":
        address = os.environ.get(VARIABLE, "")
        if not address:
            raise ClusterError(
                f"the variable {VARIABLE} is not set, so that there is no address of a cluster.",
                "Name one: 'local:2' starts two workers here.",
                code="cluster.no_address",
            )
    if kind != "local" and "://" not in address:
        told = f"{VARIABLE} has it." if given == "auto" else ""
        raise ParameterError("cluster", "address", _ADDRESSES, address, told)
    start = partial(_local, int(count)) if kind == "local" else partial(_remote, address, patience)
    return DaskEngine(start, patience=patience, elsewhere=kind != "local")


def _delayed(function: Callable[..., Any]) -> Any:
    """A function whose arguments may be parts of Dask collections."""
    from dask import delayed  # noqa: PLC0415  (whoever has a collection has it)

    return delayed(function, pure=False)


def _packages() -> tuple[Any, Any]:
    try:
        import dask  # noqa: PLC0415  (optional, and slow to import)
        import distributed  # noqa: PLC0415
    except ImportError as error:
        raise MissingPackageError("a cluster", "distributed", "dask") from error
    return dask, distributed


def _remote(address: str, patience: float) -> tuple[Any, ...]:
    """A client of a scheduler that others have started."""
    _, distributed = _packages()
    try:
        return (_within(patience, partial(_client_of, distributed, address, patience)),)
    except ThresherError:
        raise
    except Exception as error:
        # Who is no scheduler may answer anything, and be misunderstood in any way.
        raise ClusterError(
            f"{address}: no scheduler answers there ({str(error) or type(error).__name__}).",
            code="cluster.unreachable",
            address=address,
        ) from error


def _client_of(distributed: Any, address: str, patience: float) -> Any:
    return distributed.Client(address, timeout=patience, set_as_default=False)


def _within(seconds: float, function: Callable[[], Any]) -> Any:
    """What a function returns, if it does so in time; Dask waits without end for a first word."""
    found: Future[Any] = Future()

    def work() -> None:
        try:
            found.set_result(function())
        except BaseException as error:
            found.set_exception(error)

    # Twice as long as Dask is given: it knows more about what is wrong.
    Thread(target=work, daemon=True).start()
    try:
        return found.result(timeout=2 * seconds)
    except FutureTimeout:
        raise TimeoutError(f"not a word within {2 * seconds:g} seconds") from None


_ADDRESSES = (
    "'local:N' with at least one worker, 'auto', or where a scheduler listens, such as "
    "'tcp://10.0.0.5:8786'"
)


def _local(n_workers: int) -> tuple[Any, ...]:
    """A client of workers that are processes of this machine, heard on loopback alone."""
    dask, distributed = _packages()
    # By default a cluster gives a worker up for good that is being started again, a second time,
    # just when it looks: a quarter of a minute after it was lost for the first time.
    patient = dask.config.set({"distributed.deploy.lost-worker-timeout": "1 day"})
    before = set(active_children())
    # Ctrl-C goes to workers, too, which would die of it before they know to leave it to others.
    with interrupts_wait():
        try:
            # Dask waits without end for a worker that hangs before its first word.
            client, cluster = _within(
                STARTING + n_workers, partial(_started_here, distributed, n_workers)
            )
        except Exception as error:
            for process in set(active_children()) - before:
                process.kill()
            patient.__exit__(None, None, None)
            raise ClusterError(
                f"no workers could be started here ({type(error).__name__}: {error}).",
                "Perhaps a setting of Dask's is in the way: its variables begin with DASK_.",
                code="cluster.not_started",
            ) from error
    return client, cluster, _Restored(patient)


def _started_here(distributed: Any, n_workers: int) -> tuple[Any, Any]:
    cluster = distributed.LocalCluster(
        n_workers=n_workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        worker_dashboard_address="127.0.0.1:0",
        silence_logs="CRITICAL",
        preload=["thresher.cluster.worker_setup"],
    )
    return distributed.Client(cluster, set_as_default=False), cluster


def _require_memory(n_workers: int) -> None:
    """Refuse more workers than go into memory: the system would end others for them."""
    free = free_memory()
    if free and n_workers * WORKER > free:
        raise ClusterError(
            f"{n_workers} workers take about {n_workers * WORKER / 1e9:.1f} GB of memory before "
            f"they have read anything, and {free / 1e9:.1f} GB are free.",
            "Ask for fewer: as many as there are cores is usual.",
            code="cluster.too_many_workers",
        )


class _Restored:
    """A setting that is put back when the engine is closed."""

    def __init__(self, setting: Any) -> None:
        self._setting = setting

    def close(self, timeout: float) -> None:
        """Put it back."""
        del timeout
        self._setting.__exit__(None, None, None)
