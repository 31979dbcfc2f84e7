"""The engine of AdaGrad."""

from libc.math cimport sqrt

from thresher.kernels.engines.identity_link cimport IdentityLinkEngine


cdef class AdaGradEngine(IdentityLinkEngine):
    cdef double rate
    cdef bint logistic

    cdef inline void descend(self, Py_ssize_t i, double gradient) noexcept nogil:
        """One step, its length by the squared gradients so far, which follow the weight."""
        cdef double* squares = &self.weight[2 * i + 1]
        squares[0] += gradient * gradient
        # A gradient whose square underflows moves nothing.
        if squares[0] > 0.0:
            self.step(i, self.rate * gradient / sqrt(squares[0]))
