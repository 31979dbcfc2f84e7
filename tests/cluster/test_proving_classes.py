"""Certificates of committees and of several classes whose shards learned apart."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.data import rows, written
from tests.cluster.test_proving import SETTINGS, Wide, combined, here, lies, refusal
from thresher.cluster import certify, verify
from thresher.cluster.engine import InProcess
from thresher.errors import NotCertifiableError
from thresher.verifier import ALGORITHMS

#: How many labels there are, and who learns them.
OF_COMMITTEES_AND_CLASSES = [
    (2, None),
    (3, None),
    (3, "perceptron"),
    (3, "arow"),
    (3, "adagrad"),
    (3, "signed_winnow:eta=0.5"),
    (3, "multiclass_perceptron"),
    (3, "multiclass_passive_aggressive"),
    (3, "multiclass_normalized_winnow:eta=0.5"),
    (3, "multiclass_signed_winnow:eta=0.5"),
]


def with_classes(folder: Path, classes: int) -> str:
    """Files with so many labels, the last of which comes late."""
    for number in range(2):
        lines = rows(80, number)
        labels = [
            line[0] if classes == 2 else "ab"[n % 2] if n % 5 or not number else "late"
            for n, line in enumerate(lines)
        ]
        text = "".join(f"{y}{line[1:]}\n" for y, line in zip(labels, lines, strict=True))
        (folder / f"part-{number}.svm").write_text(text)
    return str(folder / "part-*.svm")


@pytest.mark.parametrize(("classes", "learner"), OF_COMMITTEES_AND_CLASSES)
def test_committees_and_several_classes_are_certified_here_and_by_workers(
    tmp_path: Path, classes: int, learner: str | None
) -> None:
    files = with_classes(tmp_path, classes)
    model = combined(files, learner, shards=3, epochs=2)
    certificate = certify(model, files)
    assert certificate == certify(model, files, client=InProcess(seed=5))
    assert certificate.kind == "count"
    assert certificate.classes == (("a", "b", "late") if classes == 3 else None)
    alone = here(certificate, tmp_path, model=model.learner)
    for reader in ("own", "streams"):
        settings: dict[str, Any] = {"reader": reader, **SETTINGS}
        assert (
            verify(certificate, files, model=model, client=InProcess(seed=1), **settings) == alone
        )
    assert alone.holds
    for lie in list(lies(certificate))[:5]:
        assert str(verify(lie, files)) == str(here(lie, tmp_path))
        assert here(lie, tmp_path).status == "does not hold"
    part = tmp_path / "part-1.svm"
    text = part.read_text()
    part.write_text(text.replace(":1", ":2", 1))
    assert verify(certificate, files).same_data is False
    part.write_text(text + "other 0:1\n")
    apart, own = (
        refusal(lambda: verify(certificate, files, reader="streams", **SETTINGS)),
        refusal(lambda: here(certificate, tmp_path)),
    )
    assert type(apart) is type(own)
    assert "other" in str(apart)


def test_who_certifies_other_labels_is_told(tmp_path: Path) -> None:
    files = with_classes(tmp_path, 3)
    model = combined(files, "perceptron", shards=3, epochs=1)
    with (tmp_path / "part-1.svm").open("a") as file:
        file.write("other 0:1\n")
    for client in (None, Wide(2)):
        error = refusal(partial(certify, model, files, client=client))
        assert "'other', which is none of the classes" in str(error)


def test_a_label_that_only_a_bad_line_has_is_no_class(tmp_path: Path) -> None:
    files, how = with_classes(tmp_path, 3), dict[str, Any](on_bad="skip")
    with (tmp_path / "part-1.svm").open("a") as file:
        file.write("other 0:x\n")
    model = combined(files, "perceptron", shards=3, epochs=1, **how)
    alone, apart = (certify(model, files, client=client, **how) for client in (None, Wide(2)))
    assert apart == alone
    assert "other" not in (alone.classes or ())


def test_what_no_rule_combines_is_refused_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = written(tmp_path, 60)
    model = combined(files, None, epochs=1)
    (tmp_path / "part-0.svm").unlink()
    unknown = replace(ALGORITHMS["committee"], mixing=None)
    monkeypatch.setitem(ALGORITHMS, "committee", unknown)
    with pytest.raises(NotCertifiableError, match="cannot combine shards of committee with") as e:
        certify(model, files, **SETTINGS)
    assert "on one machine" in str(e.value)
