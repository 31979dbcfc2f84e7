"""A row in the order of its columns, in place: heap sort, which no order slows down."""

from libc.stdint cimport int32_t


cdef inline void swap(
    int32_t* column, double* value, Py_ssize_t a, Py_ssize_t b
) noexcept nogil:
    cdef int32_t other = column[a]
    cdef double moved
    column[a] = column[b]
    column[b] = other
    if value != NULL:
        moved = value[a]
        value[a] = value[b]
        value[b] = moved


cdef inline void sort_row(int32_t* column, double* value, Py_ssize_t n) noexcept nogil:
    """Heap sort: no memory, and no row that takes long. `value` is NULL where all are 1."""
    cdef Py_ssize_t size = n, root = n // 2, parent, child
    cdef int32_t moving
    cdef double moved = 1.0
    while size > 1:
        if root > 0:
            root -= 1
        else:
            size -= 1
            swap(column, value, 0, size)
        parent = root
        moving = column[root]
        if value != NULL:
            moved = value[root]
        while True:
            child = 2 * parent + 1
            if child >= size:
                break
            if child + 1 < size and column[child + 1] > column[child]:
                child += 1
            if column[child] <= moving:
                break
            column[parent] = column[child]
            if value != NULL:
                value[parent] = value[child]
            parent = child
        column[parent] = moving
        if value != NULL:
            value[parent] = moved
