r"""How a weight and what goes with it are combined: from before an epoch, and from each shard.

From :math:`w_0, s_0` before and :math:`w_k, s_k` in shard k of N, number by number and in order:

.. math::

    \text{precision: } & w = w_0 + \frac{\sum_k s_k (w_k - w_0)}{s + (\sqrt N - 1)\,s_0}, \\
    \text{squares: } & w = w_0 + \frac{\sum_k (s_k - s_0)(w_k - w_0)}{\sum_k (s_k - s_0)}, \\
    \text{counts: } & w = w_0 + \frac{\sum_k s_k (w_k - w_0)}{s},

and :math:`s = s_0 + \sum_k (s_k - s_0)` in each. With precisions (inverse variances), as AROW has
them, who is surer counts more, and what all knew before is counted once in how sure they are
together. Counted once in the weights as well, it would make them the product of what shards
believe, which overshoots where all shards took the same step; counted N times, their mean, which
hardly moves where one shard alone has met a feature. Between them is the root, which was best on
the sets that it was chosen on (decision 0054).

With sums of squared gradients, as AdaGrad has them, a weight moves by the mean of its moves, each
counted by the squares that made it. With counts, weights are means, and the result is the mean over
the rows of all shards.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
#: Of each shard the places where it changed something, none of them twice, and its numbers there.
#: Elsewhere it has what was there before, which moves nothing.
Shards = Sequence[tuple[NDArray[np.int64] | slice, Numbers, Numbers]]
EVERYWHERE = slice(None)
#: A variance that has become nothing is this, so that it has an inverse.
LEAST_VARIANCE = 1e-300


def by_precision(weight: Numbers, precision: Numbers, shards: Shards) -> tuple[Numbers, Numbers]:
    """Weights, each weighed by how sure the shard is of it."""
    moved, new = np.zeros_like(weight), precision.copy()
    for where, own, sure in shards:
        moved[where] += sure * (own - weight[where])
        new[where] += sure - precision[where]
    return weight + moved / (new + (sqrt(len(shards)) - 1.0) * precision), new


def by_variances(weight: Numbers, variance: Numbers, shards: Shards) -> tuple[Numbers, Numbers]:
    """The same, with variances instead of their inverses."""
    each = [(at, own, 1.0 / np.maximum(other, LEAST_VARIANCE)) for at, own, other in shards]
    found, precision = by_precision(weight, 1.0 / np.maximum(variance, LEAST_VARIANCE), each)
    return found, 1.0 / precision


def by_squares(weight: Numbers, square: Numbers, shards: Shards) -> tuple[Numbers, Numbers]:
    """Moves, each weighed by the squared gradients that made it."""
    moved, gained = np.zeros_like(weight), np.zeros_like(weight)
    for where, own, seen in shards:
        more = seen - square[where]
        moved[where] += more * (own - weight[where])
        gained[where] += more
    share = np.divide(moved, gained, out=np.zeros_like(weight), where=gained > 0.0)
    return weight + share, square + gained


def by_counts(weight: Numbers, count: Numbers, shards: Shards) -> tuple[Numbers, Numbers]:
    """Means over so many: that of all, what was there before counted once."""
    moved, whole = np.zeros_like(weight), count.copy()
    for where, own, seen in shards:
        moved[where] += seen * (own - weight[where])
        whole[where] += seen - count[where]
    share = np.divide(moved, whole, out=np.zeros_like(weight), where=whole > 0.0)
    return weight + share, whole
