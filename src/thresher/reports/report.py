"""Report: everything a report says, as plain values, and the page made of them."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from thresher import __version__
from thresher.errors import ParameterError
from thresher.models.account import Account
from thresher.models.evidence import DELTA
from thresher.models.input_data import InputData
from thresher.models.plain_parameters import plain_parameters
from thresher.models.rerun import Rerun
from thresher.pictures import thinned
from thresher.reports.evidence import evidence_for
from thresher.reports.learned import audited, blamed, members, weights
from thresher.reports.page import page
from thresher.theory import HoldoutRisk
from thresher.theory.risk.best_mean import best_mean_risk
from thresher.verifier import Statement
from thresher.verifier.risk_words import OF_ROWS_HELD_OUT, risk_words
from thresher.verifier.verdict_text import SAME_SOURCE

if TYPE_CHECKING:
    from thresher.models.model import Model
    from thresher.models.scorecard import Scorecard
    from thresher.reports.evidence import Evidence
    from thresher.theory.theorem import RiskBound
    from thresher.verifier import Certificate

#: Classes in a table of confusions; the rest are told together.
MOST_CLASSES = 12
#: Bins of probabilities or scores.
BINS = 10
#: Sources of a model's history that are listed.
MOST_SOURCES = 20
#: Points of a ROC curve.
ROC_POINTS = 256


@dataclass(frozen=True, slots=True)
class Report:
    """What is known about a model, and about its predictions on data, for people to read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import thresher as th
    >>> mail = pathlib.Path(tempfile.mkdtemp()) / "mail.tsv"
    >>> _ = mail.write_text("spam\\tfree cash now\\nham\\tlunch at noon\\n" * 20)
    >>> model = th.train(mail, "perceptron", positive="spam", format="text")
    >>> report = Report.of(model, mail)
    >>> report.facts["verdict"]["made"], report.facts["verdict"]["allowed"]
    (1, 1)
    >>> report.save(mail.with_suffix(".html"))
    """

    facts: dict[str, Any] = field(repr=False)

    @classmethod
    def of(
        cls,
        model: Model,
        data: Any = None,
        *,
        certificate: Certificate | None = None,
        title: str | None = None,
        commands: Sequence[str] = (),
        **reading: Any,
    ) -> Report:
        """The report on a model.

        Parameters
        ----------
        model
            Any.
        data
            A file, a pattern or several of them, an `InputData`, or an `Account` of what the model
            did on some; None: there are no data.
        certificate
            The certificate of its run; it is checked as far as the data allow.
        title
            The title of the page; None: the learner and its data.
        commands
            The commands that reproduce all this.
        reading
            How to read files, where it differs from training; see `InputData.described`.
        """
        account = data if data is None or isinstance(data, Account) else _told(model, data, reading)
        evidence = evidence_for(model, account, certificate)
        facts: dict[str, Any] = {
            "title": title or _title(model, account),
            "model": _model(model),
            "verdict": evidence.facts(model),
            "data": None if account is None else _data(account),
            "history": _history(model),
            "mistakes": None if account is None else _mistakes(account, evidence),
            "risks": _risks(account, evidence),
            "weights": weights(model, account),
            "members": members(model),
            **(_none() if account is None else _figures(account)),
            **audited(model, evidence.certificate),
            "blame": blamed(model),
            "commands": list(commands),
            "versions": {
                "thresher": __version__,
                "Python": platform.python_version(),
                "NumPy": np.__version__,
            },
        }
        return cls(facts)

    def html(self) -> str:
        """The page: one file, without a script, that needs nothing else."""
        return page(self.facts)

    def save(self, path: str | Path) -> None:
        """Write the page to a file."""
        Path(path).write_text(self.html(), "utf-8")

    def _repr_html_(self) -> str:
        from html import escape  # noqa: PLC0415

        # In a frame of its own: the style of a page is not that of a notebook.
        return (
            f'<iframe srcdoc="{escape(self.html())}" width="100%" height="800" sandbox=""></iframe>'
        )


def _told(model: Model, data: Any, reading: dict[str, Any]) -> Account:
    """What the model does on files."""
    files = InputData.of_paths(data, **reading)
    if files is None:
        raise ParameterError("report", "data", "a file, several files, or an InputData", data)
    rerun = Rerun(model, files)
    for _ in rerun:
        pass
    return rerun.account


def _title(model: Model, account: Account | None) -> str:
    names = [source.name for training in model.history for source in training.sources]
    on = f" on {Path(names[0]).name}" if names else ""
    if account is not None and account.kind == "test":
        names = [source.name for source in account.stream.sources]
        on = f" tested on {Path(names[0]).name}" if names else " tested"
    more = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
    return f"{model.learner.plain_name}{on}{more}"


def _model(model: Model) -> dict[str, Any]:
    learner = model.learner
    several = learner.several
    return {
        "learner": learner.plain_name,
        "parameters": plain_parameters(learner),
        "sha256": model.digest,
        "rounds": learner.n_rounds,
        "mistakes": learner.mistakes,
        "error": learner.mistakes / learner.n_rounds if learner.n_rounds else None,
        "false_negatives": learner.false_negatives,
        "false_positives": learner.false_positives,
        "labels": [str(label) for label in learner.classes[:MOST_CLASSES]]
        if several
        else list(model.label_names),
        "n_classes": len(learner.classes),
        "several": several,
        "features": learner.n_features,
        "trained_by": sorted({training.version for training in model.history}),
    }


def _history(model: Model) -> dict[str, Any]:
    listed = [
        {
            "name": source.name,
            "rows": source.rows,
            "bytes": source.n_bytes,
            "digest": source.digest,
            "passes": source.passes,
        }
        for training in model.history
        for source in training.sources
    ]
    return {
        "commands": [one.command for one in model.history if one.command][-MOST_SOURCES:],
        "sources": listed[:MOST_SOURCES],
        "more_sources": max(0, len(listed) - MOST_SOURCES),
        "holdout": [training.holdout for training in model.history],
        "finished": all(training.finished for training in model.history),
    }


def _data(account: Account) -> dict[str, Any]:
    stream, card = account.stream, account.card
    first = stream.bad.first
    labels = [
        {"label": found.label, "rows": found.rows}
        for found in sorted(card.figures(), key=lambda found: -found.rows)
    ]
    return {
        "is": account.kind,
        "to_the_bit": account.to_the_bit,
        "format": stream.format,
        "rows": card.rows,
        "rounds": account.record.curve.rounds,
        "labels": labels[:MOST_CLASSES],
        "more_labels": max(0, len(labels) - MOST_CLASSES),
        "unseen": card.unseen[:MOST_CLASSES],
        "bad_lines": stream.bad.count,
        "first_bad": None if first is None else f"{first.file}:{first.line}",
        "mended": stream.bad.mended,
        "sources": [
            {"name": one.name, "bytes": one.n_bytes, "digest": one.digest}
            for one in stream.sources[:MOST_SOURCES]
        ],
        "more_sources": max(0, len(stream.sources) - MOST_SOURCES),
    }


def _mistakes(account: Account, evidence: Evidence) -> dict[str, Any]:
    curve = account.record.curve
    return {
        "rounds": curve.rounds,
        "made": curve.mistakes,
        "error": curve.error,
        "last_error": curve.last_error,
        "exact": curve.exact,
        "curve": [list(point) for point in curve.steps()],
        "recent": [list(point) for point in curve.stretches()],
        "allowed": evidence.allowed if account.kind == "run" else None,
    }


def _risks(account: Account | None, evidence: Evidence) -> list[dict[str, str]]:
    """What follows for rows to come: from the certificate, or from counts alone."""
    if (found := evidence.risks()) or account is None or not account.card.rows:
        return found
    card = account.card
    if account.kind == "test":
        of_a_test = HoldoutRisk(mistakes=card.mistakes, rounds=card.rows, delta=DELTA)
        premise = OF_ROWS_HELD_OUT.replace("rows held out", "the rows of this test")
        return [_risk(of_a_test, premise)]
    if account.kind == "run" and card.rows == account.record.curve.rounds:
        of_the_run = best_mean_risk(card.mistakes, card.rows, DELTA)
        return [] if of_the_run is None else [_risk(of_the_run, SAME_SOURCE)]
    return []


def _risk(theorem: RiskBound, premise: str) -> dict[str, str]:
    statement = Statement(theorem.name, theorem.version, theorem.measured(), theorem.max_risk())
    return {"says": risk_words(statement, DELTA), "if": premise, "theorem": theorem.name}


def _none() -> dict[str, Any]:
    return dict.fromkeys(("confusion", "classes", "roc", "calibration", "costliest"))


def _figures(account: Account) -> dict[str, Any]:
    card, record = account.card, account.record
    area = card.area
    roc = thinned(card.roc(), ROC_POINTS)
    return {
        "confusion": _confusion(card),
        "classes": _classes(card),
        "roc": {"area": area, "curve": [list(point) for point in roc]} if roc else None,
        "calibration": _calibration(account),
        "costliest": [
            {
                "round": one.round_number,
                "place": one.place,
                "label": card.names[one.label],
                "predicted": card.names[one.predicted] if one.predicted >= 0 else None,
                "score": one.score,
                "cost": one.cost,
                "text": one.text,
            }
            for one in record.costliest
        ],
    }


def _confusion(card: Scorecard) -> dict[str, Any]:
    """Labels and predictions; of many classes the commonest, the rest together."""
    figures = card.figures()
    order = sorted(range(len(figures)), key=lambda r: (-figures[r].rows, r))
    shown = sorted(order[:MOST_CLASSES]) if card.several else [0, 1]
    place = {r: k for k, r in enumerate(shown)}
    rest = len(shown)
    wide = rest + (len(figures) > rest or any(said < 0 for _, said in card.counts))
    table = [[0] * wide for _ in range(rest + (len(figures) > rest))]
    for (label, said), rows in card.counts.items():
        table[place.get(label, rest)][place.get(said, rest)] += rows
    return {
        "labels": [card.names[r] for r in shown],
        "others": len(figures) - rest,
        "table": table,
        "rows": card.rows,
        "mistakes": card.mistakes,
        "error": card.error,
    }


def _classes(card: Scorecard) -> dict[str, Any]:
    figures = sorted(card.figures(), key=lambda found: -found.rows)
    return {
        "figures": [
            {
                "label": found.label,
                "precision": found.precision,
                "recall": found.recall,
                "f1": found.f1,
                "rows": found.rows,
            }
            for found in figures[: 2 * MOST_CLASSES]
        ],
        "more": max(0, len(figures) - 2 * MOST_CLASSES),
    }


def _calibration(account: Account) -> dict[str, Any] | None:
    """Bins of probabilities, or of scores where there are none."""
    record, card = account.record, account.card
    bins = record.probabilities.bins(BINS) if record.given else card.score_bins(BINS)
    if not bins:
        return None
    return {
        "of": "probabilities" if record.given else "scores",
        "several": card.several,
        "threshold": None if card.several else account.model.learner.threshold,
        "bins": [found._asdict() for found in bins],
    }
