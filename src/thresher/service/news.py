"""News: what is told of events that were learned, to subscribers, operators and whoever is called.

`learned` and `mistake` are for programs that follow every event; a `state` is all of it at a
glance, for whoever looks now and then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thresher.errors import ThresherError
from thresher.service.examples import label_value
from thresher.service.watch import LAST_ROUNDS
from thresher.streams.label_scheme import canonical

if TYPE_CHECKING:
    from thresher.service.live_models import LiveModels
    from thresher.service.pupil import Learned
    from thresher.service.served_model import ServedModel
    from thresher.streams.labels import Label

#: Bytes of an event that is shown with its label.
LONGEST_LINE = 16 << 10


def tell(
    models: LiveModels,
    served: ServedModel,
    kind: str,
    lines: list[bytes],
    answers: list[Learned],
    refuted_before: int | None,
) -> None:
    """Tell everybody of events that the model has just learned."""
    live, watch, name = served.live, served.watch, served.stored.name
    last = live.sequence
    drift = watch.learned(answers, last)
    events: list[dict[str, Any]] = []
    for place in range(max(0, len(lines) - LAST_ROUNDS), len(lines)):
        # Whoever keeps lines keeps no long ones.
        line = lines[place] if len(lines[place]) <= LONGEST_LINE else b""
        watch.last_rounds.append((last - len(lines) + 1 + place, answers[place], kind, line))
    if served.watched:
        learner = live.champion.model.learner
        events.append(
            {"event": "learned", "sequence": last, "count": len(answers)}
            | {"n_rounds": learner.n_rounds, "mistakes": learner.mistakes}
        )
        events += [
            {"event": "mistake", "sequence": number, **answer._asdict()}
            for number, answer in enumerate(answers, last - len(answers) + 1)
            if answer.mistake
        ]
    alarms: list[dict[str, Any]] = []
    if live.refuted_at != refuted_before:
        claim = live.settings.claim
        models.remark(f"event {live.refuted_at} refutes the claim {claim} of {name!r}.")
        alarms.append({"event": "refuted", "sequence": live.refuted_at, "claim": claim})
    if drift is not None:
        models.remark(
            f"{name!r} errs more often: {drift.recent:.1%} of the last {drift.window} rounds, "
            f"{drift.before:.1%} before (event {watch.drift_at})."
        )
        alarms.append({"event": "drift", "sequence": watch.drift_at, **drift._asdict()})
    for alarm in alarms:
        models.alarm({"model": name, **alarm})
    served.moved(events + alarms)


def _label(served: ServedModel, answer: Learned, kind: str, line: bytes) -> Label | None:
    """The label of an event, which most answers tell; None where nobody can."""
    champion = served.live.champion
    if answer.mistake is None:
        return None
    if not answer.mistake:
        return answer.prediction
    if not champion.model.learner.several:
        first, second = champion.labels
        return second if answer.prediction == first else first
    try:
        examples = champion.reader.read(kind, line, 1)
    except ThresherError:
        return None
    return label_value(canonical(examples.label_names[int(examples.label[0])]))


def state(served: ServedModel) -> dict[str, Any]:
    """A model at a glance, with what happened to it since the service began."""
    live, watch = served.live, served.watch
    champion, shadow = live.champion, live.shadow
    learner = champion.model.learner
    found: dict[str, Any] = {
        "event": "state",
        "sequence": live.sequence,
        "learner": learner.name,
        "n_rounds": learner.n_rounds,
        "mistakes": learner.mistakes,
        "recent_error": champion.recent_error,
        "claim": live.settings.claim,
        "allowed": watch.allowed(live),
        "false_negatives": learner.false_negatives,
        "false_positives": learner.false_positives,
        "refuted_at": live.refuted_at,
        "drifts": watch.drifts,
        "drift_at": watch.drift_at,
        "shadow": None,
        "rounds": [
            {"sequence": number, "label": _label(served, answer, kind, line)}
            | {"prediction": answer.prediction, "score": answer.score, "mistake": answer.mistake}
            for number, answer, kind, line in watch.last_rounds
        ],
        "alarms": list(watch.alarms),
        "curve": watch.curve,
    }
    duel = watch.duel
    if shadow is not None and duel is not None:
        found["shadow"] = {
            "learner": shadow.model.learner.name,
            "recent_error": shadow.recent_error,
            "both_played": duel.rounds,
            "champion_mistakes": duel.champion,
            "mistakes": duel.shadow,
        }
    return found
