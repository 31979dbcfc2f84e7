"""A model for people who look: its heaviest features as bars, and what it is as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from thresher.errors import ExportError
from thresher.pictures import Bar, Svg, bars, display

if TYPE_CHECKING:
    from thresher.models.model import Model

#: Features in the picture of a table.
FEW = 5


def model_chart(model: Model, top: int = 12) -> Svg:
    """The heaviest features; of several classes, those that speak most for each.

    A model without weights has an empty picture, whose title says why.
    """
    learner = model.learner
    try:
        if not learner.several:
            lone = learner.lone_effects()
            rows = [
                Bar(model.names_of(column)[0], adds)
                for column, adds in zip(
                    lone.column[:top].tolist(), lone.adds[:top].tolist(), strict=True
                )
            ]
            return bars(rows, f"{learner.plain_name}: {len(rows)} heaviest features")
        rows = []
        for label in learner.classes[:top]:
            lone = learner.lone_effects(label)
            if len(lone.column):
                best = int(np.argmax(lone.adds))
                name = model.names_of(int(lone.column[best]))[0]
                rows.append(Bar(f"{label}: {name}", float(lone.adds[best])))
        return bars(rows, f"{learner.plain_name}: what speaks most for each class")
    except ExportError as error:
        return bars([], str(error))


def model_html(model: Model) -> str:
    """What the model is, and its heaviest features."""
    learner = model.learner
    labels = (
        ", ".join(map(str, learner.classes[:FEW]))
        if learner.several
        else " / ".join(model.label_names)
    )
    rows = [
        ("learner", learner.plain_name),
        ("rounds", f"{learner.n_rounds:,}"),
        ("mistakes", f"{learner.mistakes:,}"),
        ("labels", labels),
        *(
            ("learned from", f"{source.name}: {source.rows:,} rows")
            for training in model.history
            for source in training.sources
        ),
    ]
    picture = model_chart(model, FEW)
    return display(f"Model: {learner.plain_name}", rows, picture if picture.body else None)
