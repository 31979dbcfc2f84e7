"""Writer of svmlight / libsvm text."""

from __future__ import annotations

from typing import ClassVar

from thresher.errors import NotWritableError
from thresher.streams.writers.lines import LineWriter


class SvmlightWriter(LineWriter):
    """One line for each row, `label index:value ...`; an index is the column it names.

    >>> import sys
    >>> from io import BytesIO
    >>> from thresher import Batch
    >>> from thresher.streams.writers.examples import Examples
    >>> file = BytesIO()
    >>> SvmlightWriter(file).write(Examples.of(Batch.of([{3: 1, 7: 0.5}, {}], [1, -1])))
    >>> file.getvalue()
    b'1 3:1 7:0.5\\n-1\\n'
    """

    marks: ClassVar[tuple[bytes, bytes, bytes, bytes]] = (b" ", b" ", b":", b"\n")

    def head(self, label: str | None, importance: float) -> bytes:
        """The label, which svmlight lines cannot do without."""
        if label is None:
            raise NotWritableError(
                "it has no label, which svmlight lines need. Write VW text or JSON lines instead."
            )
        if importance != 1.0:
            raise NotWritableError(
                f"it has importance {importance}, which svmlight lines cannot hold.",
                "Write VW text or JSON lines instead, or leave the importance out.",
                code="writing.importance",
            )
        if not is_one_word(label) or ":" in label or label.startswith("#"):
            raise NotWritableError(
                f"its label {label!r} would not be read as one label in svmlight. "
                "Write JSON lines instead."
            )
        return label.encode()


def is_one_word(text: str) -> bool:
    """Whether a reader that cuts lines at blanks takes a text for one word.

    >>> is_one_word("spam"), is_one_word("not spam"), is_one_word("")
    (True, False, False)
    """
    return text.split() == [text] and text.isprintable()
