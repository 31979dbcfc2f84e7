"""Errors of the learning service and of its store."""

from __future__ import annotations

from typing import Any

from thresher.errors.error import ThresherError


class StoreError(ThresherError):
    """A folder that cannot be, or can no longer be, the store of a service."""

    code = "store"


class ServiceError(ThresherError):
    """A request that the service refuses; the code says for which reason.

    >>> ServiceError("there is no model 'mail'.", code="service.no_model", name="mail").status
    404
    """

    code = "service"

    @property
    def status(self) -> int:
        """The status of the answer, by the code."""
        return STATUS.get(self.code, 422)


#: What the codes of `ServiceError` mean to HTTP; 422 unless they are here.
STATUS: dict[str, int] = {
    "service.malformed": 400,
    "service.no_token": 401,
    "service.role": 403,
    "service.no_model": 404,
    "service.no_page": 404,
    "service.no_prediction": 404,
    "service.method": 405,
    "service.slow": 408,
    "service.exists": 409,
    "service.id_used": 409,
    "service.no_shadow": 409,
    "service.not_kept": 409,
    "service.changed": 412,
    "service.too_large": 413,
    "service.content_type": 415,
    "service.diverged": 409,
    "service.elsewhere": 421,
    "service.follower": 421,
    "service.host": 421,
    "service.rate": 429,
    "service.leader": 503,
    "service.not_ready": 503,
    "service.busy": 503,
    "service.behind": 503,
    "service.stopping": 503,
    "service.stuck": 503,
    "service.read_only": 503,
    "service.unknown": 503,
    "service.unreachable": 503,
    "service.full": 507,
}


def of_status(status: int, what: str, **fields: Any) -> ServiceError:
    """The error for a status that was decided elsewhere, such as by the router."""
    code = {404: "service.no_page", 405: "service.method"}.get(status, "service.malformed")
    return ServiceError(what, code=code, **fields)
