"""What is told of a model: its state, its evidence, its journal, a report."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from time import perf_counter
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from thresher.certifier import certify
from thresher.errors import ServiceError
from thresher.models.claims import parse_claim
from thresher.models.explanation import Explainer, by_column
from thresher.models.plain_parameters import plain_parameters
from thresher.reports.report import Report
from thresher.service.examples import ExampleReader, Examples, label_value
from thresher.service.live_model import LiveModel, lines_in
from thresher.service.messages import DriftInfo, ModelInfo, ShadowInfo
from thresher.service.pupil import Pupil
from thresher.service.recovery import state_at
from thresher.service.served_model import ServedModel
from thresher.service.store import CHANGES, Store
from thresher.streams.batch import Batch
from thresher.streams.labels import Label
from thresher.streams.recipe import Recipe

if TYPE_CHECKING:
    from thresher.service.live_models import LiveModels

#: Seconds for which everybody may be kept waiting because somebody looks at a model.
LONGEST_LOOK = 0.02
#: Columns times classes of a model that would take longer, even for the first time.
MANY_CELLS = 1 << 23


async def looked_at(models: LiveModels, served: ServedModel) -> LiveModel:
    """A copy of a model as it is now, for whoever looks at it for long.

    One that is too large to be copied between two events is made again from the store meanwhile,
    by another thread: a model is a function of its snapshots and its log.
    """
    live, learner = served.live, served.live.champion.model.learner
    cells = learner.n_features * max(1, len(learner.classes))
    if cells > MANY_CELLS or served.freezing > LONGEST_LOOK:
        return await asyncio.to_thread(
            state_at, models.store, served.stored, live.sequence, models.remark
        )
    began = perf_counter()
    frozen = live.frozen()
    served.freezing = perf_counter() - began
    return await asyncio.to_thread(frozen)


def described(served: ServedModel, digest: str) -> ModelInfo:
    """A model in a few values."""
    live, pupil = served.live, served.live.champion
    learner, drift = pupil.model.learner, served.watch.drift
    return ModelInfo(
        name=served.stored.name,
        learner=learner.name,
        parameters=plain_parameters(learner),
        settings=msgspec.json.decode(served.stored.settings),
        classes=list(pupil.labels),
        n_features=learner.n_features,
        sequence=live.sequence,
        n_rounds=learner.n_rounds,
        mistakes=learner.mistakes,
        recent_error=pupil.recent_error,
        claim=live.settings.claim,
        refuted_at=live.refuted_at,
        drift=None if drift is None else DriftInfo(served.watch.drift_at or 0, *drift),
        shadow=None if live.shadow is None else _shadow(live.shadow),
        reads=_reads(pupil.model.recipe),
        digest=digest,
    )


def _reads(recipe: Recipe) -> dict[str, Any]:
    """The format, and what else of a recipe differs from the default."""
    plain = Recipe().to_dict()
    found = {name: value for name, value in recipe.to_dict().items() if value != plain[name]}
    return {"format": recipe.format or "json"} | found


def _shadow(pupil: Pupil) -> ShadowInfo:
    learner = pupil.model.learner
    return ShadowInfo(
        learner.name,
        plain_parameters(learner),
        learner.n_rounds,
        learner.mistakes,
        pupil.recent_error,
    )


def explained(pupil: Pupil, examples: Examples, label: str | None) -> list[Any]:
    """Why rows have their scores."""
    named = [by_column(pupil.reader.names(examples, row)) for row in range(examples.size)]
    wanted: Label | None = None if label is None else label
    return list(Explainer(pupil.model, wanted).explain_rows(examples.rows, named))


def journal_lines(live: LiveModel) -> Iterator[bytes]:
    """The rows that changed the learner, in order, in JSON lines; features by column."""
    learner = live.champion.model.learner
    journal = learner.journal_as_given
    if journal is None:
        raise ServiceError(
            f"{type(learner).__name__} keeps no journal: it changes in most rounds.",
            code="service.not_kept",
        )
    if not journal.complete:
        raise ServiceError(
            f"the journal is not complete: {journal.omitted} updates were not kept.",
            code="service.not_kept",
        )
    rounds = journal.round_number.tolist()
    weights = None if journal.importance is None else journal.importance.tolist()
    labels = [label_value(label) for label in journal.labels.tolist()]
    for place, features in enumerate(journal):
        line: dict[str, Any] = {"round": rounds[place], "label": labels[place]}
        if weights is not None:
            line["weight"] = weights[place]
        line["features"] = {str(column): value for column, value in features.items()}
        yield msgspec.json.encode(line) + b"\n"


def certificate(store: Store, served: ServedModel, live: LiveModel) -> str:
    """The certificate of what a model did, from its claim or from its whole log."""
    model = live.champion.model
    if live.settings.claim is not None:
        claim = parse_claim(live.settings.claim, model.learner.n_features)
        return certify(model.learner, claim=claim).to_json()
    batch = _whole_log(store, served, ExampleReader(model), live.sequence)
    if len(batch) < model.learner.n_rounds:
        raise ServiceError(
            f"the model had learned {model.learner.n_rounds - len(batch)} rows before it was "
            "served, and a certificate speaks of all rows.",
            "Take the model file and the exported log, and certify them together with the files "
            "that it was trained on: `thresher certify`.",
            code="service.not_kept",
        )
    return certify(model.learner, batch).to_json()


def _whole_log(store: Store, served: ServedModel, reader: ExampleReader, until: int) -> Batch:
    """All events since the model was new."""
    with store.at_this_moment() as then:
        return _logged(then, served.stored.number, reader, until)


def _logged(store: Store, number: int, reader: ExampleReader, until: int) -> Batch:
    if 0 not in store.snapshots(number):
        raise ServiceError(
            "the log does not go back to the first event, and without a claim a certificate needs "
            "all of them.",
            "Make the model with a claim: then the journal is enough.",
            code="service.not_kept",
        )
    batches: list[Batch] = []
    for entry in store.entries(number, 0, until):
        if entry.kind in CHANGES:
            raise ServiceError(
                f"number {entry.last} of the log is a {entry.kind}: the model was not made by its "
                "events alone.",
                code="service.not_kept",
            )
        batches.append(reader.batch(reader.read(entry.kind, b"".join(lines_in(entry)))))
    return Batch.joined(_numbered_alike(batches))


def _numbered_alike(batches: list[Batch]) -> list[Batch]:
    """Batches in which the number of a class means the same, however each request numbered them."""
    classes = tuple(dict.fromkeys(name for batch in batches for name in batch.classes))
    if all(batch.classes == classes for batch in batches):
        return batches
    place = {name: k for k, name in enumerate(classes)}
    alike = []
    for batch in batches:
        number: NDArray[np.int32] = np.array([place[name] for name in batch.classes], np.int32)
        label = number.take(batch.label)
        alike.append(Batch.from_rows(batch, label, batch.importance, classes))
    return alike


def report(served: ServedModel, live: LiveModel) -> str:
    """A page about the model."""
    return Report.of(live.champion.model, title=served.stored.name).html()
