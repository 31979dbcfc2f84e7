"""Names and texts of others, as pages show them: escaped, on one line, and not too long."""

from __future__ import annotations

from html import escape

#: Characters of a name that are shown; of a longer one than `LONG` it is said how many it has.
MOST, LONG = 80, 200


def plain(text: object, most: int = MOST) -> str:
    r"""A text on one line, cut with its length said; what cannot be printed is written out.

    Marks that change the direction of reading, control characters and halves of surrogate pairs
    are such; a backslash is doubled, so that nothing passes for them.

    >>> plain("free cash"), plain("a\u202eb\x00\ud800"), plain("x" * 1000, 5), plain("x" * 9, 5)
    ('free cash', 'a\\u202eb\\x00\\ud800', 'xxxxx… (1,000 characters)', 'xxxxx…')
    """
    whole = str(text)
    head = whole[:most]
    if not head.isprintable() or "\\" in head:
        head = "".join(
            c if c.isprintable() and c != "\\" else c.encode("unicode_escape").decode()
            for c in head
        )
    if len(whole) <= most:
        return head
    return f"{head}…" if len(whole) <= LONG else f"{head}… ({len(whole):,} characters)"


def shown(text: object, most: int = MOST) -> str:
    """A text as HTML and SVG take it, whatever is in it.

    >>> shown('<b>"odor"</b>')
    '&lt;b&gt;&quot;odor&quot;&lt;/b&gt;'
    """
    return escape(plain(text, most))
