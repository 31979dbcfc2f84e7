"""The service's application: which address does what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Route

from thresher.errors import ThresherError
from thresher.service.guard import AccessLog, Guard
from thresher.service.live_models import LiveModels
from thresher.service.problems import LastResort, refused
from thresher.service.routes import changes, events, evidence, rows, status
from thresher.service.routes import models as models_
from thresher.service.tokens import Tokens


def build_app(
    models: Callable[[], LiveModels],
    tokens: Callable[[], Tokens | None] = lambda: None,
    log: AccessLog = lambda *_: None,
    remark: Callable[[str], None] = lambda text: None,
    lifespan: Any = None,
) -> Starlette:
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
    model = "/v1/models/{name}"
    app = Starlette(
        routes=[
            Route(f"{model}/predict", rows.predict, methods=["POST"]),
            Route(f"{model}/learn", rows.learn, methods=["POST"]),
            Route(f"{model}/predict-learn", rows.predict_learn, methods=["POST"]),
            Route(f"{model}/labels", rows.labels, methods=["POST"]),
            Route(f"{model}/explain", rows.explain, methods=["POST"]),
            Route(f"{model}/events", events.events),
            Route(f"{model}/certificate", evidence.certificate),
            Route(f"{model}/journal", evidence.journal),
            Route(f"{model}/report", evidence.report),
            Route(f"{model}/file", evidence.model_file),
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
        middleware=[
            Middleware(LastResort, remark=remark),
            Middleware(Guard, models=models, tokens=tokens, log=log),
        ],
        exception_handlers={ThresherError: refused, HTTPException: refused},
        lifespan=lifespan,
    )
    app.state.models = models
    return app
