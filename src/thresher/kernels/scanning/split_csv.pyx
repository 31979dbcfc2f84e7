"""Where records of a table in text end, and their fields, for headers and for those who cut blocks.

Used by `streams.csv_table`; `kernels/scan_csv.pyx` says what a record is. The slow twin is
`records` in `tests/reference/scan_csv.py`.
"""

from libc.string cimport memchr

from thresher.kernels.scanning.csv_fields cimport Field, Scratch, let_go, no_scratch, read_field


def last_end(const unsigned char[::1] block, bytes separator):
    """Where the last whole record ends in a block that begins with a record; 0: there is none."""
    cdef Py_ssize_t size = block.shape[0], at = 0, end = 0, k
    cdef Field field
    cdef Scratch scratch = no_scratch()
    cdef unsigned char mark = separator[0]
    if size == 0:
        return 0
    with nogil:
        if memchr(&block[0], c'"', size) == NULL:
            k = size
            while k > 0 and block[k - 1] != c"\n":
                k -= 1
            end = k
        else:
            while at < size:
                read_field(&block[0], size, at, mark, &scratch, &field)
                at = field.after
                if field.last and at <= size:
                    end = at
        let_go(&scratch)
    return end


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
