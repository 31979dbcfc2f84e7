"""Power cuts: with full syncing nothing acknowledged is lost; the harness sees it when it is."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import apsw
import pytest

from tests.service.power import Disk
from tests.service.rows import as_lines, examples
from thresher.errors import ServiceError, StoreError
from thresher.models.file import model_digest
from thresher.service.live_model import LiveModel
from thresher.service.recovery import recovered, written
from thresher.service.retention import add_snapshot
from thresher.service.settings import Settings, created
from thresher.service.store import Kept, Store, append, create
from thresher.service.writer import Waiting, committed

SETTINGS = Settings("perceptron", n_features=64)
CUTS = 30


def done(store: Store, *works: object) -> list[object]:
    group = committed(store.writing, [Waiting(work, lambda *_: None) for work in works])  # type: ignore[arg-type]
    for _, error in group.results:
        if error is not None:
            raise error
    return [result for result, _ in group.results]


def digest(live: LiveModel) -> str:
    return model_digest(live.champion.model)


def cut_at_random(folder: Path, seed: int, *, lies: bool, synchronous: str) -> bool:
    """Whether a store whose power was cut has lost, or changed, what it had acknowledged."""
    disk = Disk(f"disk-{seed}-{lies}-{synchronous}", lies=lies)
    try:
        return not Cut(folder, random.Random(seed), disk).survived(synchronous)
    finally:
        disk.unregister()


class Cut:
    """A store at work on a disk until the power goes, and again when it is back."""

    def __init__(self, folder: Path, dice: random.Random, disk: Disk) -> None:
        self.home, self.after = folder / "before", folder / "after"
        self.after.mkdir(parents=True)
        self.dice, self.disk = dice, disk
        self.live = LiveModel(SETTINGS, created(SETTINGS))
        self.rows = examples(60, dice.randrange(10**6))
        #: Acknowledged events; the states after each commit, that under way included.
        self.acknowledged, self.states = 0, {0: digest(self.live)}

    def survived(self, synchronous: str) -> bool:
        dice = self.dice
        store = Store(self.home, vfs=self.disk.vfs_name)
        store.writing.pragma("synchronous", synchronous)
        store.writing.pragma("wal_autocheckpoint", dice.choice([4, 10, 1000]))
        snapshot = written(store, self.live)
        (number,) = done(store, lambda db: create(db, "m", b"{}", snapshot))
        if dice.random() < 0.6:
            # In the middle of a commit or a checkpoint; otherwise between two.
            self.disk.fuse = dice.randint(0, 60)
        try:
            for _ in range(dice.randint(1, 12)):
                self._commit(store, int(str(number)))
        except ServiceError:
            assert self.disk.fuse == 0
        self.disk.cut(self.home, self.after, dice)
        self.disk.fuse = None
        store.close()
        return self._recovered()

    def _commit(self, store: Store, number: int) -> None:
        at = self.live.sequence
        lines = [as_lines([row]) for row in self.rows[at : at + self.dice.randint(1, 3)]]
        self.live.learn("json", lines)
        self.states[self.live.sequence] = digest(self.live)
        works = [partial(append, model=number, kind="json", body=line, ids=None, count=1)
                 for line in lines]  # fmt: skip
        done(store, *works)
        self.acknowledged = at = self.live.sequence
        if self.dice.random() < 0.2:
            snapshot = written(store, self.live)
            done(store, lambda db: add_snapshot(db, number, at, snapshot, [], Kept(2)))

    def _recovered(self) -> bool:
        try:
            store = Store(self.after)
            try:
                (stored,) = store.models()
                found = recovered(store, stored, lambda text: None).live
            finally:
                store.close()
        except (StoreError, ValueError, apsw.Error):
            return False
        # A commit that was not acknowledged is there as a whole, or not at all.
        whole = found.sequence in (self.acknowledged, self.live.sequence)
        return whole and digest(found) == self.states[found.sequence]


@pytest.mark.parametrize("part", range(2))
def test_nothing_acknowledged_is_lost(tmp_path: Path, part: int) -> None:
    seeds = range(part * CUTS, part * CUTS + CUTS)
    lost = [
        seed
        for seed in seeds
        if cut_at_random(tmp_path / str(seed), seed, lies=False, synchronous="full")
    ]
    assert lost == []


@pytest.mark.parametrize(
    ("lies", "synchronous"), [(False, "normal"), (True, "full")], ids=["normal", "lying disk"]
)
def test_the_cuts_are_sharp(tmp_path: Path, lies: bool, synchronous: str) -> None:
    """Without a sync for every commit, or on a disk that ignores syncs, much is lost."""
    lost = [
        seed
        for seed in range(CUTS)
        if cut_at_random(tmp_path / str(seed), seed, lies=lies, synchronous=synchronous)
    ]
    assert len(lost) > CUTS // 3
