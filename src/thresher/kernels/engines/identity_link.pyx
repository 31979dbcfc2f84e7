"""Weights that grow with the stream, and their mean over all rounds.

A weight comes with a second number where the update needs one, and with the sum of its
steps, each times the number of its round, where the mean is wanted: so a round without
an update costs nothing, and one with an update costs its row.

Used by `additive`, `passive_aggressive`, `arow` and `adagrad`; their slow twins, such as
`tests/reference/perceptron.py`, keep weights in dicts and have nothing to grow.
"""

from libc.stdint cimport int32_t

import numpy as np

from thresher.errors import StateError
from thresher.kernels.engines.engine cimport Engine
from thresher.kernels.rows.named_rows import LARGEST_GROWN_INDEX

#: No run comes near: an update leaves a weight within 1e150, and the history sums less than 2^64
#: squared of them. Times a feature of 1e100, and summed over 2^31 columns, it stays a double.
LARGEST_SAVED = 1e190


cdef class IdentityLinkEngine(Engine):
    """The dual vector is the weight vector; the bias stays last while it grows."""

    def __cinit__(self):
        # An attribute that was never assigned is not None.
        self.history = self.level = None

    def give_second(self, double start):
        """Keep a second number beside each weight, which begins at `start`; once.

        Whoever needs one needs the other: in one line of the cache they are one wait.
        """
        self.second_start = start
        self.spread = 2
        self.weight = np.tile([0.0, start], self.weight.shape[0])

    def average(self):
        """Predict with the mean of the weights of all rounds; once."""
        self.averaging = True
        self.history = np.zeros(self.weight.shape[0])

    cdef double score(
        self, const int32_t* column, const double* value, Py_ssize_t n
    ) except? -1.5 nogil:
        return self.mean_score(column, value, n)

    cdef int make_room(self, Py_ssize_t n_features) except -1:
        """Grow in doubling steps, the bias staying last."""
        if n_features > self.n_weights and self.names.growing:
            self.resize(n_features, n_features)
        return 0

    cdef int take_room(self, Py_ssize_t n_features) except -1:
        if n_features > self.n_weights and self.names.growing:
            # What lies beyond will be refused.
            self.resize(self.n_weights, min(n_features, <Py_ssize_t> LARGEST_GROWN_INDEX + 1))
        return 0

    cdef int resize(self, Py_ssize_t in_use, Py_ssize_t n_features) except -1:
        """Have so many features in use, and room for `n_features`."""
        cdef Py_ssize_t bias = self.bias_slot >= 0
        cdef Py_ssize_t room = self.weight.shape[0] // self.spread
        if n_features + bias > room:
            self.enlarge(max(n_features, 2 * self.n_weights, 16) + bias)
        if bias:
            self.move_bias(in_use)
        self.n_weights = in_use
        return 0

    cdef int enlarge(self, Py_ssize_t room) except -1:
        """Have room for so many weights, the bias among them; what is in use stays where it is."""
        # Memory may end with any of them; nothing has changed then.
        level, history, largest_seen = self.level, self.history, self.largest_seen
        if level is None:
            weight = self.grown(self.numbers(), room, self.fresh()).reshape(-1)
        else:
            weight, level = np.zeros(room), self.grown(level, room, 0)
        if history is not None:
            history = self.grown(history, room, 0.0)
        if largest_seen is not None:
            largest_seen = self.grown(largest_seen, room, 0.0)
        self.weight, self.level = weight, level
        self.history, self.largest_seen = history, largest_seen
        return 0

    def grown(self, array, Py_ssize_t room, start):
        """The array with room for so many entries, the new ones `start`."""
        array = np.asarray(array)
        larger = np.full((room, *array.shape[1:]), start, array.dtype)
        larger[:self.in_use] = array[:self.in_use]
        return larger

    cdef void move_bias(self, Py_ssize_t to) noexcept:
        """Keep the bias in this place from now on; the old one is that of a fresh feature."""
        cdef Py_ssize_t at = self.bias_slot, k
        if to == at:
            return
        for k in range(self.spread):
            self.weight[to * self.spread + k] = self.weight[at * self.spread + k]
            self.weight[at * self.spread + k] = self.second_start if k else 0.0
        if self.level is not None:
            self.level[to], self.level[at] = self.level[at], 0
        if self.history is not None:
            self.history[to], self.history[at] = self.history[at], 0.0
        if self.largest_seen is not None:
            self.largest_seen[to], self.largest_seen[at] = self.largest_seen[at], 0.0
        self.bias_slot = to

    def numbers(self):
        """The weights, each with its second number if it has one, as lines; not a copy."""
        return np.asarray(self.weight).reshape(-1, self.spread)

    def fresh(self):
        """The line of a weight that nothing has changed."""
        return np.array([0.0, self.second_start][:self.spread])

    def needs_no_values(self, row_start):
        """Whether rows of ones may be played without values: 1 times a weight is the weight."""
        return True

    @property
    def in_use(self):
        """Number of entries in use, the bias included."""
        return self.n_weights + (self.bias_slot >= 0)

    def dual(self):
        """The dual vector, the bias last."""
        return np.array(self.numbers()[:self.in_use, 0])

    def stored(self):
        """A copy of the weights, the bias last."""
        return self.dual()

    def set_dual(self, dual):
        """Replace the dual vector (the bias last); all else begins anew."""
        dual = np.array(dual, np.float64)
        if dual.ndim != 1 or not np.all(np.abs(dual) <= LARGEST_SAVED):
            raise StateError(
                f"a dual vector must be one-dimensional, its entries at most {LARGEST_SAVED:g}."
            )
        self.make_room(len(dual) - (self.bias_slot >= 0))
        if len(dual) != self.in_use:
            raise StateError(
                f"the dual vector has {len(dual)} entries, the learner {self.in_use}."
            )
        self.numbers()[:] = self.fresh()
        self.numbers()[:len(dual), 0] = dual
        if self.history is not None:
            self.history[:] = 0.0

    def mean(self):
        """The mean of the weights of all rounds and of the one to come, the bias last."""
        return self.dual() - np.asarray(self.history)[:self.in_use] / (self.n_rounds + 1)

    def companions(self):
        """The arrays beside the weights, as far as they are in use; not copies."""
        kept = list(self.numbers()[:self.in_use, 1:].T)
        if self.history is not None:
            kept.append(np.asarray(self.history)[:self.in_use])
        return kept

    def other_state(self):
        """What the state holds beside the dual vector: second numbers, then history, if any."""
        return tuple(array.copy() for array in self.companions())

    def set_other_state(self, other):
        """Take over what was saved, after `set_dual`."""
        arrays = self.companions()
        if len(other) != len(arrays):
            raise StateError(f"beside the weights there are {len(arrays)} arrays.")
        for k, (array, saved) in enumerate(zip(arrays, other)):
            saved = np.asarray(saved, np.float64)
            # Scores are made of the history as of weights; second numbers hold squares.
            most = 1e300 if k < self.spread - 1 else LARGEST_SAVED
            if saved.shape != array.shape or not np.all(np.abs(saved) <= most):
                raise StateError(
                    f"beside the weights there are {len(array)} numbers each, at most {most:g}."
                )
            array[:] = saved
        if self.spread > 1 and not np.all(arrays[0] >= self.second_start):
            raise StateError(f"second numbers only grow, and begin at {self.second_start}.")
