"""On which side of the tab a line of text has its label: before it, as is usual, or behind it."""

from __future__ import annotations

#: Fewer lines show no order.
FEWEST_LINES = 6
#: A label is no longer, in bytes.
LONGEST_LABEL = 40


def label_is_last(lines: list[bytes]) -> bool | None:
    """Whether lines are a text, a tab and a label, beyond doubt; None where nobody can tell.

    On the side of the texts nearly all differ, and most have several words; on the side of the
    labels none has two words, and each comes several times.

    >>> mail = [b"see you at 12", b"free cash", b"no one came", b"late again", b"ok", b"cash now"]
    >>> kinds = [b"ham", b"spam", b"ham", b"ham", b"ham", b"spam"]
    >>> label_is_last([b"%s\\t%s" % line for line in zip(mail, kinds)])
    True
    >>> label_is_last([b"%s\\t%s" % line for line in zip(kinds, mail)])
    False
    >>> label_is_last([b"%s\\t%s" % line for line in zip(mail, mail)])
    """
    cells = [line.rstrip(b"\r").rpartition(b"\t") for line in lines]
    last = _texts_and_labels([cell[0] for cell in cells], [cell[2] for cell in cells])
    cells = [line.rstrip(b"\r").partition(b"\t") for line in lines]
    first = _texts_and_labels([cell[2] for cell in cells], [cell[0] for cell in cells])
    return None if last == first else last


def _texts_and_labels(texts: list[bytes], labels: list[bytes]) -> bool:
    n = len(texts)
    if n < FEWEST_LINES or not all(labels):
        return False
    if any(b" " in label.strip() or len(label) > LONGEST_LABEL for label in labels):
        return False
    several = sum(b" " in text.strip() for text in texts)
    return len({*labels}) * 3 <= n and len({*texts}) * 10 >= n * 8 and several * 2 > n


def label_first(block: bytes) -> bytes:
    """Lines of a text, a tab and a label, with the label first; a line without a tab stays.

    Its own inverse is `label_behind`.

    >>> label_first(b"see you\\tham\\r\\nno tab\\na\\tb\\tspam\\n")
    b'ham\\tsee you\\nno tab\\nspam\\ta\\tb\\n'
    """
    return b"\n".join(map(_turned, block.split(b"\n")))


def _turned(line: bytes) -> bytes:
    text, tab, label = line.removesuffix(b"\r").rpartition(b"\t")
    return label + tab + text


def label_behind(line: bytes) -> bytes:
    """A line that `label_first` turned, as it was.

    >>> label_behind(b"spam\\ta\\tb")
    b'a\\tb\\tspam'
    """
    label, tab, text = line.partition(b"\t")
    return text + tab + label if tab else line
