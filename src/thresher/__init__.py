"""Linear threshold classifiers learned from a stream, with evidence of how good they are."""

from __future__ import annotations

from importlib import import_module

from thresher.learners.registry import RECORDS

__version__ = "0.2.0"

#: Rooms that are reached as attributes.
_ROOMS = ("certifier", "concepts", "errors", "games", "proofs", "theory", "verifier")

#: Where each public name lives. `__init__.pyi` tells type checkers the same; a test compares.
_HOME = {record.title: f"learners.{record.home}" for record in RECORDS} | {
    "BadLinePolicy": "streams.bad_lines",
    "Batch": "streams.batch",
    "CalibratedRounds": "learners.calibration.calibrated",
    "Certificate": "verifier.certificate",
    "Hashed": "names.tables",
    "Journal": "learners.base.journal",
    "Learner": "learners.base.learner",
    "Model": "models.model",
    "NGrams": "streams.recipe",
    "Recipe": "streams.recipe",
    "Rounds": "learners.base.rounds",
    "Rows": "streams.rows",
    "Stream": "streams.reading",
    "Vocabulary": "names.tables",
    "certify": "certifier.certification",
    "load": "models.file",
    "read": "streams.reading",
    "verify": "verifier.verification",
}

__all__ = sorted([*_HOME, *_ROOMS])


def __getattr__(name: str) -> object:
    # Imported on first use: whoever needs one learner does not wait for all of them.
    if name in _HOME:
        return getattr(import_module(f"thresher.{_HOME[name]}"), name)
    if name in _ROOMS:
        return import_module(f"thresher.{name}")
    raise AttributeError(f"module 'thresher' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
