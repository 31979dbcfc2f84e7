"""One writer or many readers, in the order in which they came.

Used by `engine`, whose slow twin, `tests/reference/engine.py`, has no need for it: what a
turn promises is that every answer is that of a learner between two batches.
"""

from collections import deque
from threading import Condition

from thresher.errors import BusyLearnerError

cdef extern from "Python.h":
    unsigned long PyThread_get_thread_ident() noexcept


cdef class ReadWriteLock:
    """Whose turn it is; plain counters, because they change under the interpreter lock."""

    def __cinit__(self):
        self.gate = Condition()
        self.queue = deque()

    def begin_learning(self):
        """Take the turn to write: one at a time, and nobody reads meanwhile."""
        self.begin_write()

    def end_learning(self):
        """Give the turn back."""
        self.end_write()

    def begin_scoring(self):
        """Take a turn to read: many at once, but none while a batch is being learned."""
        self.begin_read()

    def end_scoring(self):
        """Give the turn back."""
        self.end_read()

    cdef int begin_read(self) except -1:
        # The test and the count happen without letting another thread in between.
        if self.writing or self.waiting:
            self.queue_up(False)
        else:
            self.readers += 1
        return 0

    cdef int end_read(self) except -1:
        self.readers -= 1
        if self.readers == 0 and self.waiting:
            self.wake()
        return 0

    cdef int begin_write(self) except -1:
        if self.writing or self.readers or self.waiting:
            self.queue_up(True)
        else:
            self.writing = True
            self.writer = PyThread_get_thread_ident()
        return 0

    cdef int end_write(self) except -1:
        self.writing = False
        if self.waiting:
            self.wake()
        return 0

    def queue_up(self, bint write):
        """Sleep until it is our turn. Nobody overtakes: not readers a writer, nor the reverse."""
        ticket = object()
        if self.writing and self.writer == PyThread_get_thread_ident():
            # A value that asks, when it is to become a number, would wait for itself.
            raise BusyLearnerError
        with self.gate:
            self.queue.append(ticket)
            self.waiting += 1
            try:
                while self.queue[0] is not ticket or self.writing or (write and self.readers):
                    self.gate.wait()
                if write:
                    self.writing = True
                    self.writer = PyThread_get_thread_ident()
                else:
                    self.readers += 1
            finally:
                self.queue.remove(ticket)
                self.waiting -= 1
                # The next in line may be a reader as well.
                self.gate.notify_all()

    def wake(self):
        """Tell the sleepers that a turn has ended."""
        with self.gate:
            self.gate.notify_all()
