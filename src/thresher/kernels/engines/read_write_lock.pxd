"""One writer or many readers."""


cdef class ReadWriteLock:
    cdef int readers
    cdef bint writing
    # The thread that writes, or wrote last.
    cdef unsigned long writer
    cdef int waiting
    cdef object gate
    cdef object queue

    cdef int begin_read(self) except -1
    cdef int end_read(self) except -1
    cdef int begin_write(self) except -1
    cdef int end_write(self) except -1
