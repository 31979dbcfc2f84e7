"""Replays refuse to run where the processor does not round as they count on."""

from __future__ import annotations

import ctypes
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import thresher as th
from thresher.certifier import identity
from thresher.errors import ArithmeticModeError
from thresher.verifier import read_rows
from thresher.verifier.compiled import ieee

UPWARD = {"x86_64": 0x800, "aarch64": 0x400000}
#: Where the control word of the vector unit stands in the floating-point environment, and its
#: bits for results and operands that are taken to be zero.
CONTROL, FLUSHED, TAKEN_AS_ZERO = 28, 0x8000, 0x40


@contextmanager
def other_rounding() -> Iterator[None]:
    """Sums rounded upwards."""
    libm = ctypes.CDLL(None)
    before = libm.fegetround()
    assert libm.fesetround(UPWARD[platform.machine()]) == 0
    try:
        yield
    finally:
        libm.fesetround(before)


@contextmanager
def no_tiny_numbers(bits: int) -> Iterator[None]:
    """Tiny numbers flushed to zero, on processors whose environment is known here."""
    libm = ctypes.CDLL(None)
    before = ctypes.create_string_buffer(64)
    libm.fegetenv(before)
    raw, after = before.raw, CONTROL + 4
    word = int.from_bytes(raw[CONTROL:after], "little") | bits
    changed = raw[:CONTROL] + word.to_bytes(4, "little") + raw[after:]
    libm.fesetenv(ctypes.create_string_buffer(changed, 64))
    try:
        yield
    finally:
        libm.fesetenv(before)


MODES: list[tuple[str, Any, tuple[int, ...]]] = [("nearest", other_rounding, ())]
if platform.machine() == "x86_64":
    MODES += [
        ("flushed", no_tiny_numbers, (FLUSHED,)),
        ("flushed", no_tiny_numbers, (TAKEN_AS_ZERO,)),
    ]


@pytest.mark.parametrize(("says", "mode", "given"), MODES)
@pytest.mark.parametrize("name", ["Perceptron", "AROW", "Winnow", "PNormPerceptron"])
def test_a_replay_is_refused_in_another_arithmetic(
    says: str, mode: Any, given: tuple[int, ...], name: str
) -> None:
    algorithm, parameters = identity(getattr(th, name)(3))
    stream = read_rows(np.eye(3), [1, -1, 1])
    with mode(*given), pytest.raises(ArithmeticModeError, match=says):
        algorithm.replay(stream, parameters)
    assert len(algorithm.replay(stream, parameters).mistaken) >= 0


def test_the_arithmetic_of_a_fresh_process_is_accepted() -> None:
    assert not ieee.flushes_to_zero()
    assert ieee.rounds_to_nearest()
    ieee.require_gradual_underflow()
