"""Models that make pairs of features: exported where people see what they are, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

import thresher as th
from thresher.errors import ExportError
from thresher.export import FORMS, exported


@pytest.mark.parametrize("form", FORMS)
def test_what_others_compute_is_not_exported_without_its_pairs(tmp_path: Path, form: str) -> None:
    path = tmp_path / "a.vw"
    path.write_text("1 |a x |b y\n0 |a x\n0 |b y\n" * 40)
    model = th.train(path, "winnow", pairs="a,b", n_features=64, passes=3)
    if form in ("text", "rule"):
        assert "a^x ∧ b^y" in exported(model, form, reach=0.01).content.decode()
        return
    with pytest.raises(ExportError, match="makes pairs of features"):
        exported(model, form)
    if form == "sql":
        with pytest.raises(ExportError, match="makes pairs of features"):
            exported(model, form, reach=0.01)
