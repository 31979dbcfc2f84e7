"""Recovery: a model at any number of its log, from the nearest snapshot that can be read."""

from __future__ import annotations

import os
from collections.abc import Callable
from secrets import token_hex
from typing import NamedTuple

import msgspec

from thresher.errors import ModelFileError, OutputError, ServiceError, StoreError
from thresher.models.file import load_model, save_model
from thresher.service.live_model import Known, LiveModel, first_part, lines_in, said
from thresher.service.settings import Settings
from thresher.service.store import CHANGES, Entry, Snapshot, Store, StoredModel

MODEL, BESIDE = "model", "shadow"
Remark = Callable[[str], None]


class Recovered(NamedTuple):
    """A model as it was when its last event was acknowledged."""

    live: LiveModel
    #: Events whose ids stand in the log alone.
    known: dict[str, Known]
    #: How many entries of the log were replayed.
    replayed: int


def recovered(store: Store, stored: StoredModel, remark: Remark) -> Recovered:
    """The model after all that was committed, whatever happened to the process or the machine."""
    noted = max(store.snapshots(stored.number))
    known: dict[str, Known] = {}
    past = _Past(store, stored, remark, known, noted)
    live = past.at(store.last(stored.number))
    return Recovered(live, known, past.replayed)


def state_at(store: Store, stored: StoredModel, sequence: int, remark: Remark) -> LiveModel:
    """The model as it was after so many events; refused if that is not kept any more."""
    oldest, last = min(store.snapshots(stored.number)), store.last(stored.number)
    if not oldest <= sequence <= last:
        raise ServiceError(
            f"the store keeps {stored.name!r} from number {oldest} to {last}, and {sequence} is "
            "asked for.",
            code="service.not_kept",
            oldest=oldest,
            last=last,
        )
    return _Past(store, stored, remark, {}, last).at(sequence)


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
        """The model after so many events and changes."""
        back = self._store.last_rollback(self._stored.number, sequence)
        live = self._from_snapshot(0 if back is None else back[0], sequence)
        if live is None and back is not None:
            if back[0] > self._noted:
                # What was taken back is not learned again when it is sent again.
                self.at(back[0] - 1)
            live = self.at(back[1])
            live.sequence = back[0]
        if live is None:
            raise StoreError(
                f"{self._store.folder}: no snapshot of {self._stored.name!r} can be read.",
                "Restore the folder from a backup.",
                code="store.no_snapshot",
                name=self._stored.name,
            )
        for entry in self._store.entries(self._stored.number, live.sequence):
            if entry.first > sequence:
                break
            self._replay(live, first_part(entry, sequence))
        return live

    def _from_snapshot(self, least: int, most: int) -> LiveModel | None:
        """The newest snapshot between two numbers that can be read."""
        for sequence, snapshot in reversed(self._store.snapshots(self._stored.number).items()):
            newest = most if self._newest is None else min(most, self._newest)
            if not least <= sequence <= newest:
                continue
            try:
                return self._loaded(sequence, snapshot)
            except ModelFileError as error:
                self._remark(
                    f"snapshot {sequence} of {self._stored.name!r} cannot be read, and an older "
                    f"one is taken: {error}"
                )
        return None

    def _loaded(self, sequence: int, snapshot: Snapshot) -> LiveModel:
        models = {what: load_model(self._store.path(file)) for what, file in snapshot.files.items()}
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
        self.replayed += 1
        if entry.ids is None or entry.last <= self._noted or entry.kind in CHANGES:
            return
        told = zip(entry.ids, lines_in(entry), answers, strict=True)
        for number, (ident, line, answer) in enumerate(told, entry.first):
            if ident is not None and number > self._noted:
                self._known[ident] = Known(number, said(line), answer)


def written(store: Store, live: LiveModel) -> Snapshot:
    """Write a model down, durably, in files that no snapshot has yet."""
    models = {MODEL: live.champion.model}
    if live.shadow is not None:
        models[BESIDE] = live.shadow.model
    files: dict[str, str] = {}
    try:
        for what, model in models.items():
            files[what] = f"{token_hex(12)}.thr"
            path = store.path(files[what])
            save_model(model, path)
            os.chmod(path, 0o600)
    except (ModelFileError, OutputError) as error:
        for file in files.values():
            store.path(file).unlink(missing_ok=True)
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
    stray = [path for path in store.path("").iterdir() if path.name not in named]
    for path in stray:
        path.unlink()
    return [path.name for path in stray]
