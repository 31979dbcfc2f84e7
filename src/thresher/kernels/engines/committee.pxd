"""The Committee's engine, for other kernels."""

from libc.stdint cimport int16_t, int32_t, int64_t, uint32_t

from thresher.kernels.engines.engine cimport Engine

cdef extern from "committee.h" nogil:
    enum:
        LANES
        SEATS
        MEMBERS
        EXPERTS
        MOST_COLUMNS
        PLACES

    ctypedef struct columns_t:
        int64_t n
        double rows
        int32_t* column
        double* mean
        double* squares
        int16_t* place

    ctypedef struct seat_t:
        int64_t kind
        double setting
        double* weight
        double* second

    ctypedef struct committee_t:
        int64_t n_members
        int64_t n_lanes
        int64_t present
        int64_t* rule
        int64_t* view
        float* setting
        seat_t* seat
        double rounds
        double mass
        double labels
        double weighed
        float* bias
        double* square
        double* slope
        double* curvature
        double* share
        double* spread
        double* prior
        double* belief
        double* likelihood
        int64_t* places
        int64_t* mistakes

    ctypedef struct row_t:
        const int32_t* column
        const double* value
        double* shrink
        int64_t n
        int64_t more

    ctypedef struct table_t:
        committee_t** state
        columns_t* columns
        int64_t n
        float* block
        int64_t stride

    ctypedef struct opinions_t:
        double* score
        double* odds
        double mixed

    ctypedef struct turn_t:
        double weight
        opinions_t said

    int64_t most_columns(int64_t kind)
    int64_t row_at(int64_t j)
    uint32_t place_of(const columns_t* columns, int32_t column)
    int wide_here()
    void judge(const table_t* table, const row_t* row, turn_t* turns, int wide)
    void play(const table_t* table, const row_t* row, int64_t own, turn_t* turns, int wide)
    void take_apart(const table_t* table, const row_t* row, int64_t c, turn_t* turns, float* part)


cdef class CommitteeEngine(Engine):
    cdef committee_t state
    # Row i holds the weights and the second numbers of feature i, a cache line of floats.
    cdef float[:, ::1] block
    # One over the largest value of each feature so far.
    cdef double[::1] shrink
    cdef readonly bint plain
    # The columns while they are few, and the arrays behind the pointers of columns and seats.
    cdef columns_t columns
    cdef list arrays
    # Where the columns of the batch under way end, to look ahead of a row.
    cdef const int32_t* end
    cdef int wide

    cdef void fill_row(
        self, row_t* row, const int32_t* column, const double* value, Py_ssize_t n
    ) noexcept nogil
    cdef table_t alone(self, committee_t** state) noexcept nogil
    cdef int make_slots(self, Py_ssize_t n) except -1
