"""The fields of a table in text: shared by the kernels that read tables, compiled into each.

The slow twin is `records` in `tests/reference/scan_csv.py`.
"""

from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memchr, memcpy

cdef enum:
    # What can be wrong with the form of a field.
    AFTER_THE_QUOTE = 5
    NO_CLOSING_QUOTE = 6
    NO_ROOM = 10


cdef struct Field:
    const unsigned char* text
    Py_ssize_t size
    # Where in the block it stands, quotes included.
    Py_ssize_t start
    Py_ssize_t stop
    # Where the next one begins, and whether that is in the next record.
    Py_ssize_t after
    bint last
    int fault


# Memory that a scan needs beside the block: unquoted fields, names put together. It begins as
# zeros and is freed by `let_go`.
cdef struct Scratch:
    unsigned char* unquoted
    Py_ssize_t unquoted_room
    unsigned char* name
    Py_ssize_t name_room
    # A name that a full vocabulary has no room for.
    const unsigned char* refused
    Py_ssize_t refused_size


cdef inline Scratch no_scratch() noexcept nogil:
    """Scratch memory before anybody needs it."""
    cdef Scratch scratch
    scratch.unquoted = scratch.name = NULL
    scratch.unquoted_room = scratch.name_room = scratch.refused_size = 0
    scratch.refused = NULL
    return scratch


cdef inline void let_go(Scratch* scratch) noexcept nogil:
    free(scratch.unquoted)
    free(scratch.name)


cdef inline unsigned char* copy_for(Scratch* scratch, Py_ssize_t size) noexcept nogil:
    """Room for a block without its doubled quotes; NULL: out of memory."""
    if scratch.unquoted_room < size:
        free(scratch.unquoted)
        scratch.unquoted = <unsigned char*> malloc(size)
        scratch.unquoted_room = size if scratch.unquoted != NULL else 0
    return scratch.unquoted


cdef inline unsigned char* name_for(Scratch* scratch, Py_ssize_t size) noexcept nogil:
    """Room for a name; NULL: out of memory."""
    cdef void* memory
    if scratch.name_room < size:
        memory = realloc(scratch.name, 2 * size)
        if memory == NULL:
            return NULL
        scratch.name = <unsigned char*> memory
        scratch.name_room = 2 * size
    return scratch.name


cdef inline void read_quoted(
    const unsigned char* block, Py_ssize_t size, Py_ssize_t start, Scratch* scratch, Field* field
) noexcept nogil:
    """The field whose opening quote is at `start`; `field.stop` is after the closing one."""
    cdef Py_ssize_t k = start + 1, from_ = start + 1, used = 0
    cdef const unsigned char* found
    cdef unsigned char* copy = NULL
    field.text = block + from_
    while True:
        found = <const unsigned char*> memchr(block + k, c'"', size - k) if k < size else NULL
        if found == NULL:
            field.fault = NO_CLOSING_QUOTE
            field.size = 0
            field.stop = size
            return
        k = found - block
        if k + 1 < size and block[k + 1] == c'"':
            # The place in the copy is that in the block: no two fields of a record overlap.
            copy = copy_for(scratch, size)
            if copy == NULL:
                field.fault = NO_ROOM
                return
            memcpy(copy + start + used, block + from_, k + 1 - from_)
            used += k + 1 - from_
            k += 2
            from_ = k
            continue
        if copy == NULL:
            field.size = k - from_
        else:
            memcpy(copy + start + used, block + from_, k - from_)
            field.text = copy + start
            field.size = used + k - from_
        field.stop = k + 1
        return


cdef inline void read_field(
    const unsigned char* block, Py_ssize_t size, Py_ssize_t start, unsigned char separator,
    Scratch* scratch, Field* field
) noexcept nogil:
    """The field that begins at `start`."""
    cdef Py_ssize_t k = start, stop
    field.start = start
    field.fault = 0
    if k < size and block[k] == c'"':
        read_quoted(block, size, start, scratch, field)
        k = field.stop
        while k < size and (block[k] == c" " or block[k] == c"\r") and block[k] != separator:
            k += 1
        if k < size and block[k] != separator and block[k] != c"\n" and field.fault == 0:
            field.fault = AFTER_THE_QUOTE
        while k < size and block[k] != separator and block[k] != c"\n":
            k += 1
    else:
        while k < size and block[k] != separator and block[k] != c"\n":
            k += 1
        stop = k
        while start < stop and (block[start] == c" " or block[start] == c"\t"):
            start += 1
        while start < stop and (block[stop - 1] == c" " or block[stop - 1] == c"\t"
                                or block[stop - 1] == c"\r"):
            stop -= 1
        field.text = block + start
        field.size = stop - start
        field.start = start
        field.stop = stop
    field.last = k >= size or block[k] == c"\n"
    field.after = k + 1
