"""Learners inside learners: what a certificate says of the inner one, and how it is found.

The inner learner is stated in JSON's terms, ``{"name": "perceptron", "parameters": {...}}``, its
parameters having the shapes of its own record.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thresher.errors import CertificateError
from thresher.verifier.algorithm import Algorithm, Domain
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.playing import Parameters
from thresher.verifier.shapes import NAME, check


class Inner:
    """The records that may be inside, and the parts of a record that only pass questions on."""

    def __init__(self, algorithms: Mapping[str, Algorithm]) -> None:
        self.algorithms = algorithms

    def check(self, parameters: Parameters, path: str) -> None:
        """Refuse an inner learner that nobody knows, or with parameters it cannot have."""
        stated = parameters["learner"]
        check(stated, {"name": NAME, "parameters": dict}, f"{path}.learner")
        record = self.algorithms.get(stated["name"])
        if record is None:
            known = ", ".join(sorted(self.algorithms))
            raise CertificateError.must_be(
                f"{path}.learner.name", f"one of {known}", stated["name"]
            )
        record.check(stated["parameters"], f"{path}.learner.parameters")

    def of(self, parameters: Parameters) -> tuple[Algorithm, dict[str, Any]]:
        """The record of the inner learner, and its parameters."""
        stated = parameters["learner"]
        record = self.algorithms[stated["name"]]
        return record, record.parsed(stated["parameters"])

    def domain(self, parameters: Parameters) -> Domain:
        """The values that the inner learner takes."""
        record, inner = self.of(parameters)
        return record.domain(inner)

    def room(self, parameters: Parameters) -> int | None:
        """The columns that it has room for."""
        record, inner = self.of(parameters)
        return record.room(inner)

    def check_rows(self, stream: LabelledRows, parameters: Parameters) -> str | None:
        """Why a row is beyond it although its values are not."""
        record, inner = self.of(parameters)
        return record.fault(inner, stream)

    def kept(self, stream: LabelledRows, parameters: Parameters) -> LabelledRows:
        """The rows as its journal keeps them."""
        record, inner = self.of(parameters)
        return record.kept(stream, inner)

    def seen(self, stream: LabelledRows, parameters: Parameters) -> LabelledRows:
        """The rows as they were before its journal kept them."""
        record, inner = self.of(parameters)
        return record.seen(stream, inner)
