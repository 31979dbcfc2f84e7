"""Work on a cluster: shards learn apart and are combined, with a bound that is still proven."""

from thresher.cluster.prove import certify, verify
from thresher.cluster.train import train

__all__ = ["certify", "train", "verify"]
