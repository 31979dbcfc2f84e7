"""A folder with streams to train on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.class_streams import class_rows, svmlight
from tests.cli.running import noisy_rows

TEXTS = "spam\tfree cash now\nham\tsee you monday\nspam\tcash cash\nham\tmonday meeting now\n"


@pytest.fixture
def training_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two classes, several, names, texts; it is the current folder."""
    monkeypatch.chdir(tmp_path)
    Path("a.svm").write_text(noisy_rows(300))
    Path("b.svm").write_text(noisy_rows(250, seed=5))
    Path("colours.svm").write_text(svmlight(class_rows(300)))
    named = "".join(f"{name} | {' '.join(f'w{c}' for c in on)}\n" for name, on in class_rows(300))
    Path("colours.vw").write_text(named)
    Path("mail.tsv").write_text(TEXTS)
    return tmp_path
