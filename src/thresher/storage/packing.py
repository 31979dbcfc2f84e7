"""Values as JSON and arrays, and back: what the state of a learner is made of.

Nested tuples, lists and dicts of numbers, fractions, texts and arrays; `parts` and `concepts`
add what else a learner holds. A tuple is a JSON list; a whole number, a text, true, false and
null are themselves; everything else is an object with one key, which says what it is.

Nothing is guessed and nothing is executed: an unknown key is an error, and every value is
checked before an object is made of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack
from fractions import Fraction
from itertools import pairwise
from math import isfinite, prod
from typing import Any, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from thresher.errors import NotStorableError
from thresher.records import record
from thresher.storage.scattered import MOST_BYTES, SMALL, Scattered, gathered, scattered

T = TypeVar("T")

#: The longest fraction: a float of the smallest size has 1,075 binary digits.
LONGEST_NUMBER = 4000
NARROW = tuple(np.dtype(code) for code in ("|i1", "<i2", "<i4"))
KINDS = {f"{kind}{size}" for kind in "iu" for size in (1, 2, 4, 8)} | {"f8", "f4", "b1"}


class Arrays(Protocol):
    """Where arrays come from: a file, or a dict."""

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The array of this name."""


@record
class Kind:
    """One kind of value: the key that marks it, its types, and the way there and back."""

    tag: str
    types: tuple[type[Any], ...]
    pack: Callable[[Packer, Any, str], Any]
    unpack: Callable[[Unpacker, Any], Any]


#: All kinds there are, one after another: a value is of the first that fits.
Kinds = Callable[[], Iterable[Kind]]


class Packer:
    """Turns values into JSON, and puts their arrays aside in `tensors`; they may be lent ones."""

    def __init__(self, kinds: Kinds, *, journal: bool = True) -> None:
        self.tensors: dict[str, NDArray[Any]] = {}
        #: Whether journals keep their rows; otherwise these are counted and left out.
        self.journal = journal
        self._kinds = kinds
        self._places: dict[tuple[Any, ...], list[str]] = {}
        self._spread = 0
        self._lent = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._lent.close()

    def borrow(self, state: AbstractContextManager[T]) -> T:
        """A state that is lent until the packer is left: its arrays stay as they are."""
        return self._lent.enter_context(state)

    def __call__(self, value: Any, place: str) -> Any:
        """The value as JSON; `place` names its arrays and, if need be, the culprit."""
        if value is None or isinstance(value, bool | np.bool_):
            return None if value is None else bool(value)
        if isinstance(value, int | np.integer):
            return int(value)
        if isinstance(value, str):
            return str(value)
        if isinstance(value, tuple):
            return [self(item, f"{place}.{k}") for k, item in enumerate(value)]
        for kind in self._kinds():
            if isinstance(value, kind.types):
                return {kind.tag: kind.pack(self, value, place)}
        raise NotStorableError(
            f"{place}: a model file cannot hold a value of type {type(value).__name__}. It holds "
            "numbers, fractions, texts, arrays, and tuples, lists and dicts of these."
        )

    def put(self, array: NDArray[Any], place: str) -> str:
        """Put an array aside, as whole numbers of few bytes where that loses nothing."""
        kind = array_kind(array, place)
        self.tensors[place] = narrowed(array)
        return kind

    def put_once(self, array: NDArray[Any], place: str) -> str:
        """Put an array aside, unless the same one was put before; where it is."""
        self.put(array, place)
        stored = self.tensors[place]
        # Learners that saw the same rows have much in common. A glance tells most others apart.
        glance = _glance(stored).tobytes()
        alike = self._places.setdefault((stored.dtype, stored.shape, glance), [])
        for other in alike:
            if np.array_equal(_bits(self.tensors[other]), _bits(stored)):
                del self.tensors[place]
                return other
        alike.append(place)
        return place

    def scattered(self, array: NDArray[Any]) -> Scattered | None:
        """The array without the blocks that are as most are, where that takes fewer bytes."""
        if array.nbytes < SMALL or not array.ndim or self._spread + array.nbytes > MOST_BYTES:
            return None
        found = scattered(array, 1 if array.ndim == 1 else array.shape[-1])
        if found is None:
            return None
        least = narrowed(found.rows).nbytes + 4 * len(found.at)
        if 2 * least >= narrowed(array).nbytes:
            return None
        self._spread += array.nbytes
        return found


