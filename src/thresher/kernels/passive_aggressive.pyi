from thresher.kernels.growing import GrowingEngine

class PassiveAggressiveEngine(GrowingEngine):
    def set_rule(self, variant: int, aggressiveness: float) -> None: ...
