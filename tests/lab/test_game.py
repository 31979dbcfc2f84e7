"""The games: what the lab answers follows from theorems, and from the moves alone."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

import thresher as th
from tests.cli.running import run
from thresher.lab.game import adversary, experts, halving, learner


@pytest.mark.parametrize("name", ["perceptron", "signed_winnow", "passive_aggressive", "winnow"])
def test_whoever_contradicts_forces_all_that_can_be_forced(name: str) -> None:
    moves = ""
    for _ in range(9):
        game = adversary("1/3", name, moves)
        assert not game["over"]
        row = game["next"]
        moves += f".{row}{'m' if game['says'][row] > 0 else 'p'}"
    game = adversary("1/3", name, moves)
    assert (game["forced"], game["bound"], game["over"], game["used"]) == (9, 9, True, "1")
    assert game["separator"].count("x") == 9


def test_an_impossible_label_is_refused_and_changes_nothing() -> None:
    fair = adversary("1/2", "perceptron", "0m.1p")
    for lie in ("0p", "1m"):
        game = adversary("1/2", "perceptron", f"0m.1p.{lie}")
        assert "nothing labels it both ways" in game["refused"]
        assert {**game, "refused": ""} == fair
    beyond = adversary("1/2", "perceptron", "0m.1p.4m")
    assert "squared length 5/4" in beyond["refused"]


@pytest.mark.parametrize("answers", ["pppp", "mmmm", "pmpm"])
def test_the_learner_is_wrong_in_every_round_and_a_target_was_right(answers: str) -> None:
    game = learner("binary-search", "8/2", ".".join(answers))
    assert game["over"]
    assert game["mistakes"] == game["bound"] == 4
    relevant = {int(word[1:]) for word in game["target"].split(" or ")}
    for one in game["rounds"]:
        assert one["label"] == (1 if relevant & {*one["row"]} else -1)


def test_a_mistake_halves_the_version_space() -> None:
    game = halving("thresholds/8", "m.m.m")
    for one in game["rounds"]:
        if one["wrong"]:
            assert 2 * one["after"] <= one["before"]
    assert game["mistakes"] <= game["bound"] == 3
    assert game["left"] == len(game["names"])


def test_weights_of_experts_are_those_of_the_learner() -> None:
    game = experts(6, "3/4", "3.1.20.3f.0.5")
    assert game["sizes"] == pytest.approx(game["stored"])
    assert game["errors"] == [4, 2, 2, 1, 1, 2]
    assert game["mistakes"] <= game["bound"]
    assert game["theorem"] == "WeightedMajorityBest"


def test_silent_experts_may_be_forbidden_to_err() -> None:
    game = experts(4, "0", "1.2")
    assert game["weights"] == ["0", "0", "1", "1"]
    assert th.WeightedMajority(4, 0).learn([[-1, 1, 1, 1]], [1]).mistakes == 0


def test_a_row_that_is_no_number_is_none_of_the_rows() -> None:
    for row in ("²", "-1", "9" * 5000):
        assert adversary("1/2", "perceptron", f"{row}p")["refused"].startswith("there are 4 rows")


@pytest.mark.parametrize(
    ("played", "mistakes"),
    [
        (adversary("1/2", "winnow:beta=1/2", "0m.1p.2m"), "forced"),
        (learner("binary-search", "8/2", "p.p.m"), None),
        (halving("conjunctions/3", "m.p"), "mistakes"),
        (experts(4, "1/4", "7.7.1"), "mistakes"),
    ],
)
def test_a_game_can_be_played_again_elsewhere(
    played: dict[str, Any],
    mistakes: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(played["python"], {})
    *lines, last = capsys.readouterr().out.splitlines()
    assert [line.rpartition(" ")[2] for line in lines] == [
        f"{one['label']:+d}" for one in played["rounds"]
    ]
    if mistakes is not None:
        assert last == f"{played[mistakes]} mistakes"
    write, trace = played["commands"]
    subprocess.run(["sh", "-c", write], check=True)
    result = run(*shlex.split(trace)[1:], "--to", "json")
    assert result.exit_code == 0, result.stderr
    rounds = [json.loads(line) for line in result.stdout.splitlines()]
    if mistakes is not None:
        assert sum(one["mistake"] for one in rounds) == played[mistakes]