class Unpacker:
    """Turns JSON and arrays back into values; ValueError and its like where they do not fit."""

    def __init__(
        self, tensors: Arrays, kinds: Kinds, *, journal: bool = True, most_bytes: int | None = None
    ) -> None:
        self.tensors = tensors
        self.journal = journal
        self._kinds = kinds
        self._spread = self._taken = 0
        #: How much memory all arrays may take together; None: as they like.
        self._most = most_bytes

    def __call__(self, packed: Any) -> Any:
        """The value that was packed."""
        if packed is None or type(packed) in (bool, int, str):
            return packed
        if type(packed) is list:
            return tuple(self(item) for item in packed)
        if type(packed) is dict and len(packed) == 1:
            ((tag, content),) = packed.items()
            for kind in self._kinds():
                if kind.tag == tag:
                    return kind.unpack(self, content)
        raise ValueError(f"found {_short(packed)}, which means nothing here")

    def take(self, place: str, kind: str) -> NDArray[Any]:
        """The array that was put aside."""
        stored = self.tensors[place]
        if kind in KINDS:
            self._count(stored.size * np.dtype(f"<{kind}").itemsize)
        return widened(stored, kind)

    def _count(self, n_bytes: int) -> None:
        """Refuse arrays before there is memory for them, where that has a bound."""
        self._taken += n_bytes
        if self._most is not None and self._taken > self._most:
            raise ValueError(f"its arrays take more than {self._most} bytes of memory")

    def gathered(self, found: Scattered, shape: tuple[int, ...]) -> NDArray[Any]:
        """The array that was scattered, unless there is too much of such arrays."""
        if not all(type(n) is int and 0 <= n < 2**48 for n in shape) or len(shape) > 4:
            raise ValueError("the shape of an array is not possible")
        self._spread += prod(shape) * found.rows.itemsize
        self._count(prod(shape) * found.rows.itemsize)
        if self._spread > MOST_BYTES:
            raise ValueError(f"scattered arrays have {MOST_BYTES} bytes in all at most")
        return gathered(found, shape)


def array_kind(array: NDArray[Any], place: str) -> str:
    """The type of the numbers of an array, if a file can hold them."""
    kind = f"{array.dtype.kind}{array.dtype.itemsize}"
    if kind not in KINDS:
        raise NotStorableError(f"{place}: a model file cannot hold an array of {array.dtype}.")
    return kind


def narrowed(array: NDArray[Any]) -> NDArray[Any]:
    """The same numbers in the fewest bytes, if they are whole; otherwise the array itself.

    >>> narrowed(np.array([0.0, -3.0])).dtype, narrowed(np.array([0.0, -0.0])).dtype
    (dtype('int8'), dtype('float64'))
    """
    if array.dtype.kind not in "if" or not array.size:
        return array
    glance = _glance(array)
    if not np.array_equal(glance, np.rint(glance)):
        return array
    low, high = array.min(), array.max()
    for dtype in NARROW:
        limits = np.iinfo(dtype)
        if dtype.itemsize >= array.dtype.itemsize or not limits.min <= low <= high <= limits.max:
            continue
        few = array.astype(dtype)
        # To the bit: a zero may have a sign, and a number digits behind the point.
        if np.array_equal(_bits(few.astype(array.dtype)), _bits(array)):
            return few
    return array


