"""Where the kernels that scan files put rows and faults.

A scanner asks for room, writes the entries of a row in any order, and ends the row:

    cdef Entry* entry = sink.room_for(at_most)          # NULL: out of memory
    entry[n].column, entry[n].value = column, value     # n from 0; values finite
    sink.end_row(n, row, lexicon)                       # sorted, merged, kept

`row` says where the line is; or `sink.add_fault(...)` says what is wrong with it. The label
comes last, by `sink.set_label`: one that only bad lines have is none of the block's. Where rows
get pairs of their features, `entry[n].sides` is what the lexicon says of the feature's name.
"""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint32_t

from thresher.kernels.rows.entries cimport Entry
from thresher.kernels.scanning.crossing cimport PairList
from thresher.kernels.scanning.label_table cimport LabelTable
from thresher.kernels.scanning.lexicon cimport Lexicon


cdef struct Row:
    int64_t line
    int64_t start
    int64_t stop
    int64_t values
    double importance
    int32_t label


cdef struct Fault:
    int64_t line
    int64_t start
    int64_t stop
    int64_t found
    int64_t found_stop
    int32_t code


cdef enum:
    # What `end_row` answers where the row was not kept.
    OUT_OF_MEMORY = -1
    OVERFLOW = 1
    # It has a fault, which is reported already.
    REFUSED = 2


cdef enum:
    # Faults of pairs, in all formats: how many there are, which feature, what product.
    TOO_MANY_PAIRS = 1000
    NAME_OF_A_PAIR = 1001
    PRODUCT = 1002


@cython.final
cdef class RowSink:
    cdef Entry* entry
    cdef Py_ssize_t entry_room
    cdef int32_t* column
    cdef double* value
    cdef Py_ssize_t n_values
    cdef Py_ssize_t value_room
    cdef Row* row
    cdef readonly Py_ssize_t n_rows
    cdef Py_ssize_t row_room
    cdef Fault* fault
    cdef readonly Py_ssize_t n_faults
    cdef Py_ssize_t fault_room
    cdef bint weighted
    # Lines of the block, blank ones too; the scanner counts them here.
    cdef readonly int64_t n_lines
    cdef LabelTable labels
    # Where the labels stand.
    cdef bytes block
    cdef Entry* room_for(self, Py_ssize_t n) noexcept nogil
    # Pairs of the row at hand, the sides of its features, and the name of a pair.
    cdef PairList listed
    cdef uint32_t* sides
    cdef Py_ssize_t sides_room
    cdef unsigned char* name
    cdef Py_ssize_t name_size
    cdef Py_ssize_t name_room
    cdef int end_row(self, Py_ssize_t n, Row row, Lexicon lexicon) noexcept nogil
    cdef int value_room_for(self, Py_ssize_t n) noexcept nogil
    cdef int cross(self, Py_ssize_t* n_entries, const Row* row, Lexicon lexicon) noexcept nogil
    cdef Py_ssize_t merged_in_place(self, Py_ssize_t n, bint strongest) noexcept nogil
    cdef int64_t column_of_pair(
        self, uint32_t one, uint32_t other, Lexicon lexicon
    ) noexcept nogil
    cdef int refuse(self, const Row* row, int32_t code, int64_t found) noexcept nogil
    cdef int set_label(self, const unsigned char* text, Py_ssize_t size) noexcept nogil
    cdef int add_fault(self, Fault fault) noexcept nogil
