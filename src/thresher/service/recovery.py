"""Recovery: a model at any number of its log, from the nearest snapshot that can be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import takewhile
from secrets import token_hex
from typing import NamedTuple

import msgspec

from thresher.errors import ModelFileError, OutputError, ServiceError, StoreError
from thresher.models.file import load_model, save_model
from thresher.models.model import Model
from thresher.service.live_model import Known, LiveModel, joined, lines_in, parts, said
from thresher.service.settings import Settings
from thresher.service.store import (
    CHANGES,
    ROLLBACK,
    Entry,
    Snapshot,
    Store,
    StoredModel,
    require_kept,
)

MODEL, BESIDE = "model", "shadow"
Remark = Callable[[str], None]


class Recovered(NamedTuple):
    """A model as it was when its last event was acknowledged."""

    live: LiveModel
    #: Events whose ids stand in the log alone.
    known: dict[str, Known]
    #: How many events and changes of the log were replayed.
    replayed: int


def recovered(store: Store, stored: StoredModel, remark: Remark) -> Recovered:
    """The model after all that was committed, whatever happened to the process or the machine."""
    known: dict[str, Known] = {}
    with store.at_this_moment() as then:
        past = _Past(then, stored, remark, known, max(then.snapshots(stored.number)))
        live = past.at(then.last(stored.number))
    return Recovered(live, known, past.replayed)


def state_at(store: Store, stored: StoredModel, sequence: int, remark: Remark) -> LiveModel:
    """The model as it was after so many events; refused if that is not kept any more."""
    with store.at_this_moment() as then:
        require_kept(then.reading, stored.name, stored.number, sequence)
        return _Past(then, stored, remark, {}, then.last(stored.number)).at(sequence)


def replayed_to(store: Store, stored: StoredModel, sequence: int, remark: Remark) -> LiveModel:
    """The model after so many events, from a snapshot before that number: the log has the rest."""
    return _Past(store, stored, remark, {}, sequence, newest=sequence - 1).at(sequence)


class _Past:
    """Replays the log of a model."""

    def __init__(
        self,
        store: Store,
        stored: StoredModel,
        remark: Remark,
        known: dict[str, Known],
        noted: int,
        newest: int | None = None,
    ) -> None:
        self._store, self._stored, self._remark = store, stored, remark
        #: Ids of events behind the number `noted`: those before have a table of their own.
        self._known, self._noted = known, noted
        #: The newest snapshot to begin from; None: any.
        self._newest = newest
        self.replayed = 0

    def at(self, sequence: int) -> LiveModel:
        """The model after so many events and changes.

        The log is walked once, with what was taken back: its ids are known, and it is not learned
        again when it is sent again. Events that came one by one are learned many at a time, which
        changes no bit and takes a tenth of the time. A state that the log comes back to is kept
        until then; one from before the snapshot is made from an older one.
        """
        number = self._stored.number
        live = self._from_snapshot(sequence)
        targets = Counter(self._store.rollbacks(number, live.sequence, sequence))
        states: dict[int, LiveModel] = {}
        if targets[live.sequence]:
            states[live.sequence] = live.copy()
        entries = self._store.entries(number, live.sequence)
        wanted = takewhile(lambda entry: entry.first <= sequence, entries)
        pieces = (part for entry in wanted for part in parts(entry, sequence, targets))
        for step in joined(pieces, {*targets}):
            if step.kind == ROLLBACK:
                live = self._back_at(int(step.body), targets, states)
                live.sequence = step.last
            else:
                self._replay(live, step)
            if targets[step.last]:
                states[step.last] = live.copy()
        return live

    def _back_at(
        self, sequence: int, targets: Counter[int], states: dict[int, LiveModel]
    ) -> LiveModel:
        """The model as it was; a state that nobody comes back to again is not copied."""
        targets[sequence] -= 1
        found = states.pop(sequence, None) or self.at(sequence)
        if targets[sequence]:
            states[sequence] = found.copy()
        return found

    def _from_snapshot(self, most: int) -> LiveModel:
        """The newest snapshot up to some number that can be read."""
        for sequence, snapshot in reversed(self._store.snapshots(self._stored.number).items()):
            if sequence > (most if self._newest is None else min(most, self._newest)):
                continue
            try:
                return self._loaded(sequence, snapshot)
            except ModelFileError as error:
                self._remark(
                    f"snapshot {sequence} of {self._stored.name!r} cannot be read, and an older "
                    f"one is taken: {error}"
                )
        raise StoreError(
            f"{self._store.where}: no snapshot of {self._stored.name!r} can be read.",
            "Restore it from a backup.",
            code="store.no_snapshot",
            name=self._stored.name,
        )

    def _loaded(self, sequence: int, snapshot: Snapshot) -> LiveModel:
        models = {what: loaded(self._store, file) for what, file in snapshot.files.items()}
        settings = msgspec.json.decode(self._stored.settings, type=Settings)
        return LiveModel(
            settings,
            models[MODEL],
            models.get(BESIDE),
            sequence=sequence,
            refuted_at=snapshot.refuted_at,
        )

    def _replay(self, live: LiveModel, entry: Entry) -> None:
        answers = live.done(entry)
        self.replayed += entry.size
        if entry.ids is None or entry.last <= self._noted or entry.kind in CHANGES:
            return
        told = zip(entry.ids, lines_in(entry), answers, strict=True)
        for number, (ident, line, answer) in enumerate(told, entry.first):
            if ident is not None and number > self._noted:
                self._known[ident] = Known(number, said(line), answer)


def loaded(store: Store, file: str) -> Model:
    """The model in a file of a snapshot."""
    with store.base.file(file) as path:
        return load_model(path)


def models_in(live: LiveModel) -> dict[str, Model]:
    """The models that a snapshot has, by what they are."""
    models = {MODEL: live.champion.model}
    if live.shadow is not None:
        models[BESIDE] = live.shadow.model
    return models


def written(store: Store, live: LiveModel) -> Snapshot:
    """Write a model down, durably, in files that no snapshot has yet."""
    files: dict[str, str] = {}
    try:
        for what, model in models_in(live).items():
            files[what] = f"{token_hex(12)}.thr"
            with store.base.new_file(files[what]) as path:
                save_model(model, path)
    except (ModelFileError, OutputError) as error:
        store.base.remove(files.values())
        raise ServiceError(
            f"the model could not be written ({error.what})",
            "Make room on the disk of the store.",
            code="service.full",
        ) from error
    return Snapshot(files, live.refuted_at)


def tidied(store: Store) -> list[str]:
    """Remove files that no snapshot names: of a process that died between writing and noting."""
    named = {
        file
        for stored in store.models()
        for snapshot in store.snapshots(stored.number).values()
        for file in snapshot.files.values()
    }
    stray = store.base.strays(named)
    store.base.remove(stray)
    return stray
