"""The first line of a file of texts, where it names the two columns and is no text itself.

The line alone decides, so that a pipe is read as a file is, in whatever pieces it comes. What looks
like a header only beside the other lines is read as a row, and told.
"""

from __future__ import annotations

import re
from typing import Literal

#: What the column of labels is called in such a line, in capitals or not; or as the label field.
OF_LABELS = frozenset(
    {
        *("label", "labels", "class", "classes", "category", "categories", "target", "targets"),
        *("sentiment", "polarity", "topic", "intent", "emotion", "genre", "rating", "outcome"),
        *("label_text", "class_label", "is_spam", "airline_sentiment"),
    }
)
#: The same, beside a name for texts alone: each may be a label itself, such as y and n.
PERHAPS_OF_LABELS = frozenset({"y", "v1", "type", "kind", "tag", "stars", "score", "language"})
#: What the column of texts is called.
OF_TEXTS = frozenset(
    {
        *("text", "texts", "message", "messages", "sms", "sentence", "sentences", "review"),
        *("reviews", "comment", "comments", "document", "documents", "body", "content", "tweet"),
        *("tweets", "headline", "title", "description", "question", "utterance", "email", "v2"),
    }
)
#: No header has as many bytes.
LONGEST_HEADER = 1 << 10
#: A name of a column: one word.
_NAME = re.compile(r"[^\W\d][\w.-]*")

Columns = Literal["label first", "label last"]


def names_columns(line: bytes, label_field: str) -> Columns | None:
    """Which column has the label, if a line names the two columns of a file of texts: a header.

    It has a tab, one word for labels on the one side and one for texts on the other. Beside the
    name that the label field has, and beside a word that is hardly ever a label, any one word will
    do for texts.

    >>> names_columns(b"Label\\tText\\r\\n", "label"), names_columns(b"tweet\\tclass", "label")
    ('label first', 'label last')
    >>> names_columns(b"sort\\tnote", "sort"), names_columns(b"y\\tmessage", "label")
    ('label first', 'label first')
    >>> names_columns(b"ham\\ttext", "label"), names_columns(b"label\\tfree cash", "label")
    (None, None)
    """
    cells = [cell.strip().casefold() for cell in line.decode("utf-8", "replace").split("\t")]
    if len(cells) != 2 or not all(map(_NAME.fullmatch, cells)):
        return None
    first, second = cells
    if _names_labels(first, second, label_field):
        return "label first"
    return "label last" if _names_labels(second, first, label_field) else None


def _names_labels(label: str, text: str, label_field: str) -> bool:
    if text in OF_LABELS:
        return False
    surely = label in OF_LABELS or label == label_field.casefold()
    return surely or (label in PERHAPS_OF_LABELS and text in OF_TEXTS)


def perhaps_header(lines: list[bytes]) -> bool:
    """Whether a first line looks like a header beside the others, though its words are unknown.

    It has one word on each side, and its first is a label nowhere else, while others come again.

    >>> perhaps_header([b"sort\\tnote", b"ham\\tsee you", b"spam\\tfree cash", b"ham\\tno one"])
    True
    >>> perhaps_header([b"ham\\tok", b"ham\\tsee you", b"spam\\tfree cash", b"ham\\tno one"])
    False
    """
    cells = [line.decode("utf-8", "replace").strip().split("\t") for line in lines]
    pairs = [cell for cell in cells if len(cell) == 2]
    if len(pairs) < 4 or len(cells[0]) != 2 or not all(map(_NAME.fullmatch, cells[0])):
        return False
    labels = [label for label, _ in pairs[1:]]
    several = sum(" " in text for _, text in pairs[1:])
    return cells[0][0] not in labels and 2 * len({*labels}) <= len(labels) + 1 and (
        2 * several > len(labels)
    )  # fmt: skip
