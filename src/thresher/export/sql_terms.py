"""Pieces of SQL that SQLite, PostgreSQL and DuckDB understand alike, and to the same doubles."""

from __future__ import annotations

from collections.abc import Iterable

from thresher.errors import ExportError

#: So many terms are added up before the sums are: databases refuse expressions a thousand deep.
AT_ONCE = 100


def identifier(name: str) -> str:
    '''A column or a table by any name.

    >>> print(identifier('say "x"'))
    "say ""x"""
    '''
    return _quoted(name, '"', "a column")


def text(value: str) -> str:
    """A text as SQL has it.

    >>> text("it's")
    "'it''s'"
    """
    return _quoted(value, "'", "a text")


def _quoted(name: str, mark: str, what: str) -> str:
    if "\0" in name or (mark == '"' and not name):
        raise ExportError(
            f"{what} called {name!r} is nothing that SQL can hold.",
            "Export the model as C, JavaScript or JSON.",
            code="export.sql_name",
        )
    return mark + name.replace(mark, mark + mark) + mark


def number(value: float) -> str:
    """A double.

    The exponent keeps databases from taking it for a decimal fraction, whose sums are others.
    Not all of them read short digits right; seventeen leave no room for a doubt.

    >>> number(0.5), number(-3.0), number(0.1 + 0.2), number(1e-300)
    ('0.5e0', '-3.0e0', '0.30000000000000004e0', '1.0000000000000000e-300')
    """
    short = repr(value)
    if "e" in short:
        return f"{value:.16e}"
    if len(short) > 10:
        short = f"{value:.17g}"
    return short if "e" in short else f"{short}e0"


def total(terms: Iterable[str]) -> str:
    """The sum of terms, in groups where there are many."""
    return chained(list(terms) or ["0.0e0"], "+")


def chained(terms: list[str], word: str) -> str:
    """Terms with a word between them, in groups where there are many.

    >>> chained(["a", "b"], "OR")
    'a\\n      OR b'
    """
    groups = [f" {word} ".join(terms[k : k + AT_ONCE]) for k in range(0, len(terms), AT_ONCE)]
    if len(groups) == 1:
        return f"\n      {word} ".join(terms)
    return chained([f"({group})" for group in groups], word)


def fresh(name: str, taken: Iterable[str]) -> str:
    """The name, or with strokes behind it, so that no column of the table is called so.

    >>> fresh("score", ["Score", "age"])
    'score_'
    """
    lowered = {one.lower() for one in taken}
    while name.lower() in lowered:
        name += "_"
    return name


def lost_names(count: int) -> ExportError:
    """What is said where so many features have no name that SQL could compare anything with."""
    return ExportError(
        f"the names of {count} features were not kept, so that nothing in a table can be compared "
        "with them.",
        "Export the model as C, JavaScript or JSON; or train with a vocabulary.",
        code="export.lost_names",
    )


def in_comment(value: str) -> str:
    """A text behind two strokes, on one line.

    >>> in_comment("a\\nb")
    'a\\\\nb'
    """
    return value.encode("unicode_escape").decode()
