"""The first line of a file of texts, where it names the two columns and is no text itself."""

from __future__ import annotations

#: What the column of labels is called in such a line, in capitals or not; or as the label field.
OF_LABELS = frozenset({"label", "labels", "class", "category", "target", "y"})
#: What the column of texts is called.
OF_TEXTS = frozenset(
    {"text", "texts", "message", "sms", "sentence", "review", "comment", "document", "body"}
)
#: No header has as many bytes.
LONGEST_HEADER = 1 << 10


def names_columns(line: bytes, label_field: str) -> bool:
    """Whether a line is a word for labels, a tab and a word for texts: a header.

    >>> names_columns(b"Label\\tText\\r\\n", "label"), names_columns(b"kind\\ttext", "kind")
    (True, True)
    >>> names_columns(b"ham\\ttext", "label"), names_columns(b"label\\tfree cash", "label")
    (False, False)
    """
    label, tab, text = line.decode("utf-8", "replace").partition("\t")
    named = label.strip().casefold()
    known = named in OF_LABELS or named == label_field.casefold()
    return bool(tab) and known and text.strip().casefold() in OF_TEXTS
