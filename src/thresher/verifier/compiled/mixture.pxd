"""The mixture of a committee, for the committee's replay."""

from libc.stdint cimport int64_t

cdef enum:
    MOST = 15           # members
    EXPERTS = MOST + 2  # and the two combinations of them

cdef double exponential(double x) noexcept nogil
cdef double logarithm(double x) noexcept nogil


cdef inline double within(double x, double most) noexcept nogil:
    return most if x > most else -most if x < -most else x


cdef class MixtureRun:
    # Members: all, and those who have not left, who come first.
    cdef int n
    cdef readonly int present
    cdef readonly double rounds
    cdef double square[MOST]
    cdef double slope[MOST]
    cdef double curvature[MOST]
    # Of the members and, last, of the constant: what they weigh in the combination.
    cdef double share[MOST + 1]
    cdef double spread[MOST + 1][MOST + 1]
    # What the experts weigh at the start, and now.
    cdef double prior[EXPERTS]
    cdef double belief[EXPERTS]
    # Of the experts and, last, of the mixture: a likelihood is value * 2^(-512 places).
    cdef double value[EXPERTS + 1]
    cdef int64_t places[EXPERTS + 1]
    cdef int64_t wrong[EXPERTS + 1]
    # What is said of the row under way: scores, to be set by who asks; the rest by `listen`.
    cdef double score[MOST]
    cdef double standard[MOST]
    cdef double odds[EXPERTS]
    cdef double lean[EXPERTS]
    cdef double mixed

    cdef int expert(self, int e) noexcept nogil
    cdef void listen(self) noexcept nogil
    cdef void note(self, int expert, double lean, bint wrong, double y) noexcept nogil
    cdef void keep_count(self, double y) noexcept nogil
    cdef void believe(self, double y, double weight) noexcept nogil
    cdef void learn(self, double y, double weight) noexcept nogil
    cdef void learn_combination(self, double y, double weight) noexcept nogil
    cdef int place(self, int i) noexcept nogil
    cdef void let_go(self, int staying) noexcept nogil
