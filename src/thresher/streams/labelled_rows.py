"""Labelled rows from files, with as little said as possible: `thresher.read`."""

from __future__ import annotations

from thresher.kernels.rows.named_rows import NameTable
from thresher.parameters import MAX_FEATURES, checked_count
from thresher.streams.bad_lines import BadLinePolicy
from thresher.streams.first_look import FirstLook
from thresher.streams.label_scheme import LabelScheme
from thresher.streams.read_settings import ReadSettings
from thresher.streams.reading import Paths, Stream, read_stream
from thresher.streams.recipe import Recipe
from thresher.streams.sources.source import expanded


def read(
    paths: Paths,
    *,
    n_features: int | None = None,
    recipe: Recipe | None = None,
    positive: object = None,
    on_bad: BadLinePolicy | None = None,
    threads: int | None = None,
    names: NameTable | None = None,
) -> Stream:
    """Labelled rows from files, patterns or standard input, in batches.

    Parameters
    ----------
    paths
        A file, a pattern (``"day-*.svm.gz"``), several of them, or ``"-"`` for standard input.
    n_features
        Number of columns that names are hashed into, and that indices must fit; 2^18 by default,
        2^20 for texts, and for a binary file with more columns as many as it has.
    recipe
        What the reader must know besides the bytes, such as the format.
    positive
        The label that counts as +1. Labels -1/+1, 0/1 and 1/2 do not need it; of two others the
        last in order counts as +1.
    on_bad
        What to do with bad lines; the default is to raise at the first.
    threads
        How many threads scan; the rows do not depend on it.
    names
        A table of names to use instead of hashing into `n_features` columns.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "tiny.svm"
    >>> _ = file.write_text("1 0:1 7:0.5\\n0 3:1\\n")
    >>> stream = read(file)
    >>> [list(batch.examples()) for batch in stream]
    [[({0: 1.0, 7: 0.5}, 1), ({3: 1.0}, -1)]]
    >>> stream.format, str(stream.scheme)
    ('svmlight', 'labels 0/1: 1 counts as +1')
    """
    files, recipe = expanded(paths), recipe or Recipe()
    look = FirstLook(files, recipe)
    n_features = n_features or look.features
    columns = checked_count("read", "n_features", n_features, 1, MAX_FEATURES)
    return read_stream(
        files,
        names=NameTable(columns, True) if names is None else names,
        recipe=recipe,
        scheme=LabelScheme() if positive is None else LabelScheme.of(positive),
        bad=on_bad,
        settings=ReadSettings(threads=threads or 0),
        look=look,
    )
