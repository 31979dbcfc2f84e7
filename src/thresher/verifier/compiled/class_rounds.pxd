"""Rounds of learners with several classes, for the modules that say how a row changes them."""

from libc.stdint cimport int32_t, int64_t


cdef class ClassRounds:
    cdef const int64_t[::1] row_start
    cdef const int32_t[::1] column
    cdef const double[::1] value
    cdef const int32_t[::1] label
    # The class predicted in each round, -1 where none was known; whether weights changed, and
    # whether the class of the row was new.
    cdef int32_t[::1] said
    cdef unsigned char[::1] altered
    cdef unsigned char[::1] started
    # Weights of all classes for a feature stand side by side; the constant feature comes last.
    cdef double[::1] weight
    cdef unsigned char[::1] known_feature
    cdef Py_ssize_t width
    cdef Py_ssize_t n_classes
    # How many classes have appeared or were stated.
    cdef Py_ssize_t n_known
    cdef bint bias
    cdef double[::1] score
    # By how much an update moves each class.
    cdef double[::1] move

    cdef void add_up(self, Py_ssize_t t) noexcept nogil
    cdef Py_ssize_t best(self, Py_ssize_t but) noexcept nogil
    cdef bint accuse(self, Py_ssize_t label, bint all_of_them) noexcept nogil
    cdef bint learn(self, Py_ssize_t t, Py_ssize_t label) noexcept nogil
