"""Saving: what lets a learner write itself to a model file."""

from __future__ import annotations

import os
from importlib import import_module


class Savable:
    """A learner that can be saved; :func:`thresher.load` brings it back."""

    def save(self, path: str | os.PathLike[str], *, journal: bool = True) -> None:
        """Write the learner to a model file, durably and as a whole.

        Parameters
        ----------
        path
            Where; an existing file is replaced.
        journal
            Whether to keep the journal of updates; without it the file is smaller.
        """
        # By name: files are a stage above the learners, which know nothing else of them.
        models = import_module("thresher.models")
        models.save_model(models.Model(learner=self), path, journal=journal)
