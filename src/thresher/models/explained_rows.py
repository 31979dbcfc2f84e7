"""Rows of files, with why they have their scores."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from thresher.models.events import Explained, MoreRows, Warned
from thresher.models.explanation import Explainer, by_column
from thresher.models.input_data import InputData
from thresher.models.model import Model
from thresher.models.opening import note_other_format, open_stream
from thresher.streams.labels import Label


def explanations(
    model: Model, data: InputData, limit: int | None = None, label: Label | None = None
) -> Iterator[Explained | MoreRows | Warned]:
    """Why the first rows of the input data have their scores.

    Parameters
    ----------
    model
        A model that scores rows by weights.
    data
        What to read; it is read as the model's training data was.
    limit
        How many rows at most; None: all.
    label
        Of several classes, the one whose scores are meant; the predicted one unless given.

    Yields
    ------
    Explained | MoreRows | Warned
        Each row; that there are more, if so; in the end a word about bad lines, if there were any.
    """
    explainer = Explainer(model, label)
    recipe, learner = data.recipe(model.recipe), model.learner
    stream = open_stream(data, model.name_table, recipe=recipe, add=False, learner=learner)
    note_other_format(model, data, stream)
    done = 0
    with stream, closing(stream.chunks()) as chunks:
        for chunk in chunks:
            wanted = len(chunk.rows) if limit is None else min(limit - done, len(chunk.rows))
            named = [by_column(stream.names_in(chunk, t)) for t in range(wanted)]
            for t, why in enumerate(explainer.explain_rows(chunk.rows[:wanted], named)):
                yield Explained(chunk.place(t), why)
            done += wanted
            if wanted < len(chunk.rows):
                yield MoreRows(done)
            # A pipe is not asked for what nobody wants to see.
            if done == limit:
                break
    for remark in stream.bad.remarks():
        yield Warned(remark)
