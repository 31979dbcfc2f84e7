"""A replay learns many events at a time, and what comes of it is what one at a time gives."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.service.rows import as_lines, examples
from thresher.models.file import model_digest
from thresher.service import live_model, recovery
from thresher.service.live_model import LiveModel, joined, lines_in
from thresher.service.pupil import Pupil
from thresher.service.recovery import models_in, recovered, written
from thresher.service.retention import add_snapshot
from thresher.service.settings import Settings, created
from thresher.service.store import (
    ROLLBACK,
    SHADOW,
    SWAP,
    Entry,
    Kept,
    Store,
    StoredModel,
    append,
    create,
)

ROWS = examples(60, 3)
TWO: list[dict[str, Any]] = [
    {"learner": name, "n_features": 256}
    for name in ("perceptron", "committee", "arow", "winnow", "passive_aggressive", "adagrad")
] + [
    {"learner": "perceptron", "n_features": 256, "calibrate": "isotonic"},
    {"learner": "perceptron", "n_features": 256, "pairs": ["all"]},
]
SEVERAL: list[dict[str, Any]] = [
    {"learner": "multiclass_perceptron", "n_features": 256},
    {"learner": "perceptron", "n_features": 256, "multiclass": True},
    {"learner": "committee", "n_features": 256, "multiclass": True},
]
CLAIMED = {"learner": "winnow", "n_features": 256, "claim": "disjunction:k=1"}


def line(place: int, *, several: bool) -> dict[str, Any]:
    """A row; some learners refuse some of them: a class too few, a weight, a value below 0."""
    row = dict(ROWS[place])
    if several:
        row["label"] = ["law", "art", "sport", "law"][place % 4]
    elif place % 11 == 0:
        row["label"] = "neither"
    if place % 7 == 3:
        row["weight"] = 1 + place % 3
    if place % 13 == 5:
        row["features"] = {"minus": -1.5, **row["features"]}
    if place % 17 == 4:
        row["features"] = ["w3", "w5"]
    return row


def events(places: list[int], kind: str, *, several: bool) -> bytes:
    rows = [line(place, several=several) for place in places]
    if kind == "json":
        return as_lines(rows)
    name = "art" if several else "1"
    if kind == "svmlight":
        return b"".join(b"%b %d:1 9:2\n" % (name.encode(), 1 + place % 6) for place in places)
    return b"".join(b"%b |a w%d b:2\n" % (name.encode(), place) for place in places)


def snapshot(store: Store, stored: StoredModel) -> None:
    found = recovered(store, stored, lambda text: None)
    known = [(ident, one.sequence, one.packed()) for ident, one in found.known.items()]
    files = written(store, found.live)
    with store.writing as db:
        add_snapshot(db, stored.number, found.live.sequence, files, known, Kept())


def told(store: Store, stored: StoredModel) -> dict[str, Any]:
    """Everything that a recovery finds."""
    found = recovered(store, stored, lambda text: None)
    live = found.live
    return {
        "models": {what: model_digest(model) for what, model in models_in(live).items()},
        "sequence": live.sequence,
        "refuted": live.refuted_at,
        "refused": (live.champion.refused, live.shadow and live.shadow.refused),
        "recent": live.champion.recent_error,
        "known": found.known,
        "replayed": found.replayed,
    }


STEP = st.one_of(
    st.tuples(st.just("learn"), st.lists(st.integers(0, 59), min_size=1, max_size=4)),
    st.tuples(st.just("learn"), st.lists(st.integers(0, 59), min_size=1, max_size=1)),
    st.tuples(st.sampled_from(["svmlight", "vw"]), st.lists(st.integers(0, 59), min_size=1)),
    st.tuples(st.just("back"), st.floats(0, 1)),
    st.tuples(st.sampled_from(["swap", "shadow", "snapshot"]), st.none()),
)


@settings(max_examples=80)
@given(st.data())
def test_a_replay_of_many_at_a_time_is_one_of_each_alone(data: st.DataObject) -> None:
    several = data.draw(st.booleans())
    asked = data.draw(st.sampled_from(SEVERAL if several else [*TWO, CLAIMED]))
    steps = data.draw(st.lists(STEP, max_size=25))
    with TemporaryDirectory() as folder:
        store = Store(Path(folder) / "store")
        text = json.dumps(asked).encode()
        asked_for = Settings(**asked)
        first = written(store, LiveModel(asked_for, created(asked_for)))
        with store.writing as db:
            stored = StoredModel(create(db, "m", text, first), "m", text)
        for number, (what, given_) in enumerate(steps):
            if what == "snapshot":
                snapshot(store, stored)
                continue
            with store.writing as db:
                _write(db, store, stored, data, (number, what, given_), several=several)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(live_model, "MOST_JOINED", data.draw(st.sampled_from([300, 1 << 18])))
            many = told(store, stored)
            patch.setattr(recovery, "joined", lambda entries, cuts: _each(entries))
            alone = told(store, stored)
        store.close()
    assert many == alone


def _write(
    db: Any,
    store: Store,
    stored: StoredModel,
    data: st.DataObject,
    step: tuple[int, str, Any],
    *,
    several: bool,
) -> None:
    number, what, given_ = step
    last = store.last(stored.number)
    if what == "back":
        oldest = min(store.snapshots(stored.number))
        target = oldest + round(given_ * (last - oldest))
        append(db, stored.number, ROLLBACK, str(target).encode(), None, 1)
    elif what == "swap":
        append(db, stored.number, SWAP, b"", None, 1)
    elif what == "shadow":
        other = data.draw(st.sampled_from(SEVERAL if several else TWO))
        append(db, stored.number, SHADOW, json.dumps(other).encode(), None, 1)
    else:
        kind = "json" if what == "learn" else what
        ids: list[str | None] | None = [f"{number}-{k}" for k in range(len(given_))]
        if kind == "vw":
            ids = None
        elif kind == "svmlight":
            ids = [None if k % 2 else ident for k, ident in enumerate(ids or [])]
        body = events(given_, kind, several=several)
        append(db, stored.number, kind, body, ids, len(given_))


def _each(entries: Any) -> Iterator[Entry]:
    for entry in entries:
        if entry.kind in (ROLLBACK, SWAP, SHADOW):
            yield entry
            continue
        for place, one in enumerate(lines_in(entry)):
            ids = None if entry.ids is None else [entry.ids[place]]
            yield Entry(entry.first + place, 1, entry.kind, one, ids)


def test_events_are_joined_up_to_changes_cuts_other_kinds_and_a_size() -> None:
    def event(last: int, kind: str = "json", ids: list[str | None] | None = None) -> Entry:
        return Entry(last, 1, kind, b"%d\n" % last, ids)

    entries = [
        event(1), event(2, ids=["b"]), event(3), event(4), event(5, SWAP), event(6, SWAP),
        event(7), event(8, "vw"), event(9, "vw"),
    ]  # fmt: skip
    assert list(joined(entries, {3})) == [
        Entry(3, 3, "json", b"1\n2\n3\n", [None, "b", None]),
        event(4), event(5, SWAP), event(6, SWAP), event(7),
        Entry(9, 2, "vw", b"8\n9\n", None),
    ]  # fmt: skip
    large = [Entry(k, 1, "json", b"x" * (live_model.MOST_JOINED // 2), None) for k in (1, 2, 3)]
    assert [entry.size for entry in joined(large, set())] == [2, 1]
    assert list(joined([], set())) == []


@pytest.mark.parametrize("bad", [0, 3, 60, 199])
def test_a_claim_falls_at_the_same_event_whatever_is_refused_around_it(bad: int) -> None:
    dice = random.Random(0)
    lines = [
        as_lines([{"features": {str(k): 1 for k in dice.sample(range(16), 4)},
                   "label": dice.choice([1, -1])}])
        for _ in range(200)
    ]  # fmt: skip
    lines[bad] = b'{"label":"neither","features":{"1":1}}\n'
    asked = Settings("winnow", n_features=16)
    together, alone = (Pupil(created(asked), "disjunction:k=1") for _ in range(2))
    fell = [place for place, one in enumerate(lines) if alone.taught("json", [one])[1] is not None]
    answers, refuted = together.taught("json", lines)
    assert [refuted] == fell
    assert [place for place, one in enumerate(answers) if one.refused] == [bad]
    assert model_digest(together.model) == model_digest(alone.model)
