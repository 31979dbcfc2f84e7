"""Reports: the library's own figures, whatever the learner, and nothing that could run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.cli.class_streams import class_rows, svmlight
from tests.cli.running import noisy_rows
from tests.reports.pages import Page
from thresher.concepts import Disjunctions
from thresher.errors import ThresherError
from thresher.learners.registry import RECORDS
from thresher.models.account import Account
from thresher.models.input_data import InputData
from thresher.models.rerun import Rerun
from thresher.pictures.scale import number
from thresher.reports import page as pages
from thresher.reports.report import Report
from thresher.verifier.risk_words import risk_words

NEED_A_RATE = ("multiclass_normalized_winnow", "multiclass_signed_winnow")
#: What fetches, runs or leaves the page.
FORBIDDEN = {"script", "iframe", "object", "embed", "link", "img", "form", "base", "a", "use"}


def told(model: th.Model, *paths: Path, **reading: Any) -> Account:
    rerun = Rerun(model, InputData.described(list(paths), **reading))
    for _ in rerun:
        pass
    return rerun.account


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reports")
    (folder / "two.svm").write_text(noisy_rows(300))
    (folder / "new.svm").write_text(noisy_rows(100, seed=7))
    (folder / "classes.svm").write_text(svmlight(class_rows(300)))
    return folder


def harmless(html: str) -> Page:
    """The page, which runs nothing, fetches nothing, and closes what it opens."""
    page = Page(html)
    assert page.balanced
    assert not FORBIDDEN & {tag for tag, _ in page.tags}
    for tag, attributes in page.tags:
        assert not [name for name in attributes if name.startswith("on") or name == "style"], tag
        assert not {"href", "src", "srcset", "action"} & attributes.keys(), tag
    policy = next(a["content"] for t, a in page.tags if a.get("http-equiv"))
    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert "http:" not in html
    assert "url(" not in html
    return page


# ---- the figures are the library's --------------------------------------------------------


def test_the_figures_of_a_run_are_those_of_its_rounds(folder: Path) -> None:
    file = folder / "two.svm"
    model = th.train(file, "winnow", n_features=30)
    account = told(model, file)
    assert account.kind == "run"
    assert account.to_the_bit
    facts = Report.of(model, account).facts
    rounds = model.learner.started_anew().learn(*_rows(file))
    certificate = th.certify(model.learner, *_rows(file))
    verdict = facts["verdict"]
    assert verdict["made"] == rounds.mistakes == model.learner.mistakes
    assert verdict["allowed"] == certificate.allowed
    assert verdict["theorem"] == certificate.theorem
    assert verdict["time"] == "in hindsight"
    assert verdict["status"] == "holds"
    assert [risk["theorem"] for risk in facts["risks"]] == [r.theorem for r in certificate.risks]
    # The curve steps exactly where a round was mistaken.
    wrong = (np.flatnonzero(rounds.mistaken) + 1).tolist()
    steps = [t for t, _ in facts["mistakes"]["curve"]]
    assert steps[1 : len(wrong) + 1] == wrong
    missed, alarms = rounds.false_negatives, rounds.false_positives
    table = facts["confusion"]["table"]
    assert [table[1][0], table[0][1]] == [missed, alarms]
    # The ROC curve encloses the area that pairs of rows have.
    score, positive = rounds.scores, rounds.label > 0
    above = score[positive][:, None] - score[~positive][None, :]
    area = float(np.mean((above > 0) + 0.5 * (above == 0)))
    assert facts["roc"]["area"] == pytest.approx(area)
    points = np.array(facts["roc"]["curve"])
    assert np.trapezoid(points[:, 1], points[:, 0]) == pytest.approx(area)
    bins = facts["calibration"]["bins"]
    assert sum(one["rows"] for one in bins) == 300
    assert sum(one["rows"] * one["positive"] for one in bins) == pytest.approx(positive.sum())
    assert sum(one["rows"] * one["mean"] for one in bins) == pytest.approx(score.sum())
    cost = np.where(rounds.mistaken, np.abs(score - rounds.threshold), -1)
    assert [one["round"] for one in facts["costliest"]] == (
        np.argsort(-cost, kind="stable")[: len(facts["costliest"])] + 1
    ).tolist()
    assert facts["audit"]["holds"]
    found = model.learner.proof_course()
    assert found is not None
    assert facts["potential"]["values"][-1][1] == float(found.values[-1])
    assert found.most is not None
    assert facts["potential"]["most"][-1][1] == float(found.most[-1])


def _rows(file: Path) -> tuple[list[dict[int, float]], list[int]]:
    lines = [line.split() for line in file.read_text().splitlines()]
    rows = [{int(pair.split(":")[0]): 1.0 for pair in line[1:]} for line in lines]
    return rows, [int(line[0]) for line in lines]


def test_the_page_says_what_the_facts_say(folder: Path) -> None:
    file = folder / "two.svm"
    model = th.train(file, "perceptron", n_features=30)
    report = Report.of(model, told(model, file), commands=["thresher report m.thr two.svm"])
    facts, page = report.facts, harmless(report.html())
    made, allowed = facts["verdict"]["made"], facts["verdict"]["allowed"]
    assert f"{made:,}" in page.texts or f"{made:,} " in page.texts
    assert f"{allowed:,} allowed" in page.texts
    assert facts["verdict"]["theorem"] in page.texts
    assert "allowed, in hindsight" in page.text
    confusion = next(table for table in page.tables if table[0][0].startswith("label ↓"))
    assert [[int(cell) for cell in row[1:]] for row in confusion[1:]] == facts["confusion"]["table"]
    heaviest = facts["weights"]["for"][0]
    assert heaviest["names"][0] in page.cards["Features"]
    assert model.learner.lone_effects().adds.max() == heaviest["weight"]
    assert len(page.cards["Costliest rounds"]) > 10
    for source in facts["data"]["sources"]:
        assert source["digest"].replace(":", " ") in page.texts
    assert "thresher report m.thr two.svm" in page.text
    assert facts["blame"][0]["matches"] is True


def test_other_rows_are_a_test_and_give_the_figures_of_a_test(folder: Path) -> None:
    model = th.train(folder / "two.svm", "arow", n_features=30)
    account = told(model, folder / "new.svm")
    card = model.test(folder / "new.svm")
    assert account.kind == "test"
    report = Report.of(model, account)
    facts = report.facts
    assert facts["mistakes"]["made"] == card.mistakes
    assert facts["confusion"]["error"] == card.error
    assert facts["roc"]["area"] == card.area
    assert facts["mistakes"]["allowed"] is None
    (risk,) = facts["risks"]
    bound = th.theory.HoldoutRisk(mistakes=card.mistakes, rounds=100, delta=0.05)
    assert risk["theorem"] == bound.name
    assert f"at most {100 * bound.max_risk():.1f}"[:-1] in risk["says"]
    assert "had no part in training" in risk["if"]
    assert "rows for a test" in harmless(report.html()).text


def test_a_file_that_was_changed_is_no_run(folder: Path, tmp_path: Path) -> None:
    text = (folder / "two.svm").read_text()
    file = tmp_path / "two.svm"
    file.write_text(text)
    model = th.train(file, "perceptron", n_features=30)
    # As many bytes as before.
    file.write_text(_swapped(text))
    assert told(model, file).kind == "test"


def _swapped(text: str) -> str:
    """The rows with two neighbours swapped, whose labels differ."""
    lines = text.splitlines(keepends=True)
    k = next(k for k in range(len(lines)) if lines[k][0] != lines[k + 1][0])
    return "".join([*lines[:k], lines[k + 1], lines[k], *lines[k + 2 :]])


@pytest.mark.parametrize("asked", [{"passes": 3}, {"holdout": 4}, {"passes": 2, "holdout": 4}])
def test_passes_and_rows_held_out_are_played_again(folder: Path, asked: dict[str, int]) -> None:
    file = folder / "two.svm"
    model = th.train(file, "perceptron", n_features=30, **asked)  # type: ignore[arg-type]
    account = told(model, file)
    assert account.kind == "run"
    assert account.record.curve.mistakes == model.learner.mistakes
    # Confusion and ranking are of the first pass, in which rows were new.
    assert account.card.rows == (225 if "holdout" in asked else 300)
    harmless(Report.of(model, account).html())


def test_a_certificate_is_checked_and_a_false_one_is_called_so(folder: Path) -> None:
    file = folder / "two.svm"
    model = th.train(file, "perceptron", n_features=30)
    account = told(model, file)
    certificate = th.certify(model.learner, *_rows(file))
    good = Report.of(model, account, certificate=certificate).facts["verdict"]
    assert (good["status"], good["given"], good["seal"]) == ("holds", True, certificate.seal)
    unchecked = Report.of(model, certificate=certificate).facts["verdict"]
    assert unchecked["status"] == "could not tell"
    lie = replace(certificate, mistakes=certificate.mistakes - 1).resealed()
    bad = Report.of(model, account, certificate=lie)
    assert bad.facts["verdict"]["status"] == "does not hold"
    assert "mistakes" in bad.facts["verdict"]["differences"]
    # Nothing that a false certificate says is repeated.
    assert bad.facts["verdict"]["made"] == model.learner.mistakes
    assert bad.facts["verdict"]["allowed"] is bad.facts["mistakes"]["allowed"] is None
    said = {risk_words(one, certificate.delta) for one in certificate.risks[1:]}
    assert said.isdisjoint(risk["says"] for risk in bad.facts["risks"])
    assert "✕ the claim does not hold" in harmless(bad.html()).text


def test_the_rows_of_a_test_say_nothing_about_the_certificate_of_a_run(folder: Path) -> None:
    file, other = folder / "two.svm", folder / "other.svm"
    other.write_text("".join(file.read_text("utf-8").splitlines(keepends=True)[::-1]))
    model = th.train(file, "perceptron", n_features=30)
    certificate = th.certify(model.learner, *_rows(file))
    facts = Report.of(model, told(model, other), certificate=certificate).facts
    assert facts["data"]["is"] == "test"
    assert facts["verdict"]["status"] == "could not tell"
    assert [risk["theorem"] for risk in facts["risks"]] == ["HoldoutRisk"]


def test_a_separator_shows_how_far_the_weights_must_come(tmp_path: Path) -> None:
    file = tmp_path / "apart.svm"
    file.write_text("1 0:1 2:1\n-1 1:1 2:1\n1 0:1 1:1\n-1 1:1\n" * 10)
    model = th.train(file, "perceptron", n_features=3)
    report = Report.of(model, file)
    told, certificate = report.facts["potential"], th.certify(model.learner, *_rows(file))
    assert certificate.witness is not None
    u = dict(
        zip(
            certificate.witness.comparator.columns,
            certificate.witness.comparator.numerators,
            strict=True,
        )
    )
    margin = certificate.bounds[0].quantities["margin"]
    length = sum(weight * weight for weight in u.values())
    mistakes = model.learner.mistakes
    assert told["least"][-1] == [mistakes, float(margin) ** 2 * mistakes**2 / length]  # type: ignore[arg-type]
    for least, value, most in zip(told["least"], told["values"], told["most"], strict=True):
        assert least[1] <= value[1] <= most[1]
    assert f"at least {number(told['least'][-1][1])}" in harmless(report.html()).texts


def test_a_claim_is_told_from_hindsight(folder: Path) -> None:
    file = folder / "two.svm"
    model = th.train(file, "winnow", n_features=30)
    claim = th.theory.Disjunction(k=2, n=30, errors=60)
    certificate = th.certify(model.learner, *_rows(file), claim=claim)
    facts = Report.of(model, told(model, file), certificate=certificate).facts["verdict"]
    assert facts["time"] == "claimed"
    assert facts["assumed"] == ["that the claim was made before the run"]
    assert facts["claim"] == str(certificate.claim)


# ---- whatever the learner ------------------------------------------------------------------


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_every_learner_has_a_report(record: Any, folder: Path) -> None:
    several = record.several
    file = folder / ("classes.svm" if several else "two.svm")
    kind = record.load()
    if record.needs == "concepts":
        learner = kind(Disjunctions(4))
    elif record.needs == "learner":
        learner = kind(th.Perceptron(30))
    elif "n_experts" in kind.__init__.__annotations__:
        learner = kind(30)
    else:
        rate = {"eta": 0.5} if record.name in NEED_A_RATE else {}
        learner = kind(**rate) if several else kind(30)
    if record.needs == "concepts" or learner.name_table is None:
        learner.learn([{0: 1, 2: 1}, {1: 1}, {3: 1}] * 5, [1, -1, 1] * 5)
        page = harmless(Report.of(th.Model(learner=learner)).html())
        assert "15 rounds learned" in page.text
        return
    try:
        model = th.train(file, learner)
    except ThresherError:
        # Experts are features that are all there, with votes of -1 and +1.
        votes = np.where(np.random.default_rng(1).random((60, 30)) < 0.7, 1, -1)
        learner.learn(votes, votes[:, 0])
        harmless(Report.of(th.Model(learner=learner)).html())
        return
    account = told(model, file)
    assert account.kind == "run"
    report = Report.of(model, account)
    assert report.facts["mistakes"]["made"] == model.learner.mistakes
    page = harmless(report.html())
    assert len(report.html().encode()) <= 150_000
    bare = harmless(Report.of(model).html())
    assert "Mistakes" not in bare.cards
    json.dumps(report.facts, allow_nan=False)
    assert "Labels and predictions" in page.cards


def test_a_committee_shows_its_experts_and_what_matters(folder: Path) -> None:
    file = folder / "two.svm"
    model = th.train(file)
    report = Report.of(model, told(model, file))
    facts = report.facts
    assert [one["name"] for one in facts["members"]] == [
        one.name for one in sorted(model.learner.members, key=lambda one: -one.weight)
    ]
    measured = model.importances(file, top=1).features[0]
    assert facts["weights"]["importances"]["features"][0]["importance"] == pytest.approx(
        measured.importance
    )
    assert facts["calibration"]["of"] == "probabilities"
    page = harmless(report.html())
    assert {"Experts", "What matters", "Calibration"} <= page.cards.keys()
    assert "Features" not in page.cards


def test_many_classes_are_told_in_a_bounded_table(tmp_path: Path) -> None:
    names = tuple(f"class{k}" for k in range(40))
    file = tmp_path / "many.svm"
    file.write_text(svmlight(class_rows(600, names)))
    model = th.train(file, "multiclass_perceptron", n_features=30)
    report = Report.of(model, told(model, file))
    confusion = report.facts["confusion"]
    assert len(confusion["table"]) == 13
    assert confusion["others"] == len(model.learner.classes) - 12
    assert sum(map(sum, confusion["table"])) == 600
    assert len(report.html().encode()) <= 150_000
    harmless(report.html())


# ---- hostile names, sizes, sameness --------------------------------------------------------


def test_names_of_others_are_text_and_no_more(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>\"'\u202eabc\u0007"
    rows = [
        {"label": evil if k % 2 else "ham</bdi>", evil + "x" * (k % 3): 1, "&amp;" * 30_000: k % 5}
        for k in range(60)
    ]
    file = tmp_path / "evil <script>.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    model = th.train(file, "perceptron", positive=evil, format="json", vocabulary=True)
    rerun = Rerun(model, InputData.described(file), examples=True)
    for _ in rerun:
        pass
    report = Report.of(model, rerun.account, commands=[f"thresher report {evil}"])
    html = report.html()
    page = harmless(html)
    assert "<script" not in html
    assert not {"\u202e", "\u0007", "\x00"} & set(html)
    assert "(150,000 characters)" in page.text
    assert len(html.encode()) < 150_000


def test_lines_of_the_data_are_shown_only_if_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "mail.tsv"
    file.write_text("spam\tfree cash now\nham\tlunch at noon\nham\tcash for lunch\n" * 20)
    model = th.train(file, "perceptron", positive="spam", format="text")
    for examples in (False, True):
        rerun = Rerun(model, InputData.described(file), examples=examples)
        for _ in rerun:
            pass
        html = Report.of(model, rerun.account).html()
        assert ("lunch at noon" in html) == examples


def test_the_same_run_gives_the_same_bytes(folder: Path) -> None:
    def once(**reading: Any) -> str:
        model = th.train(folder / "two.svm", "winnow", n_features=30, **reading)
        account = told(model, folder / "two.svm", **reading)
        return Report.of(model, account).html()

    assert once() == once() == once(chunk_bytes=500)


def test_a_page_that_is_too_large_says_what_was_left_out(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = th.train(folder / "two.svm", "winnow", n_features=30)
    report = Report.of(model, told(model, folder / "two.svm"))
    whole = report.html()
    monkeypatch.setattr(pages, "LARGEST", len(whole.encode()) - 1)
    smaller = report.html()
    assert len(smaller.encode()) < len(whole.encode())
    page = harmless(smaller)
    assert "Costliest rounds" not in page.cards
    assert "the costliest rounds was left out." in page.text


def test_a_report_is_one_frame_in_a_notebook(folder: Path) -> None:
    model = th.train(folder / "two.svm", "winnow", n_features=30)
    shown = Report.of(model)._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert 'sandbox=""' in shown
    assert shown.count("<") == 2
