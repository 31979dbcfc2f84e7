"""The parameters of the classes, for type checkers.

Written by `scripts/write_adapter_stubs.py` from the declarations in `__init__.py`.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from thresher.parameters import Exact
from thresher.sklearn.estimator import Estimator
from thresher.sklearn.weighted import WeightedEstimator

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

class PerceptronClassifier(WeightedEstimator):
    def __init__(
        self,
        margin: float = 0.0,
        decay: float = 0.0,
        average: bool = False,
        *,
        fit_intercept: bool = True,
        max_iter: int = 1,
        class_weight: Mapping[Any, float] | str | None = None,
        scaling: str | None = None,
        new_features: bool = False,
        new_classes: bool = False,
        calibrate: str | None = None,
        journal_bytes: int = 268435456,
    ) -> None: ...

class PNormPerceptronClassifier(WeightedEstimator):
    def __init__(
        self,
        p: float | None = None,
        margin: float = 0.0,
        *,
        fit_intercept: bool = True,
        max_iter: int = 1,
        class_weight: Mapping[Any, float] | str | None = None,
        scaling: str | None = None,
        new_features: bool | int = False,
        new_classes: bool = False,
        calibrate: str | None = None,
        journal_bytes: int = 268435456,
    ) -> None: ...

class PassiveAggressiveClassifier(WeightedEstimator):
    def __init__(
        self,
        variant: str = "PA-I",
        C: float = 1.0,
        average: bool = False,
        *,
        fit_intercept: bool = True,
        max_iter: int = 1,
        class_weight: Mapping[Any, float] | str | None = None,
        scaling: str | None = None,
        new_features: bool = False,
        new_classes: bool = False,
        calibrate: str | None = None,
        journal_bytes: int = 268435456,
    ) -> None: ...

class AROWClassifier(WeightedEstimator):
    def __init__(
        self,
        r: float = 1.0,
        average: bool = False,
        *,
        fit_intercept: bool = True,
        max_iter: int = 1,
        class_weight: Mapping[Any, float] | str | None = None,
        scaling: str | None = None,
        new_features: bool = False,
        new_classes: bool = False,
        calibrate: str | None = None,
        journal_bytes: int = 268435456,
    ) -> None: ...

class AdaGradClassifier(WeightedEstimator):
    def __init__(
        self,
        rate: float = 0.1,
        loss: str = "hinge",
        average: bool = False,
        *,
        fit_intercept: bool = True,
        max_iter: int = 1,
        class_weight: Mapping[Any, float] | str | None = None,
        scaling: str | None = None,
        new_features: bool = False,
        new_classes: bool = False,
        calibrate: str | None = None,
        journal_bytes: int = 268435456,
    ) -> None: ...

class WinnowClassifier(WeightedEstimator):
    def __init__(
        self,
        beta: Exact = 1,
        threshold: Exact | None = None,
        margin: float = 0.0,
        floor: Exact | None = None,
        *,
        max_iter: int = 1,
        class_weight: Mapping[Any, float] | str | None = None,
        scaling: str | None = "auto",
        new_features: bool | int = False,
        new_classes: bool = False,
        calibrate: str | None = None,
        journal_bytes: int = 268435456,
    ) -> None: ...

class BalancedWinnowClassifier(WeightedEstimator):
    def __init__(
        self,
        beta: Exact = 1,
        threshold: Exact | None = None,
        margin: float = 0.0,
        floor: Exact | None = None,
        *,
        max_iter: int = 1,
        class_weight: Mapping[Any, float] | str | None = None,
        scaling: str | None = "auto",
        new_features: bool | int = False,
        new_classes: bool = False,
        calibrate: str | None = None,
        journal_bytes: int = 268435456,
    ) -> None: ...

class SignedWinnowClassifier(WeightedEstimator):
    def __init__(
        self,
        eta: Exact | None = None,
        margin: Exact | None = 0.1,
        *,
        fit_intercept: bool = True,
        max_iter: int = 1,
        class_weight: Mapping[Any, float] | str | None = None,
        scaling: str | None = "auto",
        new_features: bool | int = False,
        new_classes: bool = False,
        calibrate: str | None = None,
        journal_bytes: int = 268435456,
    ) -> None: ...

class ModifiedBalancedWinnowClassifier(Estimator):
    def __init__(
        self,
        promotion: float = 1.5,
        demotion: float = 0.5,
        margin: float = 1.0,
        *,
        max_iter: int = 1,
        new_features: bool | int = False,
        new_classes: bool = False,
        calibrate: str | None = None,
        journal_bytes: int = 268435456,
    ) -> None: ...

class CommitteeClassifier(WeightedEstimator):
    def __init__(
        self,
        members: Iterable[tuple[str, float, str]] | None = None,
        *,
        max_iter: int = 1,
        class_weight: Mapping[Any, float] | str | None = None,
        new_features: bool = False,
        new_classes: bool = False,
    ) -> None: ...

class MulticlassPerceptronClassifier(Estimator):
    def __init__(
        self,
        update: str = "max",
        *,
        fit_intercept: bool = True,
        max_iter: int = 1,
        new_features: bool = False,
        new_classes: bool = False,
        journal_bytes: int = 268435456,
    ) -> None: ...

class MulticlassPassiveAggressiveClassifier(Estimator):
    def __init__(
        self,
        variant: str = "PA-I",
        C: float = 1.0,
        *,
        fit_intercept: bool = True,
        max_iter: int = 1,
        new_features: bool = False,
        new_classes: bool = False,
        journal_bytes: int = 268435456,
    ) -> None: ...
