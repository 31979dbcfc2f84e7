"""Work on a cluster that did not come to its end."""

from __future__ import annotations

from thresher.errors.error import ThresherError


class ClusterError(ThresherError):
    """A cluster that cannot be reached, lost its workers, or left a shard undone."""

    code = "cluster"
