from thresher.verifier.compiled.linear_rounds import LinearRounds

class PassiveAggressiveRounds(LinearRounds):
    def set_rule(self, variant: int, c: float) -> None: ...

class ArowRounds(LinearRounds):
    def set_rule(self, r: float, waits: bool) -> None: ...

class AdaGradRounds(LinearRounds):
    def set_rule(self, rate: float, logistic: bool) -> None: ...
