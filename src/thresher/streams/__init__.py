"""From arrays and files to batches: sparse rows, checked once where they are made."""

from thresher.streams.batch import Batch
from thresher.streams.datasets.mushrooms import load_mushrooms
from thresher.streams.rows import Rows

__all__ = ["Batch", "Rows", "load_mushrooms"]
