from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.utils import murmurhash3_32

from tests.reference import murmur3 as reference
from thresher.kernels.rows.murmur3 import hash_bytes


@given(st.binary(max_size=40), st.integers(0, 2**32 - 1))
def test_the_hash_is_its_slow_twin(key: bytes, seed: int) -> None:
    assert hash_bytes(key, seed) == reference.hash_bytes(key, seed)


@given(st.binary(max_size=40), st.integers(0, 2**31 - 1))
def test_the_hash_is_the_one_of_scikit_learn(key: bytes, seed: int) -> None:
    assert hash_bytes(key, seed) == murmurhash3_32(key, seed=seed, positive=True)


@pytest.mark.parametrize(
    ("key", "seed", "expected"),
    [
        (b"", 0, 0),
        (b"", 1, 0x514E28B7),
        (b"", 0xFFFFFFFF, 0x81F16F39),
        (b"\xff\xff\xff\xff", 0, 0x76293B50),
        (b"Hello, world!", 0x9747B28C, 0x24884CBA),
        (b"The quick brown fox jumps over the lazy dog", 0x9747B28C, 0x2FA826CD),
    ],
)
def test_published_hashes_are_reproduced(key: bytes, seed: int, expected: int) -> None:
    assert hash_bytes(key, seed) == expected
