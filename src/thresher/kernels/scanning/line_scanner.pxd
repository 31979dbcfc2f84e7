"""A scan of lines, each of which is a row, a fault or nothing.

A format has a subclass with `scan_line`, and `refused_name` for the name that a vocabulary had no
room for. Faults have numbers of the format's own; 0 is a byte that no text has.
"""

from libc.stdint cimport int32_t, int64_t

from thresher.kernels.scanning.lexicon cimport Lexicon
from thresher.kernels.scanning.lines cimport Line
from thresher.kernels.scanning.name_counts cimport NameCounts
from thresher.kernels.scanning.row_sink cimport RowSink


cdef class LineScanner:
    # Where names find columns, where rows and faults go.
    cdef Lexicon lexicon
    cdef RowSink sink
    # Where names are counted, instead of making rows; or None.
    cdef NameCounts counts
    cdef const unsigned char* text
    cdef Py_ssize_t size

    cdef int scan_line(self, Line line) noexcept nogil
    cdef bytes refused_name(self)
    cdef int fail(self, Line line, int32_t code, Py_ssize_t found, Py_ssize_t stop) noexcept nogil
    cdef int _scan_block(self, Py_ssize_t first_line) noexcept nogil
    cdef int _finish(self, int failed) except -1
    cdef RowSink scan_lines(self, Py_ssize_t first_line)
    cdef int count_lines(
        self, const int64_t[::1] start, const int64_t[::1] stop, NameCounts counts
    ) except -1
