"""The mushroom stream: 5,644 mushrooms, edible or poisonous, as binary features."""

from __future__ import annotations

import numpy as np

from thresher.streams.batch import Batch


def load_mushrooms(order: int | None = None) -> tuple[Batch, list[str]]:
    """The mushroom table of the UCI repository as a stream, and the names of its features.

    The label is +1 for poisonous. Each row has 22 of the 98 binary features, one for each
    attribute; feature ``i`` is called ``names[i]``. No value is missing: the table leaves out
    the mushrooms whose stalk root is unknown. Source, licence (CC BY 4.0) and encoding are
    stated in ``streams/datasets/data/SOURCE.md``.

    On this table *poisonous* is exactly a disjunction of five features: a foul, pungent or
    creosote odor, a green spore print, or growth in clusters.

    Parameters
    ----------
    order
        None keeps the order of the table. A whole number is the seed of a shuffle: rows are
        sorted by the first raw 64-bit outputs of NumPy's PCG64 under this seed, one per row.
        Raw outputs are the part of ``numpy.random`` that does not change between versions.

    Examples
    --------
    >>> mushrooms, names = load_mushrooms()
    >>> len(mushrooms), len(names)
    (5644, 98)
    >>> features, label = next(mushrooms.examples())
    >>> [names[i] for i in features][:4], label
    (['cap-shape=convex', 'cap-surface=smooth', 'cap-color=brown', 'bruises=yes'], 1)
    """
    from importlib.resources import files  # noqa: PLC0415  (slow to import, and only needed here)

    folder = files("thresher.streams.datasets") / "data"
    names = (folder / "mushrooms.names.txt").read_text("utf-8").splitlines()
    with (folder / "mushrooms.npy").open("rb") as file:
        table = np.load(file, allow_pickle=False)
    if order is not None:
        table = table[np.argsort(np.random.PCG64(order).random_raw(len(table)), kind="stable")]
    features = table[:, 1:]
    batch = Batch(
        row_start=np.arange(0, features.size + 1, features.shape[1], dtype=np.int64),
        column=features.astype(np.int32).ravel(),
        value=np.ones(features.size),
        label=np.where(table[:, 0] == 1, 1, -1).astype(np.int8),
    )
    return batch, names
