"""The arrays that a committee's state consists of: their sizes, their start, which make sense.

Used by `committee`. What is done with them is in `committee.h` and `seats.h`; the slow twin is
`tests/reference/committee.py`.
"""

from libc.stdint cimport int64_t

import numpy as np

from thresher.errors import StateError
from thresher.kernels.engines.feature_memory import UNSEEN

cdef extern from "seats.h" nogil:
    enum:
        LANES
        MOST_COLUMNS

    int64_t most_columns(int64_t kind)
    int64_t row_at(int64_t j)

# The members in seats, (rule, rows); those further down leave first.
SEAT_KINDS = (
    ("arow", "standard"), ("arow", "squares"), ("arow", "pairs"), ("matrix", "standard")
)


def cache_lines(Py_ssize_t n_features, Py_ssize_t n_committees):
    """A row for each feature with 16 zeros for each committee, which are one line of the cache.

    Memory that nobody writes to is not used: the system has it ready, and gives it out in pages.
    """
    cdef Py_ssize_t width = 2 * LANES, size = n_features * n_committees * width
    room = np.zeros(size + width, np.float32)
    skip = -(room.ctypes.data // 4) % width
    return room[skip:skip + size].reshape(n_features, -1)


def seat_limits():
    """For each kind of seat, how many columns a stream may have before it is left."""
    return tuple(most_columns(kind) for kind in range(len(SEAT_KINDS)))


cdef Py_ssize_t triangle_size(Py_ssize_t n) noexcept:
    return row_at(n)


def in_triangle(n):
    """Where in a padded triangle of n rows the n (n + 1) / 2 numbers are."""
    return np.concatenate([np.zeros(0, np.intp), *(row_at(j) + np.arange(j + 1) for j in range(n))])


def seat_places(int kind, n):
    """Where the weights and the second numbers of a seat are in its arrays."""
    row, triangle = np.arange(n), in_triangle(n)
    return (triangle if kind == 2 else row), (row if kind < 2 else triangle)


def fresh_seat(int kind, Py_ssize_t room):
    """Weights and second numbers of a seat that has learned nothing; there is room for fours."""
    limit = 4 * ((most_columns(kind) + 4) // 4)
    n = min(room, limit)
    if kind < 2:
        return [np.zeros(n), np.ones(n)]
    if kind == 2:
        return [np.zeros(triangle_size(n)), np.ones(triangle_size(n))]
    matrix = np.zeros(triangle_size(n))
    matrix[[row_at(j) + j for j in range(n)]] = 1.0
    return [np.zeros(n), matrix]


def check_numbers(totals, parts, standing, standards, shapes):
    """Refuse numbers that no run could have left behind; `parts` go by name."""
    arrays = [*parts.values(), standing]
    numbers = np.concatenate([totals, *(part.ravel() for part in (*arrays, *standards))])
    if [part.shape for part in arrays] != shapes or not np.all(np.isfinite(numbers)):
        raise StateError("what a committee keeps beside the features are finite numbers, "
                         f"in arrays of {[shape[0] for shape in shapes]}.")
    weights = np.concatenate([parts["prior"], parts["belief"]])
    if not np.all((weights >= 0.0) & (weights <= 1.0 + 1e-6)):
        raise StateError("the weights of the experts of a committee are from 0 to 1.")
    if not np.all((parts["shrink"] >= 0.0) & (parts["shrink"] <= UNSEEN)):
        raise StateError("one over the largest value of a feature is a positive number.")
    # Each round moves a share by less than the spread times the largest float: far less.
    if not np.all(np.abs(parts["share"]) <= 1e150):
        raise StateError("the shares of the experts of a committee are at most 1e150.")


def check_standards(standing, standards, kinds, members, n_features):
    """Refuse columns and seats that no run could have left behind.

    `kinds` are those of all seats, `members` how many members may be present.
    """
    mass, weighed, present, narrow, rows = standing.tolist()
    column, _, squares, *seats = standards
    n = len(column) + 1
    if present not in members:
        raise StateError(f"a committee of {members[-1]} has no {present} members.")
    kinds = kinds[:int(present) - members[0]]
    expected = [(n - 1,)] * 3
    for kind in kinds:
        expected += [(len(where),) for where in seat_places(kind, n)]
    few = all(n - 1 <= most_columns(kind) for kind in kinds) and n - 1 <= MOST_COLUMNS
    if [part.shape for part in standards] != expected or not few or (kinds and not narrow):
        raise StateError("the seats of a committee do not fit the columns it knows.")
    known = np.unique(column)
    if len(known) != n - 1 or not np.all((known >= 0) & (known < n_features)
                                         & (known == np.rint(known))):
        raise StateError("the slots of a committee have different columns each.")
    largest = max((float(np.max(np.abs(part), initial=0.0)) for part in seats), default=0.0)
    if not np.all(squares >= 0.0) or min(mass, weighed, rows) < 0.0 or largest > 1e150:
        raise StateError("the seats of a committee hold numbers of at most 1e150.")


def with_seats(other, n):
    """The state of a committee that was saved when there were only lanes, eight of them."""
    rounds, labels, plain, shrink, square, slope, curvature, share, spread, *rest = other
    prior, belief, *record = (np.asarray(part) for part in rest)
    spread = np.asarray(spread).reshape(LANES, LANES)[:n, :n]
    record = [np.append(part[:n + 2], part[LANES + 2:]) for part in record]
    nothing = [np.zeros(0, np.int32), np.zeros(0), np.zeros(0)]
    lanes = [np.asarray(part)[:n] for part in (square, slope, curvature, share)]
    return (rounds, labels, plain, shrink, *lanes, spread, prior[:n + 2], belief[:n + 2], *record,
            np.array([rounds, 0.0, n, 0.0, 0.0]), *nothing)
