"""Who may talk to the lab: pages of this machine that know the token in its address.

Assumes: other users of this machine cannot read the address, which is printed once, and the
browser keeps the pages of other addresses apart.

Promises: a request without the token, or for another host, gets nothing but a short refusal; a
page of the lab can load nothing from elsewhere and send nothing elsewhere.

Does not promise: anything against whoever runs programs as the same user.
"""

from __future__ import annotations

import hmac

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOSTS = ("127.0.0.1", "localhost")
#: Everything from here, nothing from elsewhere; no inline script or style. The page draws with
#: elements, and sets styles by script, which the policy allows.
POLICY = "; ".join(
    (
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "font-src 'self'",
        "img-src 'self' data:", "connect-src 'self'", "base-uri 'none'", "form-action 'none'",
        "frame-ancestors 'none'",
    )
)  # fmt: skip
#: A file to be kept is not a page of the lab: whoever shows it here nevertheless can run nothing.
DOWNLOAD_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'"
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    # The address holds the token.
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


class Guard:
    """Lets through what has the token as the first part of its path, and names this machine."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check, then pass on without the token."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    # A download has a policy of its own, which is stricter.
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, guarded)
            return
        rest = "/" + scope["path"].split("/", 2)[2]
        inner = {**scope, "path": rest, "raw_path": rest.encode()}
        await self.app(inner, receive, guarded)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        # A page elsewhere may have a name that leads here; it cannot choose this header.
        if _host(headers.get("host", "")) not in HOSTS:
            return PlainTextResponse("The lab answers to 127.0.0.1 alone.\n", 421)
        # The page's own origin to the letter: another port of this machine is another page.
        if headers.get("origin", own := f"http://{headers['host']}") != own:
            return PlainTextResponse("The lab answers its own pages alone.\n", 403)
        parts = scope["path"].split("/", 2)
        given = parts[1] if len(parts) == 3 else ""
        if not hmac.compare_digest(given.encode(), self._token.encode()):
            return PlainTextResponse(
                "This is not the address that `thresher lab` printed: the token is missing or "
                "of another run.\n",
                403,
            )
        return None


def _host(header: str) -> str:
    """The name in a Host header, without its port."""
    name, colon, port = header.rpartition(":")
    return name if colon and port.isdigit() else header
