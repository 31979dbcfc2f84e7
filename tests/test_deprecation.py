"""A name that was renamed works for one more release, and says what it is called now."""

from __future__ import annotations

import warnings
from importlib import import_module
from pathlib import Path

import pytest

import thresher as th
from tests.cli.running import run
from thresher.cli.main import COMMANDS
from thresher.cli.renamed_options import RENAMED_OPTIONS, with_new_names
from thresher.deprecation import RENAMED, renamed_parameters
from thresher.errors import ParameterError

#: The release that is being made: the minor one after that of the last release.
COMING = (0, int(th.__version__.split(".")[1]) + 1)


def number(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in release.split("."))


@pytest.mark.parametrize(("module", "old"), RENAMED)
def test_an_old_name_is_the_new_one_and_warns_where_it_is_used(module: str, old: str) -> None:
    new = RENAMED[module, old]
    assert old not in import_module(module).__all__
    with pytest.warns(DeprecationWarning, match=f"{old} is called .*{new.name} now") as told:
        found = getattr(import_module(module), old)
    assert found is getattr(import_module(new.module), new.name)
    assert told[0].filename == __file__


@pytest.mark.parametrize("module", ["thresher", "thresher.theory"])
def test_a_module_that_is_imported_bit_by_bit_knows_its_own_old_names(module: str) -> None:
    assert {old for home, old in RENAMED if home == module} == {*import_module(module)._OLD}


def test_an_import_by_the_old_name_warns_in_the_line_that_imports() -> None:
    with pytest.warns(DeprecationWarning, match="PlantedStream") as told:
        from thresher.games import Stream  # noqa: PLC0415
    assert Stream is th.games.PlantedStream
    assert {one.filename for one in told} == {__file__}


@pytest.mark.parametrize("module", ["thresher", "thresher.games", "thresher.theory"])
def test_a_name_that_never_was_is_still_none(module: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(AttributeError, match=f"module '{module}' has no attribute 'Unheard'"):
            import_module(module).Unheard  # noqa: B018


def test_an_old_parameter_is_the_new_one_and_warns() -> None:
    @renamed_parameters("0.4", rate="eta")
    def step(size: int, eta: int = 1, **rest: int) -> tuple[int, int]:
        return size, eta

    with pytest.warns(DeprecationWarning, match=r"step: rate is called eta now.* in 0\.4") as told:
        assert step(2, rate=3) == (2, 3)
    assert told[0].filename == __file__
    assert step(2, eta=3) == (2, 3)
    with pytest.raises(ParameterError, match="it is eta, which is given"):
        step(2, eta=3, rate=4)


def test_an_old_option_does_what_the_new_one_does_and_is_told_of(tmp_path: Path) -> None:
    data = tmp_path / "a.svm"
    data.write_text("+1 1:1\n-1 2:1\n" * 20)
    words = ["race", str(data), "--learner", "perceptron", "--no-plot"]
    old = run(*words, "--csv", str(tmp_path / "old.csv"))
    new = run(*words, "-o", str(tmp_path / "new.csv"))
    assert (old.exit_code, new.exit_code) == (0, 0)
    assert "--csv is called --output now; the old name goes in 0.4." in old.stderr
    assert "is called" not in new.stderr
    assert (tmp_path / "old.csv").read_bytes() == (tmp_path / "new.csv").read_bytes()


def test_words_behind_two_hyphens_are_no_options() -> None:
    assert with_new_names("race", ["--", "--csv"]) == ["--", "--csv"]
    assert with_new_names("train", ["--csv"]) == ["--csv"]


def test_nothing_stays_beyond_the_release_in_which_it_goes() -> None:
    """Remove what fails here: the release that is being made is the one in which it goes."""
    going = [(name, new.goes) for name, new in RENAMED.items()]
    going += [(name, new.goes) for name, new in RENAMED_OPTIONS.items()]
    assert [name for name, goes in going if number(goes) <= COMING] == []
    assert {command for command, _ in RENAMED_OPTIONS} <= COMMANDS.keys()
