"""Names and texts of others, as pages show them: escaped, on one line, and not too long."""

from __future__ import annotations

from html import escape

#: Characters of a name that are shown.
MOST = 80


def plain(text: object, most: int = MOST) -> str:
    r"""A text on one line, cut with its length said; what cannot be printed is written out.

    Marks that change the direction of reading, control characters and halves of surrogate pairs
    are such; a backslash is doubled, so that nothing passes for them.

    >>> plain("free cash"), plain("a\u202eb\x00\ud800"), plain("x" * 100, 5)
    ('free cash', 'a\\u202eb\\x00\\ud800', 'xxxxx… (100 characters)')
    """
    whole = str(text)
    head = whole[:most]
    if not head.isprintable() or "\\" in head:
        head = "".join(
            c if c.isprintable() and c != "\\" else c.encode("unicode_escape").decode()
            for c in head
        )
    return head if len(whole) <= most else f"{head}… ({len(whole):,} characters)"


def shown(text: object, most: int = MOST) -> str:
    """A text as HTML and SVG take it, whatever is in it.

    >>> shown('<b>"odor"</b>')
    '&lt;b&gt;&quot;odor&quot;&lt;/b&gt;'
    """
    return escape(plain(text, most))
