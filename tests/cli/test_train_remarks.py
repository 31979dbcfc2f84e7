"""What `train` says in the end of data from which nothing could be learned."""

from __future__ import annotations

from pathlib import Path

from tests.cli.running import run


def test_weights_of_0_for_all_classes_are_told(tmp_path: Path) -> None:
    file = tmp_path / "three.csv"
    file.write_text("label,x\n" + "a,1\nb,2\nc,3\n" * 3)
    weights = [word for label in "abc" for word in ("--class-weight", f"{label}:0")]
    said = "every class has the weight 0, so that none was learned"
    assert said in run("train", file, "-o", tmp_path / "m.thr", *weights).stderr
    assert said not in run("train", file, "-o", tmp_path / "m.thr", *weights[:4]).stderr


def test_rows_without_any_feature_are_told(tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("label\na\nb\nb\n")
    found = run("train", file, "-o", tmp_path / "m.thr")
    assert found.exit_code == 0
    assert "no row has a feature" in found.stderr
