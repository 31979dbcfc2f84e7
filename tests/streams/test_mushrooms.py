from __future__ import annotations

import hashlib
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from scripts import make_mushrooms
from thresher.streams import Batch, load_mushrooms

DIGESTS = {
    "mushrooms.npy": "c3e6211efcfd4a0236c34de075ca631b7a73305bad1e16fb325d0faba1a57c74",
    "mushrooms.names.txt": "c51a28c84db4b3a19fcb7f0cc6081d0762cba060994b12bf6f2e8ef5b843eb66",
}
DISJUNCTION = {
    "odor=foul",
    "odor=pungent",
    "odor=creosote",
    "spore-print-color=green",
    "population=clustered",
}


def named_rows(batch: Batch, names: list[str]) -> list[tuple[set[str], int]]:
    return [({names[i] for i in features}, label) for features, label in batch.examples()]


@pytest.mark.parametrize("name", DIGESTS)
def test_the_data_files_are_the_ones_the_script_made(name: str) -> None:
    content = (files("thresher.streams.datasets") / "data" / name).read_bytes()
    assert hashlib.sha256(content).hexdigest() == DIGESTS[name]


def test_the_table_has_the_counts_its_source_states() -> None:
    batch, names = load_mushrooms()
    assert (len(batch), len(names), batch.n_features) == (5644, 98, 98)
    assert (batch.label.tolist().count(1), batch.label.tolist().count(-1)) == (2156, 3488)
    assert set(np.diff(batch.row_start).tolist()) == {22}
    assert len(set(names)) == 98
    assert set(batch.column.tolist()) == set(range(98))


def test_every_mushroom_has_one_value_for_every_attribute() -> None:
    for features, _ in named_rows(*load_mushrooms()):
        assert {name.split("=")[0] for name in features} == set(make_mushrooms.ATTRIBUTES)


def test_poisonous_is_a_disjunction_of_five_features() -> None:
    for features, label in named_rows(*load_mushrooms()):
        assert bool(features & DISJUNCTION) == (label == 1)


@pytest.mark.parametrize("left_out", sorted(DISJUNCTION))
def test_none_of_the_five_features_can_be_spared(left_out: str) -> None:
    rows = named_rows(*load_mushrooms())
    assert any(label == 1 and not features & (DISJUNCTION - {left_out}) for features, label in rows)


def test_a_seed_permutes_the_rows_and_nothing_else() -> None:
    original, names = load_mushrooms()
    shuffled, same_names = load_mushrooms(order=3)
    assert names == same_names
    assert shuffled != original

    def rows(batch: Batch) -> list[tuple[list[int], int]]:
        return sorted((list(features), label) for features, label in batch.examples())

    assert rows(shuffled) == rows(original)


def test_the_order_of_a_seed_is_fixed_for_good() -> None:
    shuffled, _ = load_mushrooms(order=1)
    assert shuffled.digest() == "c057ca954d4267e342c2a4a1faaa7f4cce1e6e1e8f72e5f685eb18449265cc1c"
    assert shuffled == load_mushrooms(order=1)[0]
    assert shuffled != load_mushrooms(order=2)[0]


def test_encoding_numbers_the_values_that_occur_in_the_order_of_the_attributes() -> None:
    letters = [
        "x",
        "s",
        "n",
        "t",
        "p",
        "f",
        "c",
        "n",
        "k",
        "e",
        "e",
        "s",
        "s",
        "w",
        "w",
        "p",
        "w",
        "o",
        "p",
        "k",
        "s",
        "u",
    ]
    other = ["b", *letters[1:]]
    encoded, names = make_mushrooms.encode([[*letters, "p"], [*other, "e"]])
    assert names[:3] == ["cap-shape=bell", "cap-shape=convex", "cap-surface=smooth"]
    assert len(names) == 23
    assert encoded.tolist() == [[1, 1, *range(2, 23)], [0, 0, *range(2, 23)]]


def test_writing_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    encoded, names = np.array([[1, 0], [0, 0]], np.uint8), ["cap-shape=bell"]
    written = []
    for _ in range(2):
        make_mushrooms.write(tmp_path, encoded, names)
        written.append({path.name: path.read_bytes() for path in tmp_path.iterdir()})
    assert written[0] == written[1]
    assert written[0]["mushrooms.names.txt"] == b"cap-shape=bell\n"
