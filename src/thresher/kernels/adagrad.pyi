from thresher.kernels.growing import GrowingEngine

class AdaGradEngine(GrowingEngine):
    def set_rule(self, rate: float, logistic: bool) -> None: ...