def _glance(array: NDArray[Any]) -> NDArray[Any]:
    """Some of the numbers, from all over the array."""
    return np.asarray(array.flat[:: max(array.size // 64, 1)])


def _bits(array: NDArray[Any]) -> NDArray[Any]:
    return array.view(f"u{array.dtype.itemsize}") if array.ndim else array


def widened(stored: NDArray[Any], kind: str) -> NDArray[Any]:
    """The array in the type it was saved from."""
    if kind not in KINDS:
        raise ValueError(f"arrays are not of type {_short(kind)}")
    dtype = np.dtype(f"<{kind}")
    if stored.dtype == dtype:
        return stored
    if stored.dtype not in NARROW or dtype.kind not in "if" or dtype.itemsize <= stored.itemsize:
        raise ValueError(f"an array of {dtype} is not saved as one of {stored.dtype}")
    return stored.astype(dtype)


def packed_texts(packer: Packer, texts: list[str], place: str) -> str:
    """Many texts as two arrays: their bytes, and where each of them ends."""
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    ends = np.cumsum([len(text) for text in encoded], dtype=np.int64)
    packer.tensors[f"{place}.utf8"] = np.frombuffer(b"".join(encoded), np.uint8)
    packer.tensors[f"{place}.ends"] = narrowed(ends)
    return place


def unpacked_texts(unpacker: Unpacker, place: str) -> list[str]:
    """The texts that `packed_texts` put aside."""
    text = unpacker.tensors[f"{place}.utf8"]
    ends = unpacker.tensors[f"{place}.ends"]
    if text.dtype != np.uint8 or text.ndim != 1 or ends.dtype.kind != "i" or ends.ndim != 1:
        raise ValueError("texts are saved as bytes and the places where they end")
    starts = np.concatenate((np.zeros(1, ends.dtype), ends))
    if np.any(ends < starts[:-1]) or starts[-1] != len(text):
        raise ValueError("texts do not end where they should")
    whole, cuts = text.tobytes(), starts.tolist()
    return [whole[a:b].decode("utf-8", "surrogatepass") for a, b in pairwise(cuts)]


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."


# ---- the plain kinds -------------------------------------------------------------------------


def _pack_float(packer: Packer, value: Any, place: str) -> str:
    if not isfinite(value):
        raise NotStorableError(f"{place}: a model file cannot hold the number {value}.")
    return float(value).hex()


def _unpack_float(unpacker: Unpacker, content: str) -> float:
    value = float.fromhex(content)
    if not isfinite(value):
        raise ValueError("numbers must be finite")
    return value


def _unpack_fraction(unpacker: Unpacker, content: str) -> Fraction:
    if type(content) is not str or len(content) > LONGEST_NUMBER or "e" in content.lower():
        raise ValueError("a fraction is a text such as '13/5'")
    return Fraction(content)


def _pack_array(packer: Packer, value: NDArray[Any], place: str) -> list[Any]:
    kind = array_kind(value, place)
    found = packer.scattered(value)
    if found is None:
        return [packer.put_once(value, place), kind]
    parts = found._asdict().items()
    return [
        *(packer.put_once(array, f"{place}.{name}") for name, array in parts),
        kind,
        list(value.shape),
    ]


def _unpack_array(unpacker: Unpacker, content: list[Any]) -> NDArray[Any]:
    if len(content) == 2:
        place, kind = content
        return unpacker.take(place, kind)
    common, at, rows, kind, shape = content
    found = Scattered(
        unpacker.take(common, kind), unpacker.take(at, "i8"), unpacker.take(rows, kind)
    )
    return unpacker.gathered(found, tuple(shape))


def _pack_list(packer: Packer, value: list[Any], place: str) -> Any:
    return packer(tuple(value), place)


def _unpack_list(unpacker: Unpacker, content: Any) -> list[Any]:
    return [unpacker(item) for item in content]


def _pack_dict(packer: Packer, value: dict[Any, Any], place: str) -> Any:
    if all(type(key) is str for key in value):
        return {key: packer(item, f"{place}.{key}") for key, item in value.items()}
    # JSON has no other keys than texts, and weights of classes have numbers.
    return [[packer(key, place), packer(item, f"{place}.{key}")] for key, item in value.items()]


def _unpack_dict(unpacker: Unpacker, content: Any) -> dict[Any, Any]:
    if isinstance(content, dict):
        return {key: unpacker(item) for key, item in content.items()}
    return {unpacker(key): unpacker(item) for key, item in content}


PLAIN = (
    Kind("float", (float, np.floating), _pack_float, _unpack_float),
    Kind("fraction", (Fraction,), lambda packer, value, place: str(value), _unpack_fraction),
    Kind("array", (np.ndarray,), _pack_array, _unpack_array),
    Kind("list", (list,), _pack_list, _unpack_list),
    Kind("dict", (dict,), _pack_dict, _unpack_dict),
)
