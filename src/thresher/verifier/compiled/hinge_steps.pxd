"""Passive-Aggressive, AROW and AdaGrad: steps in most rounds, by the margin of each."""

from thresher.verifier.compiled.linear_rounds cimport LinearRounds, Row


cdef class PassiveAggressiveRounds(LinearRounds):
    cdef int variant        # 0 for PA, 1 for PA-I, 2 for PA-II
    cdef double c

    cdef double square_of(self, const Row* row) noexcept nogil


cdef class ArowRounds(LinearRounds):
    cdef double r
    cdef bint waits         # no precision is above 4 yet, and rows of -1 bring none there
    cdef double[::1] precision

    cdef void trust(
        self, Py_ssize_t i, double x, double beta, double r, const Row* row
    ) noexcept nogil


cdef class AdaGradRounds(LinearRounds):
    cdef double rate
    cdef bint logistic
    # The sum of the squared gradients of each feature.
    cdef double[::1] squares

    cdef double slope_of(self, double margin) noexcept nogil
    cdef void descend(self, Py_ssize_t i, double gradient, const Row* row) noexcept nogil
