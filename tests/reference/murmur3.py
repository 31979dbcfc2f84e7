"""The slow twin of `kernels/rows/murmur3.pyx`: MurmurHash3_x86_32 with Python's integers."""

from __future__ import annotations

MASK = 0xFFFFFFFF


def _rotate(x: int, bits: int) -> int:
    return (x << bits | x >> (32 - bits)) & MASK


def hash_bytes(key: bytes, seed: int = 0) -> int:
    """The hash: four bytes at a time, the rest, the length, then a final mix."""
    h = seed
    for start in range(0, len(key), 4):
        block = key[start : start + 4]
        k = int.from_bytes(block, "little") * 0xCC9E2D51 & MASK
        h ^= _rotate(k, 15) * 0x1B873593 & MASK
        if len(block) == 4:
            h = (_rotate(h, 13) * 5 + 0xE6546B64) & MASK
    h ^= len(key)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        h = (h ^ h >> shift) * factor & MASK
    return h
