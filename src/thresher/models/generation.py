"""Generation: a synthetic stream, written to a file."""

from __future__ import annotations

from collections.abc import Iterator

from thresher.errors import NotWritableError
from thresher.models.events import Progressed
from thresher.models.synthetic_streams import StreamDescription, generated
from thresher.streams.writers import format_of, writing

#: Formats whose header is written when all is known.
_NEED_AN_END = ("csv", "tsv")


class Generation:
    """Writes a synthetic stream to a file: whoever goes through it gets events.

    Parameters
    ----------
    wanted
        Which stream.
    output
        The file to write, or ``"-"`` for standard output; ``.gz`` and ``.zst`` compress.
    format
        The format to write; None: what the name of the output says.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "some.svm")
    >>> wanted = StreamDescription(kind="greedy-winnow", parameters={"n_features": 16})
    >>> generation = Generation(wanted, str(file))
    >>> generation.stream.summary.split("; ")[1]
    '10 mistakes forced, 10 allowed'
    >>> [event.rows for event in generation], file.read_text().count("\\n")
    ([10], 10)
    """

    def __init__(
        self, wanted: StreamDescription, output: str, *, format: str | None = None
    ) -> None:
        self.wanted, self.output = wanted, output
        self.format = format_of(output, format)
        self.stream = generated(wanted)
        if wanted.rows is None and self.format in _NEED_AN_END:
            raise NotWritableError(
                f"{self.format} needs an end: its header is written when all is known."
            )

    def __iter__(self) -> Iterator[Progressed]:
        rows = 0
        with writing(self.output, self.format) as writer:
            for piece in self.stream.pieces:
                writer.write(piece)
                rows += len(piece)
                yield Progressed(rows, rows, self.wanted.rows)
