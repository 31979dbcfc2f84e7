"""A first look at data: which format it has, before anything is made for it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

from thresher.errors import FormatError, ParameterError
from thresher.parameters import MOST_UNASKED, features_by_default
from thresher.streams.formats.detection import (
    BYTES_LOOKED_AT,
    detected,
    enough_to_detect,
    first_lines,
    format_named,
    may_be_texts,
    of_lines,
    surely,
    texts_in,
    told_by_name,
)
from thresher.streams.formats.foreign import refuse_foreign
from thresher.streams.formats.text_layout import label_is_last
from thresher.streams.recipe import Recipe
from thresher.streams.remark import Remark
from thresher.streams.sources.source import ByteSource, is_kept

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
#: So many bytes tell whether every second one is NUL.
_BYTES_OF_PAIRS = 1000


class FirstLook:
    """The format of some files, and the first of them, opened: a pipe cannot be opened again.

    Parameters
    ----------
    paths
        Files, or ``-`` for standard input.
    recipe
        What is known about them; a format that it names is not looked for.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "mail.tsv")
    >>> _ = file.write_text("spam\\tfree cash\\nham\\tsee you monday\\nspam\\tcash now\\n")
    >>> FirstLook([str(file)], Recipe()).format
    'text'
    """

    def __init__(self, paths: Sequence[str], recipe: Recipe) -> None:
        self._paths, self._encoding = paths, decoded_by(recipe)
        self._source: ByteSource | None = self._opened(paths[0])
        #: Whether the label stands behind the text, as the first lines show or the recipe says.
        self.label_last = recipe.label_last
        #: What was noticed.
        self.remarks: list[Remark] = []
        try:
            self.format = recipe.format or self._found(self._source, recipe)
            # Who writes to a pipe may wait for an answer, unless it was looked at already.
            if self.format == "text" and (recipe.format is None or is_kept(paths[0])):
                self._look_at_texts(self._source, recipe)
            known = format_named(self.format)
            if recipe.encoding is not None and not of_lines(known):
                raise ParameterError(
                    "Recipe", "encoding", f"left out: {self.format} has its own", recipe.encoding
                )
        except BaseException:
            self.close()
            raise

    @property
    def features(self) -> int:
        """How many features there are where nobody says: what binary files know, or the default.

        What a file claims costs no memory beyond `MOST_UNASKED` features: more must be asked for.
        """
        usual = features_by_default(self.format)
        if self.format != "binary":
            return usual
        from thresher.streams.formats.binary_frame import columns_told  # noqa: PLC0415  (rare)

        told = [columns_told(path) for path in self._paths if is_kept(path)]
        hashed = [columns.n_features for columns in told if columns.hashed]
        known = hashed[0] if hashed else max([usual, *(columns.n_features for columns in told)])
        return known if 0 < known <= MOST_UNASKED else usual

    def source(self) -> ByteSource:
        """The first file from its beginning; a pipe that has been read is at its end."""
        source, self._source = self._source, None
        return source or self._opened(self._paths[0])

    def close(self) -> None:
        """Let go of the file, if nobody took it."""
        source, self._source = self._source, None
        if source is not None:
            source.close()

    def _opened(self, path: str) -> ByteSource:
        return ByteSource(path, self._encoding)

    def _found(self, source: ByteSource, recipe: Recipe) -> str:
        named, unsure = told_by_name(source.path), may_be_texts(source.path)
        # A pipe may take its time to say enough; a name is there at once.
        looked_at = unsure or is_kept(source.path)
        if named is not None and not (looked_at and of_lines(named)):
            return named.name
        head = self._first_bytes(source)
        refuse_foreign(source.name, head)
        if recipe.encoding is None:
            _refuse_utf_16(source.name, head)
        if named is None:
            return detected(source.path, head).name
        # Whoever says what columns are speaks of a table.
        columns = recipe.numeric or recipe.categorical or recipe.ignored
        texts = unsure and not columns and texts_in(head, recipe.label_field)
        return "text" if texts else named.name

    def _look_at_texts(self, source: ByteSource, recipe: Recipe) -> None:
        """Find the side of the label, where lines show it; texts alone take any byte."""
        head, name = self._first_bytes(source), source.name
        if recipe.encoding is None:
            _refuse_utf_16(name, head)
        last = label_is_last(first_lines(head))
        if last is None or last == recipe.label_last:
            return
        self.label_last = last
        where = "behind" if last else "before"
        self.remarks.append(Remark(f"{name}: the lines were read with the label {where} the text"))

    def _first_bytes(self, source: ByteSource) -> bytes:
        """The start of the first file that is not empty."""
        head = head_to_detect(source)
        for path in self._paths[1:] if not head else ():
            with closing(self._opened(path)) as other:
                head = head or head_to_detect(other)
        return head


class NoLook(FirstLook):
    """In place of a first look, where a recipe says all that it would find: nothing is opened."""

    def __init__(self, paths: Sequence[str], recipe: Recipe) -> None:
        self._paths, self._encoding, self._source = paths, decoded_by(recipe), None
        self.format, self.label_last, self.remarks = str(recipe.format), recipe.label_last, []


def _refuse_utf_16(file: str, head: bytes) -> None:
    if (encoding := _utf_16(head)) is not None:
        raise FormatError(
            f"{file}: this is text in UTF-16.",
            f"Say Recipe(encoding={encoding!r}).",
            code="format.utf_16",
            encoding=encoding,
        )


def _utf_16(head: bytes) -> str | None:
    """The kind of UTF-16 that a text begins in; None: it is in something else.

    >>> _utf_16("ham".encode("utf-16")), _utf_16("ham".encode("utf-16-be")), _utf_16(b"ham")
    ('utf-16', 'utf-16-be', None)
    """
    if head.startswith(_UTF_16):
        return "utf-16"
    looked_at = head[: min(len(head), _BYTES_OF_PAIRS) // 2 * 2]
    first, second = looked_at[::2], looked_at[1::2]
    for zeros, others, encoding in ((second, first, "utf-16-le"), (first, second, "utf-16-be")):
        # Letters beyond Latin have another byte than NUL.
        if 0 not in others and zeros.count(0) * 4 >= max(len(zeros) * 3, 8):
            return encoding
    return None


def decoded_by(recipe: Recipe) -> str | None:
    """The encoding that text is to be brought from; None where it is in UTF-8 already."""
    return None if recipe.encoding in (None, "utf-8") else recipe.encoding


def head_to_detect(source: ByteSource) -> bytes:
    """As much of the beginning of a source as tells its format."""
    head = source.head(1)
    while not enough_to_detect(head) and len(more := source.head(2 * len(head))) > len(head):
        head = more
    return head[:BYTES_LOOKED_AT]


def told_by_lines(path: str, recipe: Recipe) -> str | None:
    """The format that the first lines of a file seem to have, whatever its name says."""
    if not is_kept(path):
        return None
    try:
        with closing(ByteSource(path, decoded_by(recipe))) as source:
            return detected("", head_to_detect(source)).name
    except FormatError:
        return None


def contradicting(path: str, recipe: Recipe) -> str | None:
    """The format that the lines of a file surely have, where a model of texts would read texts.

    Only files are looked at: who writes to a pipe may wait for an answer.
    """
    if recipe.format != "text" or not is_kept(path):
        return None
    with closing(ByteSource(path, decoded_by(recipe))) as source:
        return surely(head_to_detect(source))
