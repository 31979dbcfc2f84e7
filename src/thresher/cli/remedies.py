"""What to do about an error, in the words of the command line.

The library says what is wrong, and what a Python caller can do. Who came by the command line has
options instead: here is the remedy for each code that has one of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from thresher.errors import ThresherError
from thresher.errors.error import joined

if TYPE_CHECKING:
    from thresher.streams.chunk import BadLine


def _which_is_positive(rarest: str, perhaps_classes: bool, **_: Any) -> str:
    more = " Or keep them as classes: --multiclass." if perhaps_classes else ""
    return f"Say which counts as +1: --positive {rarest}; every other then counts as -1.{more}"


def _where_the_label_is(perhaps_text: bool, **_: Any) -> str:
    more = " Lines of a label, a tab and a text are --format text." if perhaps_text else ""
    return f"Another field: --label-field.{more}"


#: By the code of an error: a sentence, or a function of its fields that makes one.
REMEDIES: dict[str, str | Callable[..., str]] = {
    "binary.columns": "Ask for more with --bits or --features.",
    "binary.foreign": "Name its format with --format.",
    "dimension": lambda index, **_: f"Train with --features {index + 1} or more.",
    "export.no_names": "`thresher train` keeps them for formats with names.",
    "export.one_table": "Train one with a learner for each class: --learner arow.",
    "format.header": "If these are their names, say which of them is the label: --label-field.",
    "format.to_write": lambda formats, **_: f"Say it with --to: {', '.join(formats)}.",
    "format.unknown": lambda formats, **_: (
        f"Say which it is: --format, with one of {', '.join(formats)}."
    ),
    "label.measurements": "If they are classes, say --multiclass; --positive LABEL makes two "
    "classes of them.",
    "label.undecidable": _which_is_positive,
    "label.which": "Say which one is +1: --positive LABEL.",
    "line.category": lambda column, **_: f"--categorical {column} reads it as categories.",
    "line.column": "A larger --bits allows more.",
    "line.label": _where_the_label_is,
    "model.foreign": "A model is what `thresher train -o MODEL` writes.",
    "names": "Ask for more of them with --bits or --features, or have names hashed: leave "
    "--vocabulary out.",
    "writing.importance": "Write VW text or JSON lines instead, or say --ignore-importance.",
    "writing.name": "Write JSON lines instead, or hash the names with --bits.",
}


def phrased(said: ThresherError | BadLine) -> str:
    """An error or a bad line with the remedy that a command has for it.

    >>> from thresher.errors import DimensionError
    >>> print(phrased(DimensionError(0, 5, 4)).split(". ")[-1])
    Train with --features 6 or more.
    """
    hint = said.hint
    if hint is None:
        return said.what
    remedy = REMEDIES.get(hint.code, hint.remedy)
    return joined(said.what, remedy if isinstance(remedy, str) else remedy(**hint.fields))
