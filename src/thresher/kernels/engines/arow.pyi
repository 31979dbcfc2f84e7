from thresher.kernels.engines.identity_link import IdentityLinkEngine

class ArowEngine(IdentityLinkEngine):
    def set_rule(self, regularizer: float) -> None: ...
