"""Published values: every one of them, and the exact worst cases of Winnow."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from thresher.theory import (
    MeanRiskAnytime,
    MeanRiskHoeffding,
    MeanRiskKl,
    MeanRiskKlPrior,
    NormalizedWinnowSimple,
    NormalizedWinnowTuned,
    PerceptronHinge,
    PNormDimension,
    StreakRisk,
    WeightedMajorityBest,
    WinnowAnyThreshold,
    WinnowAttributeErrors,
    WinnowDisjunction,
    WinnowDisjunctionClean,
    coin_relative_entropy,
    eta_star,
    optimal_p,
    winnow_like_p,
)
from thresher.theory.enclosure import float_above
from thresher.theory.risk.anytime import RATES

GOLDEN = json.loads(Path(__file__).with_name("golden_bounds.json").read_text("utf-8"))
TABLE = GOLDEN["worst_case_factor_2_threshold_d"]


def p_norm_at(p: Callable[[int], float]) -> Callable[..., object]:
    def value(d: int, ratio_LU_over_gamma: int) -> object:
        return PNormDimension(p(d), d, ratio_LU_over_gamma, 1, 1).bound()

    return value


def any_threshold(d: int, r: int, alpha: str, theta: int) -> int:
    return WinnowAnyThreshold(d, r, Fraction(alpha) - 1, theta).max_mistakes()


def anytime(M: int, T: int, delta: float, grid: list[float]) -> float:
    assert tuple(grid) == RATES
    return MeanRiskAnytime(M, T, delta).max_risk()


def hinge(R: float, U: float, gamma: float, L: float) -> object:
    return PerceptronHinge(R * R, U * U, gamma, L).bound()


COMPUTED: dict[str, Callable[..., object]] = {
    "W1.pos": lambda d, r: WinnowDisjunction(d, r).max_false_negatives(),
    "W1.clean": lambda d, r: WinnowDisjunctionClean(d, r).max_mistakes(),
    "W1.refined": lambda d, r: WinnowDisjunction(d, r).max_mistakes(),
    "W2.refined": any_threshold,
    "W3.disjunction_with_A_attribute_errors_alpha2": lambda d, r, A: WinnowAttributeErrors(
        d, r, A, 1, d
    ).bound(),
    "EG1.g": lambda d, gamma, L: NormalizedWinnowTuned(d, gamma, L).bound(),
    "EG1.simple": lambda d, gamma, L: NormalizedWinnowSimple(d, gamma, L).bound(),
    "EG1.eta_star": lambda gamma, L: eta_star(gamma, L),
    "g": lambda eps: float_above(coin_relative_entropy(eps)),
    "P2.hinge": hinge,
    "N1.pnorm_2lnd": p_norm_at(winnow_like_p),
    "N1.p_star": lambda d: optimal_p(d),
    "N1.at_p_star": p_norm_at(optimal_p),
    "O.hoeffding": lambda M, T, delta: MeanRiskHoeffding(M, T, delta).max_risk(),
    "O.kl": lambda M, T, delta: MeanRiskKl(M, T, delta).max_risk(),
    "O.anytime": anytime,
    "O.kl_apriori": lambda B, T, delta: MeanRiskKlPrior(B, T, delta).max_risk(),
    "O.streak": lambda version, n, delta: StreakRisk(version, n, delta).max_risk(),
    "WM": lambda N, m_star, beta: WeightedMajorityBest(N, m_star, beta).bound(),
}


@pytest.mark.parametrize(
    "entry", [e for e in GOLDEN["bounds"] if not e["id"].startswith("note.")], ids=str
)
def test_a_published_value_is_reproduced(entry: dict[str, Any]) -> None:
    value = COMPUTED[entry["id"]](**entry["inputs"])
    if isinstance(entry["value"], int):
        assert value == entry["value"]
    else:
        assert float(value) == pytest.approx(entry["value"], rel=1e-12)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "entry", [e for e in GOLDEN["bounds"] if e["id"].startswith("note.")], ids=str
)
def test_the_textbook_formulas_are_looser_than_the_refined_bound(entry: dict[str, Any]) -> None:
    d, r = entry["inputs"]["d"], entry["inputs"]["r"]
    formula = {
        "note.2+3r_log2_d": 2 + 3 * r * math.log2(d),
        "note.3r(1+log2_d)": 3 * r * (1 + math.log2(d)),
    }[entry["id"]]
    assert formula == pytest.approx(entry["value"], rel=1e-12)
    assert WinnowDisjunction(d, r).max_mistakes() <= formula


def test_every_published_value_was_looked_at() -> None:
    ids = {entry["id"] for entry in GOLDEN["bounds"]}
    assert len(GOLDEN["bounds"]) == 90
    assert {name for name in ids if not name.startswith("note.")} == set(COMPUTED)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"d={row['d']},r={row['r']}")
def test_the_exact_worst_case_is_never_above_the_refined_bound(row: dict[str, int]) -> None:
    d, r = row["d"], row["r"]
    refined = WinnowDisjunction(d, r)
    assert refined.max_mistakes() == row["refined_bound"] >= row["worst"]
    assert WinnowAnyThreshold(d, r, beta=1, threshold=d).max_mistakes() == row["refined_bound"]
    if d >= 2 and r >= 1:
        assert WinnowDisjunctionClean(d, r).max_mistakes() == row["clean_bound"]
        assert row["clean_bound"] >= row["refined_bound"]


def test_the_refined_bound_is_often_the_exact_worst_case() -> None:
    reached = {(row["d"], row["r"]) for row in TABLE if row["worst"] == row["refined_bound"]}
    assert {(2, 1), (4, 1), (5, 1), (7, 1), (8, 1), (8, 2), (9, 1), (9, 2), (13, 1)} <= reached
