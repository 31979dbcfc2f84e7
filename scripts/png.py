"""PNG files: read pixel by pixel, and written with a palette, in a third of the bytes."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray


def pixels(png: bytes) -> NDArray[np.uint8]:
    """The colours of a picture, as the browser writes it: 8 bits, three or four a pixel."""
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    assert depth == 8
    each = {2: 3, 6: 4}[kind]
    data, at = b"", 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + length]
        at += 12 + length
    lines = np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, 1 + width * each)
    out = np.zeros((height + 1, width + 1, each), np.int64)
    for y, line in enumerate(lines, 1):
        unfilter(out, y, int(line[0]), line[1:].reshape(width, each).astype(np.int64))
    return out[1:, 1:, :3].astype(np.uint8)


def unfilter(out: NDArray[np.int64], y: int, kind: int, line: NDArray[np.int64]) -> None:
    """Add to a line what its filter took away: the pixel before it, above it, or between."""
    if kind in (0, 2):
        out[y, 1:] = (line + (out[y - 1, 1:] if kind == 2 else 0)) % 256
        return
    if kind == 1:
        out[y, 1:] = np.cumsum(line, axis=0) % 256
        return
    for x in range(1, len(line) + 1):
        left, up, corner = out[y, x - 1], out[y - 1, x], out[y - 1, x - 1]
        if kind == 3:
            guess = (left + up) // 2
        else:
            distance = np.abs(np.stack((up - corner, left - corner, left + up - 2 * corner)))
            nearest = distance.argmin(axis=0)
            guess = np.choose(nearest, (left, up, corner))
        out[y, x] = (line[x - 1] + guess) % 256


def with_palette(colours: NDArray[np.uint8]) -> bytes:
    """The picture with the 256 commonest of its colours; others become the nearest of them."""
    height, width, _ = colours.shape
    packed = colours.astype(np.int64) @ np.array([65536, 256, 1])
    found, place, count = np.unique(packed, return_inverse=True, return_counts=True)
    kept = np.sort(found[np.argsort(-count, kind="stable")[:256]])
    of = np.stack((found >> 16, found >> 8 & 255, found & 255), axis=1)
    palette = np.stack((kept >> 16, kept >> 8 & 255, kept & 255), axis=1)
    nearest = np.array([int(((palette - one) ** 2).sum(axis=1).argmin()) for one in of])
    lines = nearest[place].reshape(height, width).astype(np.uint8)
    raw = np.concatenate((np.zeros((height, 1), np.uint8), lines), axis=1).tobytes()
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in (
            (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            (b"PLTE", palette.astype(np.uint8).tobytes()),
            (b"IDAT", zlib.compress(raw, 9)),
            (b"IEND", b""),
        )
    )
