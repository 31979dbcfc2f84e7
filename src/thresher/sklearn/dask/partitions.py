"""Data as the partitions that tasks read: those of a Dask collection, in their order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Literal

from thresher.errors import UnsoundBatchError
from thresher.records import record

#: "plain": no Dask collection, but a matrix, a frame or a list, which is one partition.
Kind = Literal["array", "frame", "bag", "plain"]


@record(eq=False)
class Partitions:
    """A collection, and its parts."""

    kind: Kind
    #: As it was given.
    whole: Any
    #: Of each partition, what Dask computes it from; the data itself where there is no Dask.
    parts: tuple[Any, ...]
    #: How many rows each has; None: nobody knows yet.
    lengths: tuple[int, ...] | None

    @classmethod
    def of_rows(cls, X: Any) -> Partitions:
        """The partitions of rows, which have columns."""
        rows = cls.of(X, "X")
        if rows.kind in ("array", "frame") and X.ndim != 2:
            raise UnsoundBatchError(
                f"Expected 2D array: X has a row for each example, found {X.ndim} dimension(s).",
                "One column alone is a frame: frame[['size']].",
            )
        return rows

    @classmethod
    def of(cls, given: Any, what: str) -> Partitions:
        """The partitions of a collection, which errors call `what`."""
        kind = kind_of(given)
        if kind == "plain":
            return cls(kind, given, (given,), None)
        if kind != "array":
            return cls(kind, given, _apart(given.to_delayed()), None)
        if not 1 <= given.ndim <= 2:
            raise UnsoundBatchError(
                f"{what} is an array of {given.ndim} dimensions, and rows have one or two."
            )
        if given.ndim == 2 and given.numblocks[1] > 1:
            raise UnsoundBatchError(
                f"the rows of {what} are cut into {given.numblocks[1]} pieces, and a partition has "
                "whole rows.",
                f"Join them: {what}.rechunk({{1: -1}}).",
            )
        sizes = given.chunks[0]
        # A size that is not known is a NaN.
        known = tuple(map(int, sizes)) if all(size == size for size in sizes) else None
        return cls(kind, given, _apart(given.to_delayed().ravel()), known)


def _apart(parts: Iterable[Any]) -> tuple[Any, ...]:
    """Each part with what it is computed from, and nothing of the others.

    As Dask gives them, each has the graph of all, which would be sent with every one.
    """
    from dask.core import get_dependencies  # noqa: PLC0415  (whoever has a collection has it)
    from dask.delayed import Delayed  # noqa: PLC0415

    graphs: dict[int, dict[Any, Any]] = {}
    found = []
    for part in parts:
        whole = part.__dask_graph__()
        if id(whole) not in graphs:
            graphs[id(whole)] = dict(whole)
        graph, own, wanted = graphs[id(whole)], {}, [part.key]
        while wanted:
            key = wanted.pop()
            # What is not in the graph is kept by workers already.
            if key not in own and key in graph:
                own[key] = graph[key]
                wanted += get_dependencies(graph, key)
        found.append(Delayed(part.key, own))
    return tuple(found)


def kind_of(given: Any) -> Kind:
    """What data is; Dask is not imported to find out.

    >>> kind_of([[1.0, 0.0]])
    'plain'
    """
    # Asked of the type: a `Delayed` says that it has anything.
    known = type(given)
    if not hasattr(known, "__dask_graph__"):
        return "plain"
    if hasattr(known, "chunks"):
        return "array"
    if hasattr(known, "_meta"):
        return "frame"
    if hasattr(known, "map_partitions"):
        return "bag"
    raise UnsoundBatchError(
        f"found a Dask {known.__name__}, which has no partitions.",
        "Give a Dask array, frame or bag.",
    )


@record(eq=False)
class Table:
    """Rows with their labels and weights: partitions that belong together."""

    rows: Partitions
    #: None: the labels stand in the rows, or there are none.
    labels: Partitions | None
    weights: Partitions | None = None
    #: Whether the rows are pairs of a dict and its label.
    pairs: bool = False

    @classmethod
    def of(cls, X: Any, y: Any, sample_weight: Any = None) -> Table:
        """Rows and labels; `y` may be the name of a column, or in the pairs of a bag."""
        if isinstance(y, str):
            X, y = _without_column(X, y)
        rows, pairs = Partitions.of_rows(X), y is None
        if pairs and rows.kind != "bag":
            raise UnsoundBatchError(
                "labels are missing: give y.", "Only a bag may have pairs (dict, label) in it."
            )
        labels = None if pairs else Partitions.of(y, "y")
        weights = None if sample_weight is None else Partitions.of(sample_weight, "sample_weight")
        for other, name in ((labels, "y"), (weights, "sample_weight")):
            if other is not None:
                _require_alike(rows, other, name)
        return cls(rows, labels, weights, pairs)

    def labels_alone(self) -> Table:
        """The same without the rows: Dask does not compute what nobody asks for."""
        rows = replace(self.rows, parts=(None,) * len(self))
        return replace(self, rows=rows)

    def __len__(self) -> int:
        return len(self.rows.parts)

    def name(self, number: int) -> str:
        """What errors call a partition, counted from 1."""
        return f"partition {number + 1} of {len(self)}"

    def parts(self, number: int) -> tuple[Any, Any, Any]:
        """Rows, labels and weights of a partition; None for what there is not."""
        given = self.rows, self.labels, self.weights
        rows, labels, weights = (None if one is None else one.parts[number] for one in given)
        return rows, labels, weights


def _without_column(frame: Any, name: str) -> tuple[Any, Any]:
    columns = getattr(frame, "columns", None)
    if columns is None or name not in columns:
        raise UnsoundBatchError(
            f"y={name!r} is the name of a column, and X has no such column.",
            "Give the labels themselves, or a frame that has them.",
        )
    return frame.drop(columns=name), frame[name]


def _require_alike(rows: Partitions, other: Partitions, name: str) -> None:
    """Refuse partitions that cannot belong together; what is not known now, tasks will see."""
    same = f"{name} must be cut where X is."
    if len(rows.parts) != len(other.parts):
        raise UnsoundBatchError(
            f"X has {len(rows.parts)} partitions, and {name} has {len(other.parts)}.",
            f"{same} {_recut(other, name)}",
        )
    if rows.lengths is not None and other.lengths is not None:
        pairs = enumerate(zip(rows.lengths, other.lengths, strict=True), 1)
        for number, (here, there) in pairs:
            if here != there:
                raise UnsoundBatchError(
                    f"partition {number} of {len(rows.parts)} has {here} rows in X, and {there} in "
                    f"{name}.",
                    f"{same} {_recut(other, name)}",
                )


def _recut(other: Partitions, name: str) -> str:
    if other.kind == "plain":
        return f"Make it a Dask array: dask.array.from_array({name}, chunks=X.chunks[0])."
    return f"For arrays: {name}.rechunk((X.chunks[0],))."
