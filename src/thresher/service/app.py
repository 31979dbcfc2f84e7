"""The service's application: which address does what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from thresher.errors import ThresherError
from thresher.service.guard import AccessLog, Guard
from thresher.service.live_models import LiveModels
from thresher.service.problems import LastResort, problem, problem_reply, refused
from thresher.service.routes import changes, events, evidence, replication, rows, status
from thresher.service.routes import models as models_
from thresher.service.tokens import Tokens


def build_app(
    models: Callable[[], LiveModels],
    tokens: Callable[[], Tokens | None] = lambda: None,
    log: AccessLog = lambda *_: None,
    remark: Callable[[str], None] = lambda text: None,
    lifespan: Any = None,
) -> ASGIApp:
    """The application.

    Parameters
    ----------
    models
        Where the models are; asked for at every request.
    tokens
        Who may ask; None: whoever is on this machine.
    log, remark
        Who hears of requests, and of what an operator should know.
    lifespan
        What happens before the first request and after the last one.
    """
    app = routed(models, remark, lifespan)
    return Guard(Doorstep(app, remark), models, tokens, log)


def routed(
    models: Callable[[], LiveModels],
    remark: Callable[[str], None] = lambda text: None,
    lifespan: Any = None,
) -> Starlette:
    """All addresses, with nobody who asks for tokens; see `build_app`."""
    model = "/v1/models/{name}"
    app = Starlette(
        routes=[
            *(Route(f"{model}/{verb}", one, methods=["POST"]) for verb, one in rows.ROWS.items()),
            Route(f"{model}/events", events.events),
            Route(f"{model}/certificate", evidence.certificate),
            Route(f"{model}/journal", evidence.journal),
            Route(f"{model}/report", evidence.report),
            Route(f"{model}/file", evidence.model_file),
            Route(f"{model}/log", replication.log),
            Route(f"{model}/snapshots/newest", replication.newest),
            Route(f"{model}/snapshots", changes.snapshots),
            Route(f"{model}/snapshots", changes.snapshot, methods=["POST"]),
            Route(f"{model}/rollback", changes.rollback, methods=["POST"]),
            Route(f"{model}/swap", changes.swap, methods=["POST"]),
            Route(f"{model}/shadow", changes.shadow, methods=["PUT"]),
            Route(f"{model}/shadow", changes.no_shadow, methods=["DELETE"]),
            Route("/healthz", status.healthz),
            Route("/readyz", status.readyz),
            Route("/metrics", status.metrics),
            Route("/openapi.json", status.openapi),
            Route("/", status.openapi_page),
            Route("/v1/models", status.listed),
            Route(model, models_.put_model, methods=["PUT"]),
            Route(model, models_.get_model),
            Route(model, models_.delete_model, methods=["DELETE"]),
        ],
        middleware=[Middleware(LastResort, remark=remark)],
        exception_handlers={ThresherError: refused, HTTPException: refused},
        lifespan=lifespan,
    )
    app.state.models = models
    return app


class Doorstep:
    """Takes rows, which come most often, straight to who answers them; all else is routed."""

    def __init__(self, app: Starlette, remark: Callable[[str], None]) -> None:
        self._app, self._remark = app, remark

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on."""
        handler = None
        if scope["type"] == "http" and scope["method"] == "POST":
            # Nothing, v1, models, the name, what is asked.
            _, *found = scope["path"].split("/")
            if len(found) == 4 and found[:2] == ["v1", "models"] and found[2]:
                handler = rows.ROWS.get(found[3])
        if handler is None:
            await self._app(scope, receive, send)
            return
        scope.update(endpoint=handler, path_params={"name": found[2]}, app=self._app)
        try:
            answer = await handler(Request(scope, receive))
        except (ThresherError, HTTPException) as error:
            answer = problem_reply(problem(error))
        except Exception as error:
            self._remark(f"{scope['path']}: {type(error).__name__}: {error}")
            answer = problem_reply(problem(error))
        await answer(scope, receive, send)
