"""Changes of a model: snapshots, taken back, swapped, followed by a shadow."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from thresher.service import changes
from thresher.service.bodies import JSON, body_of, type_of
from thresher.service.messages import Change, Rollback, SnapshotInfo, decoded
from thresher.service.problems import reply
from thresher.service.routes.request import for_role, models_of, require_unchanged, served_in
from thresher.service.settings import Settings
from thresher.service.snapshots import take_snapshot


@for_role("read")
async def snapshots(request: Request) -> Response:
    """The snapshots that are kept; a model can go back as far as the oldest."""
    models, served = models_of(request), served_in(request)
    found = [
        SnapshotInfo(sequence, sum(map(models.store.size, one.files.values())))
        for sequence, one in models.store.snapshots(served.stored.number).items()
    ]
    return reply(found)


@for_role("admin")
async def snapshot(request: Request) -> Response:
    """Write the model down now."""
    models_of(request).require_writing()
    return reply(Change(await take_snapshot(models_of(request), served_in(request))), 201)


@for_role("admin")
async def rollback(request: Request) -> Response:
    """Let the model be as it was after some number; numbers go on."""
    models, served = models_of(request), served_in(request)
    type_of(request, JSON)
    asked: Rollback = decoded(await body_of(request, models.limits), Rollback)
    seen = require_unchanged(request, served)
    return reply(Change(await changes.roll_back(models, served, asked.sequence, seen)))


@for_role("admin")
async def swap(request: Request) -> Response:
    """Let the shadow predict, and the model so far be the shadow."""
    served = served_in(request)
    seen = require_unchanged(request, served)
    return reply(Change(await changes.swap(models_of(request), served, seen)))


@for_role("admin")
async def shadow(request: Request) -> Response:
    """Let another learner learn along, to be compared."""
    models, served = models_of(request), served_in(request)
    type_of(request, JSON)
    settings: Settings = decoded(await body_of(request, models.limits), Settings)
    return reply(Change(await changes.follow(models, served, settings)), 201)


@for_role("admin")
async def no_shadow(request: Request) -> Response:
    """Let nobody learn along."""
    return reply(Change(await changes.follow(models_of(request), served_in(request), None)))
