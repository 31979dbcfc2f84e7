from thresher.kernels.engines.identity_link import IdentityLinkEngine

class PassiveAggressiveEngine(IdentityLinkEngine):
    def set_rule(self, variant: int, aggressiveness: float) -> None: ...
