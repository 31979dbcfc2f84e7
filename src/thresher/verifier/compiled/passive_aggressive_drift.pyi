from thresher.verifier.compiled.hinge_steps import PassiveAggressiveRounds

class PassiveAggressiveDrift(PassiveAggressiveRounds):
    @property
    def distance(self) -> float: ...
