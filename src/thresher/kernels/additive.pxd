"""The Perceptron's engine."""

from thresher.kernels.engine cimport Engine


cdef class AdditiveEngine(Engine):
    cdef bint whole_weights
    cdef double largest_weight
