"""Where records of a table in text end, and their fields, for headers and for those who cut blocks.

Used by `streams.formats.csv_table`; `kernels/scanning/scan_csv.pyx` says what a record is. The
slow twin is `records` in `tests/reference/scan_csv.py`.
"""

from libc.string cimport memchr

from thresher.kernels.scanning.csv_fields cimport Field, Scratch, let_go, no_scratch, read_field


cdef enum State:
    # Where in a record a place is: before a field, in one, in quotes, behind a quote in quotes.
    BEFORE = 0
    INSIDE = 1
    QUOTED = 2
    PERHAPS_CLOSED = 3


cdef Py_ssize_t record_end(
    const unsigned char* block, Py_ssize_t size, Py_ssize_t at, unsigned char separator, int* state
) noexcept nogil:
    """Where the record ends that is in that state at `at`; -1: not here, and the state is new."""
    cdef int now = state[0]
    cdef unsigned char c
    while at < size:
        c = block[at]
        at += 1
        if now == QUOTED:
            if c == c'"':
                now = PERHAPS_CLOSED
        elif c == c"\n":
            state[0] = BEFORE
            return at
        elif c == separator:
            now = BEFORE
        elif c == c'"' and now != INSIDE:
            now = QUOTED
        else:
            now = INSIDE
    state[0] = now
    return -1


cdef class RecordEnds:
    """Where records end in a table with this separator."""

    cdef unsigned char separator

    def __init__(self, bytes separator):
        self.separator = separator[0]

    def last(self, const unsigned char[::1] block):
        """Where the last whole record ends in a block that begins with a record; 0: none does."""
        cdef Py_ssize_t size = block.shape[0], end = 0, at = 0
        cdef int state = BEFORE
        if size == 0:
            return 0
        with nogil:
            if memchr(&block[0], c'"', size) == NULL:
                end = size
                while end > 0 and block[end - 1] != c"\n":
                    end -= 1
            else:
                while at >= 0:
                    end = at
                    at = record_end(&block[0], size, at, self.separator, &state)
        return end

    def next(self, const unsigned char[::1] block, Py_ssize_t at, int state):
        """Where the present record ends, -1 if not in this block, and the state to go on in.

        The state at the beginning of a record is 0.
        """
        cdef Py_ssize_t end = -1
        if at < block.shape[0]:
            end = record_end(&block[0], block.shape[0], at, self.separator, &state)
        return end, state


def split(const unsigned char[::1] block, bytes separator, Py_ssize_t most):
    """The fields of the first records, at most so many, and where the next record begins.

    A record with a fault in a field is None.
    """
    cdef Py_ssize_t size = block.shape[0], at = 0
    cdef Field field
    cdef Scratch scratch = no_scratch()
    records = []
    try:
        while at < size and len(records) < most:
            if block[at] == c"\n" or (
                block[at] == c"\r" and at + 1 < size and block[at + 1] == c"\n"
            ):
                at += 1
                continue
            fields = []
            sound = True
            while True:
                read_field(&block[0], size, at, separator[0], &scratch, &field)
                sound = sound and field.fault == 0
                fields.append(field.text[: field.size] if field.fault == 0 else b"")
                at = field.after
                if field.last:
                    break
            records.append(fields if sound else None)
    finally:
        let_go(&scratch)
    return records, min(at, size)
