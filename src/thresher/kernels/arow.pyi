from thresher.kernels.growing import GrowingEngine

class ArowEngine(GrowingEngine):
    def set_rule(self, regularizer: float) -> None: ...
