"""A sum to twice the precision of a double, kept up to date term by term."""


cdef inline void add_to(double* total, double* error, double amount) noexcept nogil:
    """Add so that total + error is the sum; the error is what rounding left behind (Knuth)."""
    cdef double old = total[0]
    cdef double new = old + amount
    cdef double part = new - old
    error[0] += (old - (new - part)) + (amount - part)
    total[0] = new
