"""The Committee's engine, for other kernels."""

from libc.stdint cimport int32_t, int64_t

from thresher.kernels.engines.engine cimport Engine
from thresher.kernels.engines.feature_memory cimport FeatureMemory, columns_t

cdef extern from "committee.h" nogil:
    enum:
        LANES
        SEATS
        MEMBERS
        EXPERTS
        PLACES
        INPUTS

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
        float* start
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

    ctypedef struct committee_room_t:
        pass

    committee_t* within(committee_room_t* room)

    ctypedef struct row_t:
        const int32_t* slot
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
        double* joint_odds
        double mixed

    ctypedef struct turn_t:
        double weight
        opinions_t said

    int widest_here()
    void judge(const table_t* table, const row_t* row, turn_t* turns, int breadth)
    void play(const table_t* table, const row_t* row, int64_t own, turn_t* turns, int breadth)
    void take_apart(const table_t* table, const row_t* row, int64_t c, turn_t* turns, float* part)


# For the other kernels that play rounds: the loops are linked into this one alone.
cdef void (*judge_row)(const table_t*, const row_t*, turn_t*, int) noexcept nogil
cdef void (*play_row)(const table_t*, const row_t*, int64_t, turn_t*, int) noexcept nogil
cdef void (*take_row_apart)(const table_t*, const row_t*, int64_t, turn_t*, float*) noexcept nogil


cdef class CommitteeEngine(Engine):
    cdef committee_t* state
    cdef committee_room_t room
    # The slots of the features, and which of the lines in each is ours: others, who saw the same
    # rows, may have the same memory.
    cdef readonly FeatureMemory memory
    cdef readonly Py_ssize_t place
    # The arrays behind the seats, and for how many slots of columns they have room.
    cdef list seats
    cdef Py_ssize_t slots
    # Where the slots of the batch under way end, to look ahead of a row.
    cdef const int32_t* end
    cdef int breadth

    cdef void fill_row(
        self, row_t* row, const int32_t* slot, const double* value, Py_ssize_t n
    ) noexcept nogil
    cdef table_t alone(self, committee_t** state) noexcept nogil
    cdef int make_slots(self) except -1
    cdef int point_at_seats(self) except -1
