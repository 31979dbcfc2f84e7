from __future__ import annotations

import json
from pathlib import Path

import pytest

import thresher as th
from tests.cli.running import run
from thresher.streams import Batch, load_mushrooms


def svmlight(batch: Batch) -> str:
    rows = (
        " ".join([f"{label:+d}", *(f"{c}:{v:g}" for c, v in x.items())])
        for x, label in batch.examples()
    )
    return "\n".join(rows) + "\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stream, its certificate, and variations of both."""
    folder = tmp_path_factory.mktemp("verify")
    stream = load_mushrooms(order=1)[0][:600]
    learner = th.Winnow(98)
    learner.learn(stream)
    certificate = th.certify(learner, stream)
    certificate.save(folder / "run.json")
    text = svmlight(stream)
    lines = text.splitlines(keepends=True)
    (folder / "data.svm").write_text(text)
    (folder / "other.svm").write_text("".join(lines[:599]))
    (folder / "order.svm").write_text("".join([lines[1], lines[0], *lines[2:]]))
    flipped = ("-1" if lines[0].startswith("+1") else "+1") + lines[0][2:]
    (folder / "label.svm").write_text("".join([flipped, *lines[1:]]))
    (folder / "names.svm").write_text(text.replace("+1 ", "bad ").replace("-1 ", "good "))
    (folder / "three.svm").write_text("eggs" + lines[0][2:] + (folder / "names.svm").read_text())
    (folder / "first.svm").write_text("".join(lines[:100]))
    (folder / "rest.svm").write_text("".join(lines[100:]))
    document = json.loads(certificate.to_json())
    lie = document["run"] | {"false_negatives": document["run"]["false_negatives"] - 1}
    (folder / "tampered.json").write_text(json.dumps(document | {"run": lie}))
    claim = th.certify(learner, stream, claim=th.theory.Disjunction(k=1, n=98))
    claim.save(folder / "refutation.json")
    return folder


@pytest.mark.parametrize(
    ("certificate", "data", "status", "said"),
    [
        ("run.json", ["data.svm"], 0, "the claim holds"),
        ("run.json", ["first.svm", "rest.svm"], 0, "the claim holds"),
        ("refutation.json", ["data.svm"], 0, "no target of the declared class fits the stream"),
        ("run.json", ["other.svm"], 1, "DIFFERS   rounds: claimed 600, found 599"),
        ("run.json", ["order.svm"], 1, "DIFFERS   data digest"),
        ("run.json", ["rest.svm", "first.svm"], 1, "DIFFERS   data digest"),
        ("run.json", ["label.svm"], 1, "DIFFERS   positives"),
        ("tampered.json", ["data.svm"], 1, "DIFFERS   false negatives"),
        ("tampered.json", [], 1, "DIFFERS   seal"),
        ("run.json", [], 2, "not everything could be checked"),
        ("run.json", ["nowhere.svm"], 2, "nowhere.svm"),
        ("data.svm", ["data.svm"], 2, "data.svm: certificate: not JSON"),
        ("nowhere.json", ["data.svm"], 2, "nowhere.json"),
        ("run.json", ["names.svm"], 1, "DIFFERS   positives"),
        ("run.json", ["three.svm"], 2, "--positive"),
    ],
)
def test_every_outcome_has_its_status_and_says_why(
    folder: Path, certificate: str, data: list[str], status: int, said: str
) -> None:
    result = run("verify", folder / certificate, *(folder / name for name in data))
    assert said in result.output
    assert result.exit_code == status


def test_a_label_may_have_a_name(folder: Path) -> None:
    result = run("verify", folder / "run.json", folder / "names.svm", "--positive", "bad")
    assert result.exit_code == 0


def test_the_output_says_who_read_the_data(folder: Path) -> None:
    result = run("verify", folder / "run.json", folder / "data.svm")
    assert "read by   the verifier's own reader of svmlight" in result.stdout


def test_json_has_the_verdict_and_the_differences(folder: Path) -> None:
    told = json.loads(run("verify", folder / "run.json", folder / "data.svm", "--json").stdout)
    assert (told["holds"], told["same_data"], told["differences"]) == (True, True, [])
    assert told["claimed"] == told["replayed"] <= told["allowed"]
    result = run("verify", folder / "run.json", folder / "label.svm", "--json")
    told = json.loads(result.stdout)
    assert result.exit_code == 1
    assert not told["holds"]
    assert "positives" in {difference["what"] for difference in told["differences"]}


def test_quiet_leaves_the_verdict_alone(folder: Path) -> None:
    result = run("verify", folder / "run.json", folder / "order.svm", "--quiet")
    assert (result.exit_code, result.output) == (1, "THE CLAIM DOES NOT HOLD\n")
