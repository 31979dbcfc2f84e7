"""What a notebook shows: tables and small pictures, escaped, and never a script."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

import thresher as th
from tests.learners.makers import MAKERS, Maker, stream
from thresher.pictures import Svg
from thresher.theory.picture import courses
from thresher.verifier import certificate_picture

X = [[1, 0, 1], [0, 1, 1], [1, 1, 0]] * 5
Y = [1, -1, 1] * 5
EVIL = "<script>alert(1)</script>\u202e"


def learned() -> th.Perceptron:
    learner = th.Perceptron(3)
    learner.learn(X, Y)
    return learner


def shown(found: object) -> ElementTree.Element:
    """What a notebook shows of an object, well formed."""
    html = found._repr_html_()  # type: ignore[attr-defined]
    assert "<script" not in html
    assert not {"\u202e", "\x00"} & set(html)
    return ElementTree.fromstring(html)


def cells(found: object) -> dict[str | None, str | None]:
    return {row[0].text: row[1].text for row in shown(found).iter("tr")}


@pytest.mark.parametrize("maker", MAKERS, ids=str)
def test_every_learner_shows_its_rounds_and_mistakes(maker: Maker) -> None:
    learner = maker.make()
    shown(learner)
    rounds = learner.learn(*stream(maker))
    found = cells(learner)
    assert found["rounds"] == f"{learner.n_rounds:,}"
    assert found["mistakes"] == f"{learner.mistakes:,}"
    assert isinstance(learner.plot(), Svg)
    assert cells(rounds)["mistakes"] == f"{rounds.mistakes:,}"


def test_rounds_are_drawn_mistake_by_mistake() -> None:
    rounds = th.Perceptron(3).learn(X, Y)
    picture = rounds.plot()
    assert picture.title == f"{rounds.mistakes} mistakes in 15 rounds"
    assert f"{rounds.mistakes} made" in str(picture)


def test_certificates_and_verdicts_show_what_they_say() -> None:
    learner = learned()
    certificate = th.certify(learner, X, Y)
    assert certificate.allowed is not None
    text = "".join(shown(certificate).itertext())
    for line in str(certificate).splitlines():
        assert line in text
    assert f"{certificate.allowed:,} allowed" in str(certificate.plot())
    verdict = th.verify(certificate, X, Y)
    text = "".join(shown(verdict).itertext())
    assert text.startswith("the claim holds")
    assert str(verdict.plot()) == str(certificate.plot())


def test_theorems_show_their_hypotheses() -> None:
    good = th.theory.Novikoff(radius_squared=1, margin=1, comparator_norm_squared=4)
    assert cells(good)["bound"] == "4"
    bad = th.theory.HoldoutRisk(mistakes=5, rounds=2, delta=0.05)
    assert cells(bad)["bound"] == "refused: a hypothesis does not hold"
    assert any(str(name).startswith("✕") for name in cells(bad))


def test_theorems_are_drawn_along_each_quantity_they_depend_on() -> None:
    theorem = th.theory.Novikoff(radius_squared=1, margin=1, comparator_norm_squared=4)
    along = courses(theorem)
    assert set(along) == {"radius_squared", "margin", "comparator_norm_squared"}
    # R^2 ||u||^2 / gamma^2: in proportion to the first, and by the square of the margin.
    assert all(y == pytest.approx(4 * x / 100) for x, y in along["radius_squared"])
    assert all(y == pytest.approx(4 * (100 / x) ** 2) for x, y in along["margin"])
    assert all((100, 4) in points for points in along.values())
    picture = str(theorem.plot())
    assert all(f">{name}</text>" in picture for name in along)
    assert "measured: 4<" in picture
    assert "<svg" in theorem._repr_html_()


def test_counts_move_by_whole_numbers_and_only_where_the_theorem_applies() -> None:
    along = courses(th.theory.WinnowDisjunction(n_features=10, relevant=4))
    assert [x for x, _ in along["relevant"]] == [0, 25, 50, 75, 100, 125, 150, 175, 200]
    for share, bound in along["n_features"]:
        n = round(share / 10)
        assert 4 <= n <= 20
        exact = th.theory.WinnowDisjunction(n_features=n, relevant=4).bound()
        assert bound == pytest.approx(float(exact))


def test_a_theorem_that_does_not_apply_says_so_in_its_picture() -> None:
    bad = th.theory.HoldoutRisk(mistakes=5, rounds=2, delta=0.05)
    assert bad.plot().title == "HoldoutRisk does not apply"
    assert "<svg" not in bad._repr_html_()


def test_audits_show_every_statement() -> None:
    audit = learned().audit()
    names = [str(name).removeprefix("✓ ") for name in cells(audit)]
    assert names == [check.name for check in audit.invariants]
    assert "at most" in str(audit.plot())
    shown(th.Perceptron(3).audit())
    assert isinstance(th.Perceptron(3).audit().plot(), Svg)


def test_models_show_names_of_others_as_text(tmp_path: Path) -> None:
    learner = th.Perceptron()
    learner.learn([{EVIL: 1}, {"ham": 1}], [-1, 1])
    model = th.Model(learner=learner)
    assert "<script" not in str(model.plot())
    assert "&lt;script&gt;" in str(model.plot())
    shown(model)
    several = th.MulticlassPerceptron()
    several.learn([{"vote": 1}, {EVIL: 1}, {"vote": 1, "law": 1}], ["law", EVIL, "law"])
    shown(th.Model(learner=several))
    shown(several)
    model.plot().save(tmp_path / "m.svg")
    ElementTree.parse(tmp_path / "m.svg")


def test_a_certificate_that_claims_endless_rounds_is_not_unpacked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    certificate = th.certify(learned(), X, Y)
    assert "<svg" in certificate._repr_html_()
    shown(replace(certificate, rounds=10**15).resealed())
    # A list that unpacks to gigabytes is short: rounds beyond a limit are not looked at.
    monkeypatch.setattr(certificate_picture, "MOST_ROUNDS", 14)
    assert "<svg" not in certificate._repr_html_()


def test_nobody_waits_for_pictures_who_does_not_look() -> None:
    code = """
import sys, thresher as th
learner = th.Perceptron(3); rounds = learner.learn([[1, 0, 1]], [1])
import thresher.cli.main, thresher.cli.train, thresher.models.training, thresher.verifier
print([name for name in sys.modules if name.startswith(("thresher.pictures", "thresher.reports"))])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
