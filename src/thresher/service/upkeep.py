"""Looking after a store that nobody serves: checked, compacted, exported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from thresher.errors import ModelFileError, StoreError, ThresherError
from thresher.models.file import model_digest
from thresher.service.connection import Connection
from thresher.service.live_model import lines_in
from thresher.service.recovery import (
    Recovered,
    loaded,
    models_in,
    recovered,
    replayed_to,
    tidied,
    written,
)
from thresher.service.retention import add_snapshot
from thresher.service.store import (
    CHANGES,
    ROLLBACK,
    SWAP,
    Kept,
    Store,
    StoredModel,
    removed,
    stored_called,
)
from thresher.service.writer import Waiting, committed


class Finding(NamedTuple):
    """One thing that was checked."""

    sound: bool
    said: str


def checked(store: Store) -> Iterator[Finding]:
    """Whether the store is what it should be: bytes, snapshots, and the log between them.

    Every snapshot but the oldest is made again, from the one before it and the log, and compared
    by its digest: equal to the bit, or a finding.
    """
    for sound, told in store.base.findings():
        yield Finding(sound, told)
    if not store.shared:
        for stored in store.models():
            yield from _checked(store, stored)
        return
    # Others may be at work: what is looked at is the store of one moment.
    with store.at_this_moment() as then:
        for stored in then.models():
            yield from _checked(then, stored)


def _checked(store: Store, stored: StoredModel) -> Iterator[Finding]:
    remarks: list[str] = []
    numbers = list(store.snapshots(stored.number).items())
    for place, (sequence, snapshot) in enumerate(numbers):
        named = f"{stored.name}: snapshot {sequence}"
        try:
            digests = {what: loaded(store, file).digest for what, file in snapshot.files.items()}
        except ModelFileError as error:
            yield Finding(False, f"{named}: {error}")
            continue
        if place == 0:
            yield Finding(True, f"{named} can be read")
            continue
        try:
            again = replayed_to(store, stored, sequence, remarks.append)
        except ThresherError as error:
            yield Finding(False, f"{named}: {error}")
            continue
        same = digests == {what: model_digest(model) for what, model in models_in(again).items()}
        how = "the same, to the bit, as" if same else "NOT the same as"
        yield Finding(same, f"{named} is {how} the log replayed from an older one")
    try:
        live = recovered(store, stored, remarks.append).live
    except ThresherError as error:
        yield Finding(False, f"{stored.name}: {error}")
        return
    yield Finding(True, f"{stored.name}: {live.sequence} events, {live.champion.model.learner}")


def compacted(store: Store, keep: Kept | None = None) -> int:
    """Write every model down, let go of the log before, and give back the room; bytes saved."""
    before = store.base.bytes_used()
    if store.shared:
        _own_all(store)
    for stored in store.models():
        removed(store, _written_down(store, stored, (keep or Kept())._replace(snapshots=1)))
    tidied(store)
    return before - store.base.shrink()


def _own_all(store: Store) -> None:
    """Be the one who writes about every model; refused if an instance is at work."""
    work = Waiting(lambda db: db.claimed(), lambda result, error: None)  # type: ignore[attr-defined]
    claim, error = committed(store.writing, [work]).results[0]
    if error is not None:
        raise error
    if claim.elsewhere:
        name, address = next(iter(claim.elsewhere.items()))
        raise StoreError(
            f"{store.where}: {name!r} is served by an instance at {address or 'no address'}.",
            "Stop all instances first.",
            code="store.locked",
        )
    for stored, _ in claim.taken:
        store.writing.confirm(stored.number, claim.instance)


def _written_down(store: Store, stored: StoredModel, keep: Kept) -> list[str]:
    """One snapshot of a model, and no log; the files that are not needed any more."""
    found = recovered(store, stored, lambda text: None)
    number, last = stored.number, found.live.sequence
    # Anew, even if there is one of this number: it may be the one that cannot be read.
    snapshot = written(store, found.live)
    known = [(ident, one.sequence, one.packed()) for ident, one in found.known.items()]

    def work(db: Connection) -> list[str]:
        return add_snapshot(db, number, last, snapshot, known, keep)

    group = committed(store.writing, [Waiting(work, lambda result, error: None)])
    gone, error = group.results[0]
    if error is not None:
        raise error
    files: list[str] = gone
    return files


class Exported(NamedTuple):
    """The log of a model as a file."""

    #: The number of the first event that the log has.
    first: int
    lines: Iterator[bytes]
    #: How many events of the log were taken back later, and how often a shadow took over.
    taken_back: int
    swaps: int


def exported(
    store: Store, name: str, kind: str | None = None, *, effective: bool = False
) -> Exported:
    """The lines of a model's log, as they can be learned from a file.

    Parameters
    ----------
    store, name
        Which model.
    kind
        How the lines are written; None: as all are, if they are all alike.
    effective
        Whether events that were taken back are left out.
    """
    number = stored_called(store, name).number
    seen = Counter(entry.kind for entry in store.entries(number, 0))
    kinds = seen.keys() - {*CHANGES}
    if kind is None and len(kinds) > 1:
        raise StoreError(
            f"the log of {name!r} has lines in several formats: {', '.join(sorted(kinds))}.",
            "Name one of them.",
            code="store.several_kinds",
        )
    valid = _not_taken_back(store, number)

    def events() -> Iterator[tuple[bytes, bool]]:
        """The lines, and whether they were not taken back."""
        parts = iter(valid)
        part = next(parts, range(0))
        for entry in store.entries(number, 0):
            if entry.kind in CHANGES or kind not in (None, entry.kind):
                continue
            for place, line in enumerate(lines_in(entry), entry.first):
                while place >= part.stop and (later := next(parts, None)) is not None:
                    part = later
                yield line, place in part

    return Exported(
        min(store.snapshots(number)) + 1,
        (line for line, stays in events() if stays or not effective),
        sum(not stays for _, stays in events()),
        seen[SWAP],
    )


def _not_taken_back(store: Store, model: int) -> list[range]:
    """The numbers of the events that the model is made of.

    From the end backwards: what is behind the last rollback, then what is behind the last one
    before the number that it went back to, and so on.
    """
    entries = store.entries(model, 0)
    rollbacks = [(one.last, int(one.body)) for one in entries if one.kind == ROLLBACK]
    found, until = [], store.last(model)
    for number, target in reversed(rollbacks):
        if number <= until:
            found.append(range(number + 1, until + 1))
            until = target
    return [range(1, until + 1), *reversed(found)]


def model_of(store: Store, name: str) -> Recovered:
    """A model of the store after its last event."""
    return recovered(store, stored_called(store, name), lambda text: None)
