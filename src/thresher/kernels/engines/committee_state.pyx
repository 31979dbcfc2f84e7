"""The arrays that a committee's state consists of: their sizes, their start, which make sense.

Used by `committee`. What is done with them is in `mixture.h` and `seats.h`; the slow twin is
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
        HATS_OF_A_COLUMN
        SQUARES
        CLASSES
        PAIRS
        MATRIX
        HATS

    int64_t most_columns(int64_t kind)
    int64_t row_at(int64_t j)

# The members in seats, (rule, rows); those further down leave first.
SEAT_KINDS = (
    ("arow", "standard"), ("arow", "squares"), ("means", "standard"),
    ("arow", "pairs"), ("matrix", "standard"), ("arow", "hats"),
)

# What starts with how much of the weight: all members together, their average, the combination. A
# member in a seat has as much as eight in lanes.
OF_MEMBERS, OF_AVERAGE, OF_COMBINATION = 0.6, 0.3, 0.1
OF_A_SEAT = 8.0


def begin(parts, Py_ssize_t n_lanes):
    """Give the parts of a committee that has heard nothing, by name, what they start with."""
    n = len(parts["slope"])
    count = np.append(np.ones(n_lanes), np.full(n - n_lanes, OF_A_SEAT))
    share = count / count.sum()
    parts["slope"][:] = 0.5
    parts["curvature"][:] = parts["likelihood"][:] = 1.0
    parts["share"][:] = np.append(0.0, share)
    parts["spread"][:] = np.eye(n + 1)
    parts["prior"][:] = parts["belief"][:] = [*OF_MEMBERS * share, OF_AVERAGE, OF_COMBINATION]


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
    row = np.arange(HATS_OF_A_COLUMN * n if kind == HATS else n)
    if kind == CLASSES:
        # Four columns under -1, the same under +1: all of one class, then those of the other.
        low = row + 4 * (row // 4)
        return row, np.concatenate([low, low + 4])
    if kind == PAIRS:
        return in_triangle(n), in_triangle(n)
    return row, (in_triangle(n) if kind == MATRIX else row)


def fresh_seat(int kind, Py_ssize_t room):
    """Weights and second numbers of a seat that has learned nothing; there is room for fours."""
    limit = 4 * ((most_columns(kind) + 4) // 4)
    n = min(room, limit)
    if kind == CLASSES:
        return [np.zeros(n), np.zeros(2 * n)]
    if kind == HATS:
        n *= HATS_OF_A_COLUMN
    if kind == PAIRS:
        n = triangle_size(n)
    if kind != MATRIX:
        return [np.zeros(n), np.ones(n)]
    matrix = np.zeros(triangle_size(n))
    matrix[[row_at(j) + j for j in range(n)]] = 1.0
    return [np.zeros(n), matrix]


def as_lines(dual):
    """Numbers of all features, one feature after another, as a line for each."""
    if dual.dtype != np.float32 or dual.ndim != 1 or dual.size % (2 * LANES) or not dual.size:
        raise StateError(f"the state of a committee is {2 * LANES} numbers for each feature.")
    return dual.reshape(-1, 2 * LANES)


def weigh_something(label, importance, double negative, double positive):
    """Which rows weigh something: an array of truths, or True where all do."""
    if importance is None and min(negative, positive) > 0.0:
        return True
    of_class = np.where(np.asarray(label) > 0, positive, negative)
    return (of_class if importance is None else of_class * np.asarray(importance)) > 0.0


# ---- what no run could have left behind --------------------------------------------------------

# Values are at most 1e100, so that one over the largest is no less than this.
cdef double LEAST_SHRINK = 1e-100 * (1.0 - 1e-9)
# Each round moves a share by less than the spread times the largest float: far less.
cdef double LARGEST = 1e150
# Of values that are at most 1e100, with room for rounding.
cdef double LARGEST_MEAN = 1e100 * (1.0 + 1e-9)
# A float to which small steps are added stops growing at some 2^24 of them: squares of
# what a row weighs, 1e9 at most with its class. Summed over 2^31 columns, where values are at most
# 1, what is within this limit stays a float.
cdef float LARGEST_WEIGHT = 1e26
# What starts from the identity and only shrinks, with much room for rounding.
cdef double LARGEST_SPREAD = 1e6
# How far from symmetric and from positive a matrix may be, next to its largest variance. Streams
# that were made to hurt (equal columns, weights from 1e-9 to 1e9) stay above 0 by 1e-13.
cdef double ROUNDING = 1e-6
# For each of the parts of the state: the least and the largest number.
LIMITS = {
    "square": (0.0, 1e300),
    "slope": (0.01, LARGEST),
    "curvature": (1.0, LARGEST),
    "share": (-LARGEST, LARGEST),
    "spread": (-LARGEST_SPREAD, LARGEST_SPREAD),
    # Nobody starts from nothing: those who are present are divided by what they started with.
    "prior": (1e-3, 1.0 + 1e-6),
    "belief": (0.0, 1.0 + 1e-6),
    # A likelihood below 2^-512 gets another place.
    "likelihood": (1e-160, 1.0),
}


def require(what, part, double least, double most):
    """Refuse numbers outside of their limits, and say which one it is."""
    part = np.asarray(part)
    # Written so that NaN is refused as well.
    wrong = np.flatnonzero(~((part >= least) & (part <= most)))
    if len(wrong):
        which = f"{what}[{wrong[0]}]" if part.ndim else what
        raise StateError(
            f"{which} of a committee is {part.flat[wrong[0]]:g}, and no run leads there: "
            f"it is from {least:g} to {most:g}."
        )


def require_covariance(what, matrix):
    """Refuse a matrix that is none of covariances: from it, rows would count less than nothing."""
    matrix = np.asarray(matrix)
    slack = ROUNDING * np.max(np.abs(np.diagonal(matrix)), initial=1e-300)
    try:
        sound = np.all(np.abs(matrix - matrix.T) <= slack)
        np.linalg.cholesky(matrix + slack * np.eye(len(matrix)))
    except np.linalg.LinAlgError:
        sound = False
    if not sound:
        raise StateError(f"{what} of a committee is no matrix of covariances, as a run keeps one.")


def taken_apart(other, own):
    """What a committee keeps beside the features: totals, bias, parts by name, and seats."""
    other = [np.asarray(part) for part in other]
    shapes = [(5,), (2 * LANES,), *(part.shape for part in own.values())]
    if [part.shape for part in other[:len(shapes)]] != shapes:
        raise StateError(f"what a committee keeps beside the features is not of sizes {shapes}.")
    totals, bias, *parts = other[:len(shapes)]
    return totals, bias, dict(zip(own, parts)), other[len(shapes):]


def check_totals(totals, kinds, Py_ssize_t n_lanes):
    """Rounds, labels, weights and seats go together; the kinds of the seats that are not left."""
    rounds, labels, mass, weighed, present = totals.tolist()
    require("rounds", rounds, 0.0, 2.0**53)
    require("the number of rounds with a weight", weighed, 0.0, rounds)
    require("the sum of the weights", mass, 0.0, 1e18 * rounds)
    require("the sum of the labels", labels, -mass * (1.0 + 1e-9), mass * (1.0 + 1e-9))
    if not all(number.is_integer() for number in (rounds, weighed, present)):
        raise StateError(f"rounds and members are whole numbers, not {totals.tolist()}.")
    if weighed == 0.0 and mass != rounds:
        raise StateError(f"{rounds:g} rows that weigh 1 do not weigh {mass:g}.")
    require("the members present", present, n_lanes, n_lanes + len(kinds))
    return kinds[:int(present) - n_lanes]


def check_parts(parts, double rounds):
    """The numbers that a committee keeps of its members, by name, after so many rounds."""
    for name, (least, most) in LIMITS.items():
        require(name, parts[name], least, most)
    require_covariance("spread", parts["spread"])
    for name in ("places", "mistakes"):
        require(name, parts[name], 0.0, rounds)
    for name in ("prior", "belief"):
        require(f"the sum of {name}", np.sum(parts[name]), 1.0 - 1e-6, 1.0 + 1e-6)


def limits_of_lines(rules, start):
    """The least and the largest number in each place of a line, by the rules of the lanes.

    A variance falls from 1, a sum of squares and a count rise from what they started with.
    """
    start = np.asarray(start)
    falls = np.array(rules) == 0
    least = np.append(np.full(LANES, -LARGEST_WEIGHT), np.where(falls, 0.0, start))
    most = np.append(np.full(LANES, LARGEST_WEIGHT), np.where(falls, start, LARGEST_WEIGHT))
    return least.astype(np.float32), most.astype(np.float32)


def check_lines(what, lines, const float[::1] least, const float[::1] most):
    """Refuse lines, one or more in a row, with a number outside of these limits."""
    cdef const float[:, :] line
    cdef Py_ssize_t i, k, found = -1, width = 2 * LANES
    if lines.dtype != np.float32 or lines.ndim != 2 or lines.shape[1] % width:
        raise StateError(f"a committee keeps {width} floats of {what}.")
    line = lines
    with nogil:
        for i in range(line.shape[0]):
            for k in range(line.shape[1]):
                if not least[k % width] <= line[i, k] <= most[k % width]:
                    found = i
    if found >= 0:
        for k in range(lines.shape[1]):
            require(f"{what}[{found}]", lines[found, k], least[k % width], most[k % width])


def check_features(features, Py_ssize_t limit, Py_ssize_t n_committees, least, most):
    """What was learned of features: of columns below `limit`, each with a line a committee."""
    if len(features) != 8:
        raise StateError("a committee keeps eight things of its features.")
    n_features, plain, column, shrink, narrow, mean, squares, lines = features
    if type(n_features) is not int or not 0 <= n_features <= limit or type(plain) is not bool:
        raise StateError(f"a committee has no {n_features} features here.")
    width = 2 * LANES * n_committees
    if (
        column.dtype != np.int32 or column.ndim != 1 or narrow.shape != (2,)
        or shrink.shape != column.shape or lines.shape != (len(column), width)
    ):
        raise StateError("a committee keeps one line and one largest value of each feature.")
    if len(column) and not 0 <= column.min() <= column.max() < n_features:
        raise StateError("a committee has learned from a feature that is not there.")
    if not np.all(np.diff(np.sort(column)) > 0):
        raise StateError("a column has two slots in a committee.")
    require("shrink", shrink, LEAST_SHRINK, UNSEEN)
    known = narrow[0] - 1.0 if narrow[0] else 0.0
    if not (mean.shape == squares.shape == (known,)) or not 0 <= known <= MOST_COLUMNS:
        raise StateError("mean and deviation are those of the columns that a committee knows.")
    if known > len(column):
        raise StateError("a committee knows columns that it has not learned from.")
    require("mean", mean, -LARGEST_MEAN, LARGEST_MEAN)
    require("squares", squares, 0.0, 1e250)
    check_lines("features", lines, least, most)


def check_rows(double rounds, Py_ssize_t n, double rows):
    """While there are few columns, `n` with the constant, each round is among their rows."""
    require("the number of rows", rows, rounds if n else 0.0, rounds)


def check_counts(double rounds, double mistakes, counts, bint some_weigh_nothing):
    """Rounds that taught something are among those that were counted; mistakes likewise."""
    played, false_negatives, false_positives = counts[:3]
    require("rounds", rounds, 0.0 if some_weigh_nothing else played, played)
    require("the mistakes of all", mistakes, 0.0, false_negatives + false_positives)


def check_seats(seats, kinds, n):
    """The numbers of seats of these kinds, for columns with `n` slots."""
    expected = [(len(where),) for kind in kinds for where in seat_places(kind, n)]
    few = all(0 <= n - 1 <= most_columns(kind) for kind in kinds)
    if [part.shape for part in seats] != expected or not few:
        raise StateError("the seats of a committee do not fit the columns it knows.")
    for k, kind in enumerate(kinds):
        require(f"the weights of seat {k}", seats[2 * k], -LARGEST, LARGEST)
        if kind == CLASSES:
            # What the rows of a class weigh comes before its means.
            require(f"the class means of seat {k}", seats[2 * k + 1], -LARGEST_MEAN, LARGEST_MEAN)
            require(f"the rows of seat {k}", seats[2 * k + 1][::n], 0.0, LARGEST_MEAN)
            continue
        least = -LARGEST_SPREAD if kind == MATRIX else 0.0
        require(f"the variances of seat {k}", seats[2 * k + 1], least, LARGEST_SPREAD)
        if kind == MATRIX:
            matrix = np.zeros((n, n))
            matrix[np.tril_indices(n)] = seats[2 * k + 1]
            require_covariance(f"the matrix of seat {k}", matrix + np.tril(matrix, -1).T)
