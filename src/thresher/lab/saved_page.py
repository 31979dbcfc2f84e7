"""A page that opens from disk: the lab's own script, with the recorded run inside."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

import msgspec

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="{policy}">
<title>{title}</title>
</head>
<body>
<div id="lab"></div>
<script type="application/json" id="recorded">{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def saved_page(data: dict[str, Any]) -> str:
    """The page with `data` in it; it loads nothing and sends nothing."""
    script = (files("thresher.lab") / "static" / "lab.js").read_text("utf-8")
    # A script ends at this tag wherever it stands, within a string as well.
    script = script.replace("</script", "<\\/script")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    title = data.get("overview", {}).get("title", "Recorded run")
    return _PAGE.format(
        policy=policy,
        title=escape(f"{title} · thresher lab"),
        # No "<" in the data, whatever features are called: no tag can begin.
        data=msgspec.json.encode(data).decode().replace("<", "\\u003c"),
        script=script,
    )
