"""Paths that are addresses: of files on other machines, or of this one (``file://``)."""

from __future__ import annotations

import os
import re

#: A protocol, and who asks, if that is said. One letter is a drive: ``C://``.
ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://(?:([^/?#]*)@)?")
_WEB = ("http://", "https://")
_HERE = re.compile(r"file://(?:localhost)?(?=/)", re.IGNORECASE)
#: An address of the web, also behind another protocol (``zip://a.svm::https://host/a.zip``).
_SIGNED = re.compile(r"(https?://[^?#]*)[?#].*", re.IGNORECASE | re.DOTALL)


def is_remote(path: str) -> bool:
    """Whether a path is the address of a file on another machine.

    >>> is_remote("s3://bucket/day.svm"), is_remote("day.svm"), is_remote("C:/day.svm")
    (True, False, False)
    """
    found = ADDRESS.match(path)
    return found is not None and found[1].lower() != "file"


def on_the_web(path: str) -> bool:
    """Whether a path is an address of the web, where a ``?`` begins what is asked for."""
    return path.lower().startswith(_WEB)


def shown(path: str) -> str:
    """A path as it may be written down: without what signs an address, or stands behind a ``#``.

    >>> shown("https://host/day.svm.gz?X-Signature=8a3"), shown("what?.svm")
    ('https://host/day.svm.gz', 'what?.svm')
    """
    return _SIGNED.sub(r"\1", path)


def absolute(path: str) -> str:
    """A path that means the same in every folder; an address does already.

    >>> absolute("s3://bucket/day.svm"), os.path.isabs(absolute("day.svm"))
    ('s3://bucket/day.svm', True)
    """
    return path if is_remote(path) else os.path.abspath(path)


def plain(path: str) -> str:
    """The path of a file of this machine whose address is given; a pattern stays one.

    Of ``file://day.svm`` the name would be that of a machine: it is left as it is, and not found.

    >>> plain("file:///data/day%201.svm"), plain("file:///data/?.svm"), plain("file://day.svm")
    ('/data/day 1.svm', '/data/?.svm', 'file://day.svm')
    """
    found = _HERE.match(path)
    if found is None:
        return path
    # Imported here: few write such addresses.
    from urllib.request import url2pathname  # noqa: PLC0415

    # A question mark is a sign of a pattern here; newer Pythons would cut a query off.
    return url2pathname(path[found.end() :].replace("?", "%3F").replace("#", "%23"))
