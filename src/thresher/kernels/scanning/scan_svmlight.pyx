"""svmlight text to rows, without the GIL.

Used by `streams.formats.svmlight`, which turns faults into messages. The same in plain Python,
and the authority on what a line means, is `tests/reference/scan_svmlight.py`.

Contract: the block is any bytes at all. Nothing outside of it is read; rows come out sorted,
without zeros and duplicates, with finite values; a line that is not sound leaves a fault and
nothing else.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memchr, memcmp

from thresher.kernels.scanning.eight_bytes cimport leading_digits, load_eight, value_of_digits
from thresher.kernels.scanning.label_table cimport NO_MEMORY, LabelTable
from thresher.kernels.scanning.number cimport parse_number
from thresher.kernels.scanning.svmlight_row cimport (
    INDEX_RANGE,
    LABEL_BYTES,
    NOT_A_FEATURE,
    NOT_A_NUMBER,
    NOT_FINITE,
    NO_LABEL,
    OUT_OF_MEMORY,
    SOUND,
    TWICE,
    Sink,
    at_end_of_row,
    end_of_token,
    has_wide,
    is_blank,
    read_plain,
    refused,
    starts_plain,
    store,
)
from thresher.kernels.rows.row_order cimport sort_row

cdef bint wide = has_wide()

# No index is larger, however many digits it has.
cdef int64_t HUGE_INDEX = <int64_t> 1 << 40


cdef const unsigned char* read_features(
    Sink* sink, const unsigned char* p, const unsigned char* end
) noexcept nogil:
    """Take the features of a row; return where it ends, NULL if there is a fault in it."""
    cdef const unsigned char* token
    cdef int64_t last = -1, column
    cdef int n_digits
    cdef double value
    while True:
        while p < end and is_blank(p[0]):
            p += 1
        if starts_plain(p, end):
            p = read_plain(sink, p, end, &last)
        if p < end and is_blank(p[0]):
            continue
        if at_end_of_row(p, end):
            return p
        token = p
        n_digits = leading_digits(load_eight(p)) if end - p >= 8 else 0
        if 0 < n_digits < 8:
            column = <int64_t> value_of_digits(load_eight(p), n_digits)
            p += n_digits
        else:
            column = 0
            while p < end and <unsigned char> (p[0] - c"0") < 10:
                if column < HUGE_INDEX:
                    column = 10 * column + (p[0] - c"0")
                p += 1
        if p == token or p == end or p[0] != c":":
            if end - token >= 4 and memcmp(token, b"qid:", 4) == 0:
                p = end_of_token(token, end)
                continue
            return refused(sink, NOT_A_FEATURE, token)
        column -= sink.first_index
        if <uint64_t> column > <uint64_t> sink.largest_column:
            return refused(sink, INDEX_RANGE, token)
        p = parse_number(p + 1, end, &value)
        if p == NULL or not (at_end_of_row(p, end) or is_blank(p[0])):
            return refused(sink, NOT_A_NUMBER, token)
        if value - value != 0.0:
            return refused(sink, NOT_FINITE, token)
        sink.disorder |= column <= last
        last = column
        store(sink, column, value)


cdef bint tidy(Sink* sink, Py_ssize_t first) noexcept nogil:
    """Sort a row and leave zeros out; False if an index occurs twice."""
    cdef Py_ssize_t k, m
    if sink.disorder:
        sort_row(
            sink.column + first, NULL if sink.plain else sink.value + first, sink.n - first
        )
        for k in range(first + 1, sink.n):
            if sink.column[k] == sink.column[k - 1]:
                sink.fault = TWICE
                sink.index = sink.column[k] + sink.first_index
                return False
    if sink.zeros:
        m = first
        for k in range(first, sink.n):
            if sink.value[k] != 0.0:
                sink.column[m] = sink.column[k]
                sink.value[m] = sink.value[k]
                m += 1
        sink.n = m
    return True


cdef const unsigned char* read_label(
    Sink* sink, const unsigned char* p, const unsigned char* end, LabelTable labels, int32_t* label
) noexcept nogil:
    """Take the label that begins here; return where it ends, NULL if it is none."""
    cdef const unsigned char* token = p
    cdef bint sound = True
    while not (at_end_of_row(p, end) or is_blank(p[0])):
        if p[0] == c":":
            return refused(sink, NO_LABEL, token)
        sound = sound and p[0] > c" " and p[0] != 127
        p += 1
    label[0] = labels.number_of(token, p - token) if sound else -2
    if label[0] < 0:
        return refused(sink, OUT_OF_MEMORY if label[0] == NO_MEMORY else LABEL_BYTES, token)
    return p


cdef struct Table:
    int64_t* row_start
    int64_t* line
    int64_t* start
    int64_t* stop
    int32_t* label
    int64_t* fault        # five numbers each, a stride apart
    Py_ssize_t stride
    Py_ssize_t room       # for rows and faults, and one more
    Py_ssize_t n_lines
    Py_ssize_t n_rows
    Py_ssize_t n_faults
    int64_t n_features


cdef inline const unsigned char* line_end(
    const unsigned char* p, const unsigned char* end
) noexcept nogil:
    cdef const unsigned char* found
    if p < end and p[0] == c"\n":
        return p
    found = <const unsigned char*> memchr(p, c"\n", end - p)
    return end if found == NULL else found


cdef bint scan_lines(
    Sink* sink, Table* table, LabelTable labels, const unsigned char* begin, Py_ssize_t size
) noexcept nogil:
    """Every line of the block into the table of rows or that of faults; False: it has no room."""
    cdef const unsigned char* end = begin + size
    cdef const unsigned char* p = begin
    cdef const unsigned char* start
    cdef const unsigned char* stop
    cdef int64_t line = 0
    cdef int32_t label = 0
    cdef Py_ssize_t n = 0
    cdef Sink before
    table.row_start[0] = 0
    while p < end:
        line += 1
        start = p
        while p < end and is_blank(p[0]):
            p += 1
        if at_end_of_row(p, end):
            p = line_end(p, end) + 1
            continue
        if n + table.n_faults + 1 >= table.room:
            return False
        before = sink[0]
        sink.fault = SOUND
        sink.zeros = sink.disorder = False
        stop = read_label(sink, p, end, labels, &label)
        if stop != NULL:
            stop = read_features(sink, stop, end)
        p = line_end(start if stop == NULL else stop, end)
        stop = p - 1 if p > start and p[-1] == c"\r" else p
        p += 1
        if sink.fault == SOUND and (not (sink.zeros or sink.disorder) or tidy(sink, before.n)):
            table.line[n] = line
            table.start[n] = start - begin
            table.stop[n] = stop - begin
            table.label[n] = label
            n += 1
            table.row_start[n] = sink.n
            if sink.n > before.n and sink.column[sink.n - 1] >= table.n_features:
                table.n_features = sink.column[sink.n - 1] + 1
        else:
            write_fault(table, sink, begin, start, stop, line)
            before.fault = sink.fault
            sink[0] = before
    table.n_lines, table.n_rows = line, n
    return True


cdef void write_fault(
    Table* table,
    const Sink* sink,
    const unsigned char* begin,
    const unsigned char* start,
    const unsigned char* stop,
    int64_t line,
) noexcept nogil:
    cdef int64_t* fault = table.fault + table.n_faults
    fault[0] = line
    fault[table.stride] = start - begin
    fault[2 * table.stride] = stop - begin
    fault[3 * table.stride] = sink.fault
    fault[4 * table.stride] = sink.index if sink.fault == TWICE else sink.at - begin
    table.n_faults += 1


def use_widest(bint on):
    """Read several features at once where this processor can, or not; whether it does now."""
    global wide
    wide = on and has_wide()
    return wide


def scan(
    const unsigned char[::1] block not None,
    int64_t n_columns,
    bint one_based,
    int64_t[:, ::1] place_out not None,
    int32_t[::1] label_out not None,
    int32_t[::1] column_out not None,
    double[::1] value_out not None,
):
    """Fill the arrays with the rows of a block of whole lines, and with the faults of the others.

    In `column_out` and `value_out` there is room for a quarter of the bytes of the block, and one
    more: no feature is shorter. If `place_out`, or `label_out`, has no room for the rows, and one
    more, the result is None. The rows of `place_out` are: start of the row's values; number of its
    line, counted from 1; where in the block the line starts; where it stops; then five for the
    faults: line, start, stop, kind, and where the token at fault begins, or the index that occurs
    twice.

    Returns the numbers of lines, rows, values and faults, the names of the labels, whether values
    were written down at all (not if all are 1), and (n_features, integral, lowest, highest).
    """
    cdef Py_ssize_t size = block.shape[0]
    cdef const unsigned char* begin = &block[0] if size else NULL
    cdef LabelTable labels = LabelTable()
    cdef Sink sink
    cdef Table table
    cdef bint has_room
    if (
        min(column_out.shape[0], value_out.shape[0]) <= size // 4
        or min(label_out.shape[0], place_out.shape[1]) < 1 or place_out.shape[0] < 9
    ):
        raise ValueError("there is no room for what such a block can hold")
    table.row_start, table.label, table.fault = &place_out[0, 0], &label_out[0], &place_out[4, 0]
    table.line, table.start, table.stop = &place_out[1, 0], &place_out[2, 0], &place_out[3, 0]
    table.stride, table.room = place_out.shape[1], min(place_out.shape[1], label_out.shape[0])
    table.n_lines = table.n_rows = table.n_faults = table.n_features = 0
    sink.column, sink.value, sink.n = &column_out[0], &value_out[0], 0
    sink.plain = sink.integral = True
    sink.ones = False
    sink.lowest, sink.highest = INFINITY, -INFINITY
    sink.first_index = one_based
    sink.largest_column = n_columns - 1
    sink.wide = wide
    sink.fault = SOUND
    with nogil:
        has_room = scan_lines(&sink, &table, labels, begin, size)
    if not has_room:
        return None
    if sink.fault == OUT_OF_MEMORY:
        raise MemoryError
    if sink.ones or (sink.plain and sink.n):
        sink.lowest, sink.highest = min(sink.lowest, 1.0), max(sink.highest, 1.0)
    elif not sink.n:
        sink.lowest = sink.highest = 0.0
    return (
        (table.n_lines, table.n_rows, sink.n, table.n_faults),
        labels.names(),
        not sink.plain,
        (table.n_features, bool(sink.integral), sink.lowest, sink.highest),
    )
