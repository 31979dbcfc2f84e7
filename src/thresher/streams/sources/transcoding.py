"""Text in any encoding as UTF-8, which is all that the scanners read."""

from __future__ import annotations

import codecs

from thresher.errors import ParameterError

#: What a byte that is none of the encoding becomes: a byte that is none of UTF-8, so that the line
#: it stands in is a bad one.
_NEVER_UTF_8 = "\udcff"


def known_encoding(name: object) -> str:
    """The name by which Python knows an encoding of text.

    >>> known_encoding("Latin1"), known_encoding("cp1252")
    ('iso8859-1', 'cp1252')
    >>> known_encoding("utf-9")
    Traceback (most recent call last):
    thresher.errors.ParameterError: Recipe: encoding must be the name of an encoding of text, \
such as 'latin-1', 'cp1252' or 'utf-16', found 'utf-9'.
    """
    try:
        found = codecs.lookup(name) if isinstance(name, str) else None
        if found is not None and isinstance(found.incrementaldecoder("strict").decode(b""), str):
            return found.name
    except (LookupError, TypeError, ValueError, AttributeError):
        pass
    must = "the name of an encoding of text, such as 'latin-1', 'cp1252' or 'utf-16'"
    raise ParameterError("Recipe", "encoding", must, name)


class Transcoder:
    """Takes a text piece by piece, wherever it is cut, and gives it back in UTF-8.

    >>> transcoder = Transcoder("utf-16-le")
    >>> transcoder.take(b"c\\0a"), transcoder.take(b"f\\0\\xe9\\0"[1:]), transcoder.take(b"")
    (b'c', b'a\\xc3\\xa9', b'')
    """

    def __init__(self, encoding: str) -> None:
        self._decoder = codecs.getincrementaldecoder(encoding)(_MARKED)

    def take(self, data: bytes) -> bytes:
        """What can be told with this piece; nothing is the last piece."""
        return self._decoder.decode(data, not data).encode("utf-8", "surrogateescape")


_MARKED = "thresher-marked"


def _marked(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return _NEVER_UTF_8, error.end


codecs.register_error(_MARKED, _marked)
