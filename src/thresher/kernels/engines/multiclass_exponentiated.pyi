from thresher.kernels.engines.multiclass_engine import MulticlassEngine

class ExponentiatedClasses(MulticlassEngine):
    rate: float
    shift: float
    def set_rule(self, rate: float, mirrored: bool, spread: bool) -> None: ...
    def set_shift(self, shift: float) -> None: ...
