"""Linear threshold classifiers learned from a stream, with evidence of how good they are."""

from __future__ import annotations

from importlib import import_module

__version__ = "0.2.0"

#: Rooms that are reached as attributes.
_ROOMS = ("certifier", "cluster", "concepts", "errors", "games", "proofs", "theory", "verifier")

#: Where each public name lives, beside the learners, whose registry says it. `__init__.pyi` tells
#: type checkers the same; a test compares.
_HOME = {
    "BadLinePolicy": "streams.bad_lines",
    "Batch": "streams.batch",
    "CalibratedRounds": "learners.calibration.calibrated",
    "Certificate": "verifier.certificate",
    "Conjunctions": "streams.conjunctions",
    "Hashed": "names.tables",
    "Journal": "learners.base.journal",
    "Learner": "learners.base.learner",
    "Model": "models.model",
    "NGrams": "streams.recipe",
    "Pairs": "streams.pairs",
    "Recipe": "streams.recipe",
    "Report": "reports.report",
    "Rounds": "learners.base.rounds",
    "Rows": "streams.rows",
    "Scorecard": "models.scorecard",
    "Stream": "streams.reading",
    "Vocabulary": "names.tables",
    "certify": "certifier.certification",
    "convert": "models.conversion",
    "load": "models.file",
    "race": "models.comparison",
    "read": "streams.labelled_rows",
    "train": "models.train",
    "tune": "models.tuning",
    "verify": "verifier.verification",
}
#: Names of earlier releases, which still work and warn.
_OLD = ("MulticlassRounds",)


def _homes() -> dict[str, str]:
    """The home of every public name; the registry is not imported for those who check evidence."""
    records = import_module("thresher.learners.registry").RECORDS
    return _HOME | {record.title: f"learners.{record.home}" for record in records}


def __getattr__(name: str) -> object:
    # Imported on first use: whoever needs one learner does not wait for all of them.
    if name in _HOME:
        return getattr(import_module(f"thresher.{_HOME[name]}"), name)
    if name in _ROOMS:
        return import_module(f"thresher.{name}")
    if name == "__all__":
        return sorted([*_homes(), *_ROOMS])
    if not name.startswith("_") and name in (homes := _homes()):
        return getattr(import_module(f"thresher.{homes[name]}"), name)
    if name in _OLD:
        return import_module("thresher.deprecation").renamed(__name__, name)
    raise AttributeError(f"module 'thresher' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_homes(), *_ROOMS})
