"""The engine of the elimination algorithm."""

from thresher.kernels.engines.winnow cimport WinnowEngine


cdef class EliminationEngine(WinnowEngine):
    pass
