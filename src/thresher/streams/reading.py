"""Reading files and pipes of any format as a stream of chunks or batches."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import replace
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Self

from thresher.errors import ParameterError, SourceError
from thresher.kernels.rows.named_rows import NameTable
from thresher.records import record
from thresher.streams.bad_lines import BadLinePolicy
from thresher.streams.batch import Batch
from thresher.streams.chunk import Chunk, Shifted
from thresher.streams.crew import default_threads
from thresher.streams.first_look import FirstLook, decoded_by
from thresher.streams.formats.blocks import CHUNK_BYTES, text_jobs
from thresher.streams.formats.detection import KnownFormat, format_named, opened
from thresher.streams.formats.format import (
    ChoosesFields,
    HasHeader,
    Job,
    RecordFormat,
    Scanned,
    TableHeader,
    TextFormat,
)
from thresher.streams.formats.label_columns import place_of_labels
from thresher.streams.kept_chunks import KeptChunks
from thresher.streams.label_scheme import LabelScheme
from thresher.streams.labelling import Labeller
from thresher.streams.pipeline import Placed, scanned_in_order
from thresher.streams.read_settings import ReadSettings
from thresher.streams.recipe import Recipe
from thresher.streams.rows import Rows
from thresher.streams.sources.source import (
    STDIN,
    STDIN_NAME,
    ByteSource,
    expanded,
    is_kept,
    is_one_of,
    stored_size,
)

if TYPE_CHECKING:
    from thresher.streams.formats.binary_frame import Columns

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


@record
class SourceRecord:
    """What was read: a file's name, its bytes as stored, and their digest."""

    name: str
    n_bytes: int
    #: Behind the name of its algorithm: ``blake3:`` and what ``b3sum FILE`` prints.
    digest: str
    #: Whether its last line has no line end, as of a file that was cut short.
    unended: bool = False


