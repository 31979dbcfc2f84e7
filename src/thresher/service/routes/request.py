"""What all requests have: a role, a model, conditions, a number to wait for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps

from starlette.requests import Request
from starlette.responses import Response

from thresher.errors import ServiceError
from thresher.models.written import whole_number
from thresher.service.live_models import LiveModels
from thresher.service.served_model import ServedModel

Handler = Callable[[Request], Awaitable[Response]]


def for_role(role: str) -> Callable[[Handler], Handler]:
    """A handler that takes a token with this role."""

    def made(handler: Handler) -> Handler:
        @wraps(handler)
        async def checked(request: Request) -> Response:
            request.scope["bearer"].require(role)
            return await handler(request)

        return checked

    return made


def models_of(request: Request) -> LiveModels:
    """All models."""
    found: LiveModels = request.app.state.models()
    return found


def served_in(request: Request) -> ServedModel:
    """The model that the address names."""
    return models_of(request)[request.path_params["name"]]


def require_unchanged(request: Request, served: ServedModel | None) -> int | None:
    """The number that a model must still be at when it is changed, by If-Match; None: any.

    A model that is not the one that was seen is refused at once; what happens to it until the
    change is committed is compared there.
    """
    wanted = request.headers.get("if-match")
    if wanted is not None and (
        served is None or (wanted != "*" and served.etag not in wanted.replace(" ", "").split(","))
    ):
        found = "there is none" if served is None else f"it is {served.etag}"
        raise ServiceError(
            f"the model is not {wanted[:60]}: {found}.",
            "Look at it again, then decide.",
            code="service.changed",
        )
    if served is not None and request.headers.get("if-none-match") == "*":
        raise ServiceError("there is a model of this name already.", code="service.changed")
    return None if wanted in (None, "*") or served is None else served.live.sequence


async def reach(request: Request, served: ServedModel) -> None:
    """Wait for the number that `at_least` names."""
    # Most have no query, and are not asked twice.
    text = request.query_params.get("at_least") if request.scope["query_string"] else None
    if text is None:
        return
    wanted = whole_number(text)
    if wanted is None or wanted < 0:
        raise ServiceError(f"at_least={text[:40]} is not a number of events.")
    await served.reached(wanted, models_of(request).limits.reach_seconds)
