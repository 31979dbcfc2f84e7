"""The engine of Weighted Majority."""

from thresher.kernels.engines.normalized cimport NormalizedEngine


cdef class WeightedMajorityEngine(NormalizedEngine):
    pass
