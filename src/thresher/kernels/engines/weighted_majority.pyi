from thresher.kernels.engines.normalized import NormalizedEngine

class WeightedMajorityEngine(NormalizedEngine):
    def drop_at_first_mistake(self) -> None: ...
