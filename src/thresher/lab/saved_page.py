"""A page that opens from disk: the lab's own script, with a recorded run or race inside."""

from __future__ import annotations

import re
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
<style>{style}</style>
</head>
<body>
<div id="lab"></div>
<script type="application/json" id="recorded">{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def saved_page(title: str, data: dict[str, Any]) -> str:
    """The page with `data` in it; it loads nothing and sends nothing."""
    static = files("thresher.lab") / "static"
    # A script ends at this tag wherever it stands, within a string as well.
    script = (static / "lab.js").read_text("utf-8").replace("</script", "<\\/script")
    # The font stays behind: the page is read in that of the machine it is read on.
    style = re.sub(r"@font-face\{[^}]*\}", "", (static / "lab.css").read_text("utf-8"))
    policy = (
        f"default-src 'none'; script-src {_digest(script)}; style-src {_digest(style)}; "
        "base-uri 'none'; form-action 'none'"
    )
    return _PAGE.format(
        policy=policy,
        title=escape(f"{title} · thresher lab"),
        # No "<" in the data, whatever features are called: no tag can begin.
        data=msgspec.json.encode(data).decode().replace("<", "\\u003c"),
        script=script,
        style=style,
    )


def _digest(text: str) -> str:
    """What a policy calls an inline text that it allows."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
