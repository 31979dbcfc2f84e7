"""The scores of a committee taken apart, for whoever asks why.

Used by `learners.two_class.committee`. The work is done in `committee_loops.c`; the slow twin is
`tests/reference/committee.py`, whose members add up what is given here one by one.
"""

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy

import numpy as np

from thresher.kernels.engines.committee cimport (
    EXPERTS, LANES, MEMBERS, CommitteeEngine, committee_t, row_t, table_t, take_row_apart, turn_t,
)


def scores_taken_apart(
    CommitteeEngine engine not None,
    const int64_t[::1] row_start,
    const int32_t[::1] column,
    const double[::1] value,
):
    """What the scores of rows are made of, for whoever asks why; nothing changes.

    Returns what each lane adds for the constant feature and for each value of the rows; the
    score of each member who is present; the log-odds of these, of the average and of the
    combination; and the score of each row.
    """
    cdef Py_ssize_t t, start, n_rows = row_start.shape[0] - 1
    # A row more than there are, so that there is a first one to point at.
    cdef float[:, ::1] part = np.zeros((column.shape[0] + 1, LANES), np.float32)
    cdef double[:, ::1] score = np.zeros((n_rows + 1, MEMBERS))
    cdef double[:, ::1] odds = np.zeros((n_rows + 1, EXPERTS))
    cdef double[::1] mixed = np.zeros(n_rows)
    cdef const int32_t[::1] slot = engine.memory.slots_of(row_start, column, False)
    cdef const int32_t* slots = &slot[0] if slot.shape[0] else NULL
    cdef const double* values = &value[0] if value.shape[0] else NULL
    cdef row_t row
    cdef committee_t* state = engine.state
    cdef table_t table = engine.alone(&state)
    cdef turn_t turn
    cdef Py_ssize_t n = engine.state.present
    for t in range(n_rows):
        start = row_start[t]
        engine.fill_row(&row, slots + start, values + start, row_start[t + 1] - start)
        take_row_apart(&table, &row, 0, &turn, &part[start, 0])
        memcpy(&score[t, 0], turn.said.score, MEMBERS * sizeof(double))
        memcpy(&odds[t, 0], turn.said.odds, n * sizeof(double))
        memcpy(&odds[t, n], turn.said.joint_odds, 2 * sizeof(double))
        mixed[t] = turn.said.mixed
    return (
        np.array(<float[:LANES]> engine.state.bias),
        np.asarray(part)[:-1],
        np.asarray(score)[:-1],
        np.asarray(odds)[:-1],
        np.asarray(mixed),
    )
