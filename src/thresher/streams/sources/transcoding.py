"""Text in any encoding as UTF-8, which is all that the scanners read."""

from __future__ import annotations

import codecs

from thresher.errors import ParameterError, SourceError

#: What a byte that is none of the encoding becomes: a byte that is none of UTF-8, so that the line
#: it stands in is a bad one.
_NEVER_UTF_8 = "\udcff"
#: What decoders are told to do with such bytes.
_MARKED = "thresher-marked"


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
        # Those for names of hosts (idna, punycode) let nobody say what becomes of bad bytes.
        found = codecs.lookup(name) if isinstance(name, str) else None
        if found is not None and isinstance(found.incrementaldecoder(_MARKED).decode(b""), str):
            return found.name
    except (LookupError, TypeError, ValueError, AttributeError, AssertionError):
        pass
    must = "the name of an encoding of text, such as 'latin-1', 'cp1252' or 'utf-16'"
    raise ParameterError("Recipe", "encoding", must, name)


class Transcoder:
    """Takes a text piece by piece, wherever it is cut, and gives it back in UTF-8.

    >>> transcoder = Transcoder("utf-16-le")
    >>> transcoder.take(b"c\\0a"), transcoder.take(b"f\\0\\xe9\\0"[1:]), transcoder.take(b"")
    (b'c', b'a\\xc3\\xa9', b'')
    """

    def __init__(self, encoding: str, file: str = "") -> None:
        self._decoder = codecs.getincrementaldecoder(encoding)(_MARKED)
        self._encoding, self._file = encoding, file

    def take(self, data: bytes) -> bytes:
        """What can be told with this piece; nothing is the last piece."""
        try:
            text = self._decoder.decode(data, not data)
        except UnicodeError:
            raise _without_mark(self._file, self._encoding) from None
        return text.encode("utf-8", _MARKED)


def _without_mark(file: str, encoding: str) -> SourceError:
    """What to say where UTF-16 or UTF-32 has no mark: the one fault that is not of some bytes."""
    return SourceError(
        file,
        f"this is not {encoding}, which begins with a byte order mark",
        f"Name the encoding it has: Recipe(encoding='utf-8'), or '{encoding}-le' or "
        f"'{encoding}-be' if there is no mark.",
        code="source.byte_order",
        encoding=encoding,
    )


def _marked(error: UnicodeError) -> tuple[str | bytes, int]:
    if isinstance(error, UnicodeEncodeError):
        # Half a character, of ours or such as UTF-7 can spell.
        return b"\xff", error.end
    assert isinstance(error, UnicodeDecodeError)
    return _NEVER_UTF_8, error.end


codecs.register_error(_MARKED, _marked)
