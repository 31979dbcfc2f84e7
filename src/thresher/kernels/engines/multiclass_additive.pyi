from thresher.kernels.engines.multiclass_engine import MulticlassEngine

class AdditiveClasses(MulticlassEngine):
    def set_rule(self, rule: int, spread: bool, aggressiveness: float) -> None: ...
