"""Advice on data, without a terminal; `tests/cli/test_advise.py` has the words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.class_streams import class_rows, svmlight
from tests.cli.running import noisy_rows
from thresher.errors import SourceError
from thresher.models.events import Understood
from thresher.models.input_data import InputData
from thresher.reports.advising import Stated, advise_on
from thresher.reports.sample import MulticlassSample, Sample


def data(tmp_path: Path, text: str) -> InputData:
    (tmp_path / "some.svm").write_text(text)
    return InputData(paths=(str(tmp_path / "some.svm"),))


CLEAN = "1 0:1 3:1\n-1 1:1 3:1\n1 2:1\n-1 4:1 5:1\n-1 6:1\n" * 40


def test_a_clean_sample_leads_to_a_learner_with_a_promise(tmp_path: Path) -> None:
    advised = advise_on(data(tmp_path, CLEAN))
    assert isinstance(advised.sample, Sample)
    assert advised.sample.clean
    assert advised.advice is not None
    assert advised.winner.title.partition(":")[0] in {
        promise.command_name for promise in advised.advice.promises
    }
    assert not advised.several


def test_who_never_recovers_is_advised_only_where_no_label_is_wrong(tmp_path: Path) -> None:
    careful = advise_on(data(tmp_path, CLEAN))
    certain = advise_on(data(tmp_path, CLEAN), Stated(noise=0))
    assert careful.winner.title != "elimination"
    assert careful.spoilt is not None
    assert careful.spoilt.title == "elimination"
    assert certain.spoilt is None
    assert "Say noise=0 if there is certainly none." in careful.verdict()
    assert "Say --noise 0 if" in careful.verdict(no_noise="--noise 0")


def test_several_classes_are_advised_in_the_same_way(tmp_path: Path) -> None:
    advised = advise_on(data(tmp_path, svmlight(class_rows(300))))
    assert isinstance(advised.sample, MulticlassSample)
    assert (advised.several, advised.advice, advised.left_out) == (True, None, ())
    labels = [label for label, _ in class_rows(300)]
    assert advised.sample.commonest == max(sorted({*labels}), key=labels.count)
    assert advised.sample.share_of_commonest == labels.count(advised.sample.commonest) / 300
    assert advised.winner in advised.race.standings()[:2]


def test_only_the_first_rows_are_read_and_there_must_be_some(tmp_path: Path) -> None:
    heard: list[object] = []
    advised = advise_on(data(tmp_path, noisy_rows(400)), sample=100, on_event=heard.append)
    assert advised.sample.rows == 100
    assert isinstance(heard[0], Understood)
    with pytest.raises(SourceError, match="there is no row to look at"):
        advise_on(data(tmp_path, "\n"))
