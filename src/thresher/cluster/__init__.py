"""Training on a cluster: shards learn apart and are combined, with a bound that still holds."""

from thresher.cluster.train import train

__all__ = ["train"]
