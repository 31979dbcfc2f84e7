"""Memory that is used again; see `spare_memory.pyx`."""


cdef class SpareMemory:
    # What there is, and for how many items each has room.
    cdef list pieces
    cdef list room

    cdef object free_piece(self, Py_ssize_t size)
    cdef int keep(self, object piece, Py_ssize_t room, Py_ssize_t n_bytes) except -1


cdef class SpareArrays(SpareMemory):
    cdef object kind


cdef class SpareTexts(SpareMemory):
    cdef bytes take(self, Py_ssize_t room)


cdef void resize(bytes text, Py_ssize_t size) noexcept
