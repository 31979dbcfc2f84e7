from thresher.kernels.engines.identity_link import IdentityLinkEngine

class AdaGradEngine(IdentityLinkEngine):
    def set_rule(self, rate: float, logistic: bool) -> None: ...
