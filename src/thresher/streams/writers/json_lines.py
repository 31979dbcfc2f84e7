"""Writer of JSON lines."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import BinaryIO, ClassVar

import msgspec

from thresher.streams.writers.examples import Examples
from thresher.streams.writers.lines import LineWriter

#: Labels that a JSON number writes exactly as they are.
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})")


class JsonWriter(LineWriter):
    """One object for each row, with its label and its features by name.

    Columns are named by their numbers, which is how they are read back.

    >>> from io import BytesIO
    >>> from thresher import Batch
    >>> from thresher.streams.writers.examples import Examples
    >>> file = BytesIO()
    >>> JsonWriter(file).write(Examples.of(Batch.of([{3: 1, 7: 0.5}], [1])))
    >>> file.getvalue()
    b'{"label":1,"features":{"3":1,"7":0.5}}\\n'
    """

    marks: ClassVar[tuple[bytes, bytes, bytes, bytes]] = (b'"', b',"', b'":', b"}}\n")

    def head(self, label: str | None, importance: float) -> bytes:
        """The label, the weight if it is not 1, and how the features begin."""
        fields = ""
        if label is not None:
            written = label if _NUMBER.fullmatch(label) else json.dumps(label, ensure_ascii=False)
            fields += f'"label":{written},'
        if importance != 1.0:
            fields += f'"weight":{importance!r},'
        return f'{{{fields}"features":{{'.encode()


class NamedJsonWriter(JsonWriter):
    """The same with the names of the features.

    Parameters
    ----------
    file
        Where the bytes go.
    names
        The name of each column; it may grow.
    """

    def __init__(self, file: BinaryIO, names: Sequence[str]) -> None:
        super().__init__(file)
        self._names = names

    def write(self, examples: Examples) -> None:
        """Write some more rows."""
        kind, heads = self._heads(examples)
        names = self._names
        encode = msgspec.json.Encoder().encode
        self._file.write(
            b"".join(
                heads[head] + encode({names[c]: v for c, v in row.items()})[1:] + b"}\n"
                for head, row in zip(kind.tolist(), examples.rows, strict=True)
            )
        )
        self._n_rows += len(examples)
