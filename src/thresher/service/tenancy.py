"""Tenancy: which models of a shared store this process serves, and where the others are.

Every second, through the writer, an instance says that it is alive and takes what nobody has.
A model that is taken is brought back from its log before anybody can ask for it; one whose
connection was lost meanwhile learns on only if its log is where it left it.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

from thresher.errors import ServiceError, ThresherError
from thresher.service.recovery import recovered
from thresher.service.served_model import ServedModel

if TYPE_CHECKING:
    from thresher.service.live_models import LiveModels
    from thresher.service.store import StoredModel
    from thresher.service.tenant import Claim, Tenant

#: Seconds between two looks at whose the models are.
BEAT = 1.0


class Tenancy:
    """Keeps the models of a process in step with what it owns; everything in one thread."""

    def __init__(self, models: LiveModels) -> None:
        self._models = models
        self._elsewhere: dict[str, str] = {}
        #: What was taken last, by number: in which session, and the last number of the log.
        self._taken: dict[int, tuple[int, int]] = {}
        self._coming: dict[int, asyncio.Task[None]] = {}
        self._beat: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Take what nobody has, bring it back, and go on doing so."""
        await self._claim()
        for task in list(self._coming.values()):
            await task
        self._beat = asyncio.create_task(self._beating())

    async def end(self) -> None:
        """Take nothing more."""
        tasks = [*self._coming.values(), *([self._beat] if self._beat else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def require_here(self, name: str) -> None:
        """Say where a model is that is not served here."""
        if any(not task.done() and task.get_name() == name for task in self._coming.values()):
            raise _not_ready(name)
        try:
            # Models come and go between two beats.
            address = self._looked_up(name)
        except ServiceError:
            address = self._elsewhere.get(name)
            if address is None:
                raise
        if address is None:
            return
        if address == self._tenant.address:
            # It is ours, and not yet at work.
            raise _not_ready(name)
        raise elsewhere(name, address)

    def _looked_up(self, name: str) -> str | None:
        """Where a model is now."""
        row = self._models.store.reading.execute(
            "SELECT coalesce(i.address, '') FROM models m LEFT JOIN owners o ON o.model = m.number"
            " LEFT JOIN instances i ON i.number = o.instance WHERE m.name = ?",
            (name,),
        ).fetchone()
        return None if row is None else str(row[0])

    async def _beating(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            try:
                await self._claim()
            except ServiceError:
                # The service says so to whoever writes; it is tried again.
                continue
            except Exception as error:
                self._models.remark(f"the database: {type(error).__name__}: {error}")

    async def _claim(self) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def told(claim: Claim, error: Exception | None) -> None:
            if error is None:
                self._settle(claim)
            if not done.done():
                if error is None:
                    done.set_result(None)
                else:
                    done.set_exception(error)

        self._models.submit(_claimed, told)
        await done

    def _settle(self, claim: Claim) -> None:
        """In the order of commits: serve what is ours, and nothing else."""
        models, tenant = self._models, self._tenant
        self._elsewhere = claim.elsewhere
        for served in list(models):
            if served.stored.number not in claim.mine:
                self._step_down(served)
        for number in [*self._taken]:
            if number not in claim.mine:
                del self._taken[number]
        # One that was made, and then failed to come to work: as if it were taken at the next beat.
        for number in claim.mine - {one.stored.number for one in models} - {*self._coming}:
            tenant.confirm(number, 0)
        for stored, last in claim.taken:
            self._taken[stored.number] = claim.instance, last
            served_now = models.here(stored.name)
            if served_now is not None and served_now.stored.number == stored.number:
                if served_now.live.sequence == last and not (served_now.stuck or served_now.gone):
                    tenant.confirm(stored.number, claim.instance)
                    continue
                # It goes on predicting until the new one is there.
                served_now.gone = True
            if stored.number not in self._coming:
                task = asyncio.create_task(self._bring_back(stored), name=stored.name)
                task.add_done_callback(partial(self._came, stored.number))
                self._coming[stored.number] = task

    def _came(self, number: int, task: asyncio.Task[None]) -> None:
        self._coming.pop(number, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._models.remark(f"{task.get_name()!r} was not brought back: {error!r}")

    def _step_down(self, served: ServedModel) -> None:
        served.gone = True
        served.ended()
        self._models.drop(served)

    async def _bring_back(self, stored: StoredModel) -> None:
        """Replay the log of a model that was taken, and serve it."""
        models, number = self._models, stored.number
        while (claim := self._taken.get(number)) is not None:
            try:
                served = await asyncio.to_thread(self._recovered, stored)
            except ThresherError as error:
                if not models.ready:
                    raise
                models.remark(f"{stored.name!r} cannot be brought back: {error}")
                await asyncio.sleep(BEAT)
                continue
            if self._taken.get(number) == claim and served.live.sequence == claim[1]:
                before = models.here(stored.name)
                if before is not None:
                    before.ended()
                self._tenant.confirm(number, claim[0])
                models.add(served)
                if models.ready:
                    models.remark(f"took over {stored.name!r} at number {claim[1]}.")
                return

    def _recovered(self, stored: StoredModel) -> ServedModel:
        store = self._models.store
        found = recovered(store, stored, self._models.remark)
        store.base.recall(stored.number)
        return ServedModel(store, stored, found.live, found.known)

    @property
    def _tenant(self) -> Tenant:
        tenant: Tenant = self._models.store.writing
        return tenant


def _claimed(db: Any) -> Claim:
    claim: Claim = db.claimed()
    return claim


def _not_ready(name: str) -> ServiceError:
    return ServiceError(f"{name!r} is being brought back.", code="service.not_ready")


def elsewhere(name: str, address: str) -> ServiceError:
    """The answer to what is asked of the wrong instance."""
    return ServiceError(
        f"{name!r} is served by another instance{f', at {address}' if address else ''}.",
        "Ask there.",
        code="service.elsewhere",
        name=name,
        address=address,
    )
