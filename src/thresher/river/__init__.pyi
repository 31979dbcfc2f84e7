"""The parameters of the classes, for type checkers.

Written by `scripts/write_adapter_stubs.py` from the declarations in `__init__.py`.
"""

from collections.abc import Iterable

from thresher.parameters import Exact
from thresher.river.classifier import RiverClassifier
from thresher.river.weighted import WeightedRiverClassifier

__all__ = [
    "AROWClassifier",
    "AdaGradClassifier",
    "BalancedWinnowClassifier",
    "CommitteeClassifier",
    "ModifiedBalancedWinnowClassifier",
    "MulticlassPassiveAggressiveClassifier",
    "MulticlassPerceptronClassifier",
    "PNormPerceptronClassifier",
    "PassiveAggressiveClassifier",
    "PerceptronClassifier",
    "SignedWinnowClassifier",
    "WinnowClassifier",
]

class PerceptronClassifier(WeightedRiverClassifier):
    def __init__(
        self,
        margin: float = 0.0,
        decay: float = 0.0,
        average: bool = False,
        bias: bool = True,
        scaling: str | None = None,
        n_features: int | None = None,
        calibrate: str | None = None,
        journal_bytes: int = 0,
    ) -> None: ...

class PNormPerceptronClassifier(WeightedRiverClassifier):
    def __init__(
        self,
        n_features: int = 65536,
        p: float | None = None,
        margin: float = 0.0,
        bias: bool = True,
        scaling: str | None = None,
        calibrate: str | None = None,
        journal_bytes: int = 0,
    ) -> None: ...

class PassiveAggressiveClassifier(WeightedRiverClassifier):
    def __init__(
        self,
        variant: str = "PA-I",
        C: float = 1.0,
        average: bool = False,
        bias: bool = True,
        scaling: str | None = None,
        n_features: int | None = None,
        calibrate: str | None = None,
        journal_bytes: int = 0,
    ) -> None: ...

class AROWClassifier(WeightedRiverClassifier):
    def __init__(
        self,
        r: float = 1.0,
        average: bool = False,
        bias: bool = True,
        scaling: str | None = None,
        n_features: int | None = None,
        calibrate: str | None = None,
        journal_bytes: int = 0,
    ) -> None: ...

class AdaGradClassifier(WeightedRiverClassifier):
    def __init__(
        self,
        rate: float = 0.1,
        loss: str = "hinge",
        average: bool = False,
        bias: bool = True,
        scaling: str | None = None,
        n_features: int | None = None,
        calibrate: str | None = None,
        journal_bytes: int = 0,
    ) -> None: ...

class WinnowClassifier(WeightedRiverClassifier):
    def __init__(
        self,
        n_features: int = 65536,
        beta: Exact = 1,
        threshold: Exact | None = None,
        margin: float = 0.0,
        floor: Exact | None = None,
        scaling: str | None = "online",
        calibrate: str | None = None,
        journal_bytes: int = 0,
    ) -> None: ...

class BalancedWinnowClassifier(WeightedRiverClassifier):
    def __init__(
        self,
        n_features: int = 65536,
        beta: Exact = 1,
        threshold: Exact | None = None,
        margin: float = 0.0,
        floor: Exact | None = None,
        scaling: str | None = "online",
        calibrate: str | None = None,
        journal_bytes: int = 0,
    ) -> None: ...

class SignedWinnowClassifier(WeightedRiverClassifier):
    def __init__(
        self,
        n_features: int = 65536,
        eta: Exact | None = None,
        margin: Exact | None = 0.1,
        bias: bool = True,
        scaling: str | None = "online",
        calibrate: str | None = None,
        journal_bytes: int = 0,
    ) -> None: ...

class ModifiedBalancedWinnowClassifier(RiverClassifier):
    def __init__(
        self,
        n_features: int = 65536,
        promotion: float = 1.5,
        demotion: float = 0.5,
        margin: float = 1.0,
        calibrate: str | None = None,
        journal_bytes: int = 0,
    ) -> None: ...

class CommitteeClassifier(WeightedRiverClassifier):
    def __init__(
        self,
        members: Iterable[tuple[str, float, str]] | None = None,
        n_features: int | None = None,
    ) -> None: ...

class MulticlassPerceptronClassifier(RiverClassifier):
    def __init__(
        self,
        update: str = "max",
        bias: bool = True,
        journal_bytes: int = 0,
    ) -> None: ...

class MulticlassPassiveAggressiveClassifier(RiverClassifier):
    def __init__(
        self,
        variant: str = "PA-I",
        C: float = 1.0,
        bias: bool = True,
        journal_bytes: int = 0,
    ) -> None: ...
