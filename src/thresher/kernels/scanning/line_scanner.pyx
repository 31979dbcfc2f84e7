"""The loop over the lines of a block, for the formats whose features have names.

Used by `scan_vw` and `scan_text`. The slow twin is `scan_rows` in `tests/reference/scan_rows.py`.
"""

from libc.stdint cimport int32_t, int64_t

from thresher.errors import NameTableFullError
from thresher.kernels.scanning.lexicon cimport FULL, Lexicon
from thresher.kernels.scanning.lines cimport Line, before_the_first, is_plain, next_line, not_text
from thresher.kernels.scanning.name_counts cimport NameCounts
from thresher.kernels.scanning.row_sink cimport OUT_OF_MEMORY, Fault, RowSink

cdef enum:
    NOT_TEXT = 0


cdef class LineScanner:
    """What every scan of lines needs."""

    def __cinit__(self, bytes block not None, Lexicon lexicon not None, *_):
        self.lexicon = lexicon
        self.sink = RowSink(block)
        self.text = <const unsigned char*> <const char*> block
        self.size = len(block)

    cdef int scan_line(self, Line line) noexcept nogil:
        """One line; 1: it has a fault, negative: why the scan cannot go on."""
        return 0

    cdef bytes refused_name(self):
        """The name that found the vocabulary full."""
        return b""

    cdef int fail(self, Line line, int32_t code, Py_ssize_t found, Py_ssize_t stop) noexcept nogil:
        """Report what is wrong with the line."""
        cdef Fault fault
        fault.line, fault.start, fault.stop = line.number, line.start, line.stop
        fault.code, fault.found, fault.found_stop = code, found, stop
        return OUT_OF_MEMORY if self.sink.add_fault(fault) < 0 else 1

    cdef int _scan_block(self, Py_ssize_t first_line) noexcept nogil:
        """All lines; negative: what stopped it."""
        cdef Line line = before_the_first(first_line)
        cdef bint plain = is_plain(self.text, self.size)
        cdef Py_ssize_t odd, known
        cdef int failed
        while next_line(self.text, self.size, &line):
            self.sink.n_lines += 1
            known = self.lexicon.known.n
            odd = -1 if plain else not_text(self.text + line.start, line.stop - line.start)
            if odd >= 0:
                failed = self.fail(line, NOT_TEXT, line.start + odd, line.start + odd + 1)
            else:
                failed = self.scan_line(line)
            if failed < 0:
                return failed
            if failed:
                # A line that is not learned from leaves no names.
                self.lexicon.known.forget(known)
        return 0

    cdef int _finish(self, int failed) except -1:
        """Raise what stopped the scan; otherwise the vocabulary gets its new names."""
        if failed == FULL:
            name = (self.sink.pair_without_room or self.refused_name()).decode("utf-8")
            raise NameTableFullError(name, self.lexicon.n_features)
        if failed < 0:
            raise MemoryError
        self.lexicon.publish()
        return 0

    cdef RowSink scan_lines(self, Py_ssize_t first_line):
        """The rows and faults of the block, whose first line has this number."""
        cdef int failed
        self.lexicon.begin()
        with nogil:
            failed = self._scan_block(first_line)
        self._finish(failed)
        return self.sink

    cdef int count_lines(
        self, const int64_t[::1] start, const int64_t[::1] stop, NameCounts counts
    ) except -1:
        """Count the names of some lines, each of them a row."""
        cdef Line line
        cdef Py_ssize_t t
        cdef int failed = 0
        self.counts = counts
        self.lexicon.begin()
        with nogil:
            for t in range(start.shape[0]):
                line.number, line.start, line.stop, line.next = t, start[t], stop[t], stop[t]
                counts.begin_row()
                failed = self.scan_line(line)
                if failed < 0:
                    break
        return self._finish(min(failed, 0))
