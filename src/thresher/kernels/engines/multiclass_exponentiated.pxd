"""Exponentiated updates for several classes."""

from thresher.kernels.engines.multiclass_engine cimport MulticlassEngine


cdef class ExponentiatedClasses(MulticlassEngine):
    cdef readonly double rate
    cdef readonly double shift
    cdef bint mirrored
    cdef bint spread

    cdef void recentre(self) noexcept nogil
