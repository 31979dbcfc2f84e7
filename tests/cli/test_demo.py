from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from thresher.cli.demo import TOUR, write_streams
from thresher.cli.main import thresher


def test_the_tour_shows_commands_with_their_output(tmp_path: Path) -> None:
    result = CliRunner().invoke(thresher, ["demo", "--keep", str(tmp_path / "tour")])
    assert result.exit_code == 0
    for why, words in TOUR:
        assert f"{why}\n\n$ thresher {words}\n" in result.stdout
    assert "Traceback" not in result.stdout
    assert "mistakes  61" in result.stdout
    assert "compared with odor=foul" in result.stdout
    assert "the claim holds" in result.stdout
    assert "THE CLAIM DOES NOT HOLD" in result.stdout
    assert result.stdout.count("(exit status 1)") == 1
    assert "(exit status 2)" not in result.stdout
    assert (tmp_path / "tour" / "mushrooms.cert.json").exists()


def test_a_folder_that_exists_is_not_written_to(tmp_path: Path) -> None:
    result = CliRunner().invoke(thresher, ["demo", "--keep", str(tmp_path)])
    assert result.exit_code == 2
    assert "exists already" in result.stderr


@pytest.mark.parametrize("order", [1, 7])
def test_the_forged_stream_differs_in_one_label(tmp_path: Path, order: int) -> None:
    write_streams(tmp_path, order)
    honest, forged = (
        (tmp_path / name).read_text().splitlines() for name in ("mushrooms.vw", "forged.vw")
    )
    (at,) = [t for t, (a, b) in enumerate(zip(honest, forged, strict=True)) if a != b]
    assert at == 1000
    assert honest[at].split(" ")[1:] == forged[at].split(" ")[1:]