class Stream:
    """Files or a pipe as rows, in order, in memory that does not grow with their length.

    Made by :func:`read_stream`. Iterating gives one `Batch` after another; `chunks` gives more:
    where each row came from, its label as written, and what was bad. Files can be read any number
    of times, standard input once.
    """

    def __init__(
        self,
        paths: list[str],
        names: NameTable,
        *,
        recipe: Recipe,
        scheme: LabelScheme | None,
        bad: BadLinePolicy,
        settings: ReadSettings,
        look: FirstLook,
    ) -> None:
        self.paths = paths
        self.scheme = scheme
        #: What happened to bad lines.
        self.bad = bad
        #: What has been read to the end, in order; from the first pass.
        self.sources: list[SourceRecord] = []
        self._settings = settings
        self._passes = 0
        self._begun: list[ByteSource] = []
        self._kept: KeptChunks | None = None
        self._labeller = Labeller(scheme, bad, settings.limits, self.names_in)
        # Who looked at a file has it open from its beginning; a part may begin elsewhere.
        self._waiting: ByteSource | None = None if settings.parts else look.source()
        try:
            recipe = replace(recipe, format=look.format, label_last=look.label_last)
            known = format_named(look.format)
            self._format = self._opened(known, recipe, names)
            guess = scheme is None or not scheme.decided or scheme.rest
            self._labeller.label_place = lambda chunk: place_of_labels(
                self._format, paths[0], chunk, guess=guess
            )
            for remark in look.remarks:
                bad.remark(remark)
        except BaseException:
            self.close()
            raise

    @property
    def format(self) -> str:
        """Name of the format."""
        return self._format.name

    def use(self, names: NameTable) -> None:
        """Map names to columns by another table; call this before anything is read."""
        known = format_named(self._format.name)
        self._format = self._opened(known, self._format.recipe, names)

    def _opened(
        self, known: KnownFormat, recipe: Recipe, names: NameTable
    ) -> TextFormat | RecordFormat:
        format_ = opened(known, recipe, names, self._settings.add_names)
        if self._settings.fields is not None and isinstance(format_, ChoosesFields):
            format_.read_only(self._settings.fields)
        if isinstance(format_, HasHeader):
            format_.first_header = self._settings.header
        return format_

    def settle_header(self) -> None:
        """Read the header of a table now: it says which columns all files have, and their kinds.

        Without it, the first chunk does so.
        """
        if not isinstance(self._format, HasHeader) or isinstance(self._format, RecordFormat):
            return
        for path in self.paths:
            if self.header is not None or not is_kept(path):
                break
            with closing(ByteSource(path, decoded_by(self.recipe))) as source:
                self._format.begin(source.name, source.head(self._format.head_bytes))
        for remark in self._format.remarks:
            self.bad.remark(remark)

    @property
    def header(self) -> TableHeader | None:
        """The header of a table's first file, once it was read; None: there is none."""
        return self._format.first_header if isinstance(self._format, HasHeader) else None

    def keep_rows(self, *, lines: bool = False) -> None:
        """Keep what the next pass reads for those after it, where there is memory for it.

        With `lines` the text is kept, too; where features have names it always is. Rows that lie
        in a file as they lie in memory are read from there again.
        """
        if not isinstance(self._format, RecordFormat):
            nameless = getattr(self._format, "nameless", False)
            self._kept = KeptChunks(lines=lines or not nameless)

    @property
    def hashed_as(self) -> Columns | None:
        """How names were hashed before they came here, if the format remembers such things."""
        return getattr(self._format, "columns", None)

    @property
    def reader(self) -> TextFormat | RecordFormat:
        """The format itself, which can give the names in a line (`KeptNames.add_rows`)."""
        return self._format

    @property
    def recipe(self) -> Recipe:
        """The recipe with what was found out: the format, and, in the end, types of columns."""
        return self._format.recipe

    @property
    def label_names(self) -> list[str]:
        """The labels seen so far, in order of appearance; `Chunk.label` counts in it."""
        return self._labeller.names

    @cached_property
    def total_bytes(self) -> int | None:
        """Bytes of all files as stored; None if there is a pipe among them."""
        total = 0
        for path in self.paths:
            if (size := stored_size(path)) is None:
                return None
            total += size
        return total

    def __iter__(self) -> Generator[Batch]:
        """The rows with their labels, a batch for each chunk that has rows."""
        with closing(self.chunks()) as chunks:
            for chunk in chunks:
                if len(chunk.rows):
                    yield self.batch(chunk)

    def batch(self, chunk: Chunk, *, weighted: bool = False) -> Batch:
        """The rows of a chunk of this stream with their labels: signs, or numbers of classes.

        With `weighted` the batch has the importance of each row, too.
        """
        if self.scheme is None:
            raise ParameterError(
                "read", "labels", "a LabelScheme, which says what they mean", self.scheme
            )
        importance = chunk.importance if weighted else None
        if self.scheme.several:
            classes = tuple(self.label_names)
            return Batch.from_rows(chunk.rows, chunk.label, importance, classes)
        return Batch.from_rows(chunk.rows, self._labeller.signs(chunk.label), importance)

    def names_in(self, chunk: Chunk, row: int) -> list[tuple[int, str]]:
        """Column and name of the features of a row, where the format has names."""
        if chunk.text is None or isinstance(self._format, RecordFormat):
            return []
        if chunk.start is None or chunk.stop is None:
            return []
        return self._format.names(chunk.text, int(chunk.start[row]), int(chunk.stop[row]))

    def chunks(self) -> Generator[Chunk]:
        """The stream from its beginning, in chunks; bad lines are dealt with on the way."""
        if self._kept is not None and self._kept.whole:
            yield from self._kept
            return
        once = [path for path in self.paths if not is_kept(path)]
        if self._passes and once:
            name = STDIN_NAME if once[0] == STDIN else once[0]
            raise SourceError(
                name, "a pipe cannot be read a second time", "Put the rows into a file first."
            )
        self._passes += 1
        if not isinstance(self._format, RecordFormat):
            self.bad.as_written = self._format.as_written
        self._labeller.begin_pass()
        self.bad.open()
        try:
            with closing(self._raw_chunks()) as chunks:
                labelled = self._labeller.labelled(chunks)
                yield from labelled if self._kept is None else self._kept.passing(labelled)
        finally:
            self.bad.close()
            for remark in self._format.remarks:
                self.bad.remark(remark)

    def _raw_chunks(self) -> Generator[Chunk]:
        running = scanned_in_order(
            self._jobs(),
            self._settings.threads,
            one_by_one=self._format.in_order,
            silent=self.total_bytes is None,
        )
        reading: ByteSource | None = None
        before = n_lines = 0
        with closing(running):
            for (source, job), scanned in running:
                if source is not reading:
                    before += 0 if reading is None else reading.n_bytes
                    reading, n_lines = source, 0
                    self._record(self._begun[: self._begun.index(source)])
                yield self._chunk(source, job, scanned, before, n_lines)
                n_lines += scanned.n_lines
        self._record(self._begun)

    def _record(self, done: list[ByteSource]) -> None:
        """Write down what has been read to its end, unless an earlier pass has."""
        for source in done[len(self.sources) :]:
            self.sources.append(self._recorded(source))

    @staticmethod
    def _recorded(source: ByteSource) -> SourceRecord:
        return SourceRecord(source.name, source.n_bytes, source.digest or "", source.unended)

    def _jobs(self) -> Generator[Placed]:
        """The work for all files, one after another; runs in the reading thread."""
        self._begun = []
        for path in self.paths:
            part = self._settings.parts.get(path)
            source = self._waiting or ByteSource(path, decoded_by(self.recipe), part)
            self._waiting = None
            self._begun.append(source)
            with closing(source):
                if isinstance(self._format, RecordFormat):
                    jobs = self._format.jobs(source)
                else:
                    sizes = self._settings.chunk_bytes, self._settings.max_line_bytes
                    jobs = text_jobs(self._format, source, *sizes)
                for job in jobs:
                    yield source, job

    def _chunk(
        self, source: ByteSource, job: Job, scanned: Scanned, before: int, n_lines: int
    ) -> Chunk:
        """A scanned block in its place: lines counted from the start of the file."""
        arrays = scanned.row_start, scanned.column, scanned.value
        bad = scanned.bad
        if n_lines and len(bad):
            bad = Shifted(bad, n_lines)
        return Chunk(
            file=source.name,
            rows=Rows(*arrays)
            if scanned.facts is None
            else Rows.with_facts(*arrays, scanned.facts),
            label=self._labeller.numbers(scanned.label, scanned.label_names),
            importance=scanned.importance,
            line=scanned.line + n_lines if n_lines else scanned.line,
            bad=bad,
            position=before + job.position,
            text=job.text,
            start=None if job.text is None and job.records is None else scanned.start,
            stop=scanned.stop if job.text is not None else None,
            records=job.records,
            mended=(scanned.mended[0], scanned.mended[1] + n_lines),
        )

    def close(self) -> None:
        """Close files that were opened and not read."""
        if self._waiting is not None:
            self._waiting.close()
            self._waiting = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def read_stream(
    paths: Paths,
    *,
    names: NameTable,
    recipe: Recipe | None = None,
    scheme: LabelScheme | None = None,
    bad: BadLinePolicy | None = None,
    settings: ReadSettings | None = None,
    look: FirstLook | None = None,
) -> Stream:
    """A stream over files, patterns or standard input (`-`), for a table of names.

    Without a `scheme`, labels stay as they are written, and may be missing. Whoever has taken a
    first look at the files gives it along.
    """
    settings = settings or ReadSettings()
    if not settings.threads:
        settings = replace(settings, threads=default_threads())
    if recipe is not None and recipe.pairs:
        # A row has many times the features that its line has.
        smaller = min(settings.chunk_bytes, CHUNK_BYTES // 16)
        settings = replace(settings, chunk_bytes=smaller)
    bad, files = bad or BadLinePolicy(), expanded(paths)
    if bad.quarantine is not None and is_one_of(bad.quarantine, files):
        raise SourceError(bad.quarantine, "bad lines cannot be written to a file that is read")
    return Stream(
        files,
        names,
        recipe=recipe or Recipe(),
        scheme=scheme,
        bad=bad,
        settings=settings,
        look=look or FirstLook(files, recipe or Recipe()),
    )
