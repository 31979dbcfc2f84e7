"""Tables in memory, for a model that learned from a file whose columns have names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from thresher.errors import UnsoundBatchError
from thresher.models.known_fields import known_fields
from thresher.streams.formats.objects import wanted
from thresher.streams.frames import (
    column_of,
    is_column_number,
    is_frame,
    is_missing,
    named_rows,
    width_of,
)

if TYPE_CHECKING:
    from thresher.models.model import Model

#: Formats whose features are columns by number.
_NUMBERED = (None, "svmlight", "binary")


def by_name(model: Model, X: Any) -> Any:
    """The rows of a frame by name, as a file with the same table has them; other rows as they are.

    By position its columns would meet the weights of others, and nobody would hear of it. An array
    has no names, so that one is refused.
    """
    if model.recipe.format in _NUMBERED or model.learner.name_table is None:
        return X
    if is_frame(X):
        return _rows_of(model, X)
    if 0 < width_of(X) < model.name_table.n_features and _learned_names(model):
        raise UnsoundBatchError(
            "found a table whose columns have no names, and the model knows its columns by name.",
            "Give a frame, or dicts by name.",
        )
    return X


def _rows_of(model: Model, frame: Any) -> list[dict[str | int, float]]:
    recipe = model.recipe
    called = {str(name): name for name in frame.columns}
    left_out = {recipe.label_field, *recipe.ignored}
    if recipe.format == "csv":
        read = [*recipe.numeric, *recipe.categorical]
        if lacking := [name for name in read if name not in called]:
            raise UnsoundBatchError(
                f"found a table without the column {lacking[0]!r}, and the model learned from it."
            )
    else:
        fields = known_fields(model)
        read = [name for name in called if fields is None or wanted(name, fields)]
    for name in recipe.numeric:
        if name in called and not _holds_numbers(column_of(frame, called[name])):
            raise UnsoundBatchError(
                f"column {name!r} holds other things than numbers, and the model learned it as one "
                "of numbers."
            )
    columns = [called[name] for name in read if name not in left_out]
    texts = {called[name] for name in recipe.categorical if name in called}
    return named_rows(frame, columns, texts) if columns else [{} for _ in range(len(frame))]


def _holds_numbers(column: NDArray[Any]) -> bool:
    """Whether it holds nothing else, or nothing at all."""
    return column.dtype.kind in "biuf" or all(map(is_missing, column.tolist()))


def _learned_names(model: Model) -> bool:
    """Whether it learned from features whose names are no numbers."""
    recipe = model.recipe
    known: Any = (*recipe.numeric, *recipe.categorical)
    if recipe.format != "csv":
        known = model.kept.updates() if model.kept else model.name_table.vocabulary
    return any(not is_column_number(name) for name in known)
