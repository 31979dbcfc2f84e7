"""What is still guaranteed when shards learn apart and their states are averaged."""

from thresher.theory.mixing.parameter_mixing import ParameterMixing
from thresher.theory.mixing.with_losses import MixingWithLosses

__all__ = ["MixingWithLosses", "ParameterMixing"]
