"""Model files: one versioned, checksummed file that says what it is."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from io import BytesIO
from typing import TYPE_CHECKING, Any, TypeVar, overload

from thresher.errors import MissingModelError, ModelFileError, ThresherError
from thresher.learners.base.learner import Learner
from thresher.models.history import Training
from thresher.models.holdout import HoldoutState
from thresher.models.known_fields import needs_names
from thresher.models.model import Model
from thresher.names.kept import KeptNames
from thresher.storage.packing import PLAIN, Kind, Packer, Unpacker
from thresher.storage.parts import PARTS
from thresher.storage.tensor_file import TensorFile, digest_if_written, unrepeated, write
from thresher.streams.label_scheme import LabelScheme
from thresher.streams.recipe import Recipe
from thresher.streams.sources.whole_file import whole_file

if TYPE_CHECKING:
    from numpy.typing import NDArray

L = TypeVar("L", bound=Learner)

FORMAT = "thresher.model"
#: The newest format this release reads, and the one it writes.
VERSION = 2
#: What a file that was tampered with can make the code below raise.
UNSOUND = (ThresherError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError,
           RecursionError, MemoryError)  # fmt: skip


def kinds() -> Iterator[Kind]:
    """What a model may be made of; the last kinds are imported for those who get that far."""
    yield from PLAIN
    yield from PARTS
    from thresher.storage.multiclass_journals import MULTICLASS_JOURNALS  # noqa: PLC0415

    yield from MULTICLASS_JOURNALS
    from thresher.storage.concepts import CONCEPTS  # noqa: PLC0415

    yield from CONCEPTS


def save_model(model: Model, path: str | os.PathLike[str], *, journal: bool = True) -> str:
    """Write a model to `path`, as `whole_file` does; return its SHA-256.

    Assumes, promises and does not promise what `whole_file` does. In addition, the same
    model gives the same bytes: two files differ only if learner, recipe, names or history
    do. (The history holds the commands, so it differs where they do.)

    Parameters
    ----------
    model
        What to save.
    path
        Where; an existing file is replaced.
    journal
        Whether to keep the journal of updates. Without it the file is smaller, and a
        learner loaded from it says that its journal is not complete.
    """
    if os.fspath(path) == "-":
        raise ModelFileError(
            path, "a model is written to a file, not to standard output", "Give it a name."
        )
    with _packed(model, journal=journal) as (text, tensors):
        try:
            with whole_file(path) as file:
                return write(file, text, tensors)
        except OSError as error:
            raise _not_written(path, error) from error


def model_digest(model: Model) -> str:
    """The SHA-256 of the file that `save_model` would write.

    >>> import thresher as th
    >>> model = Model(learner=th.Perceptron(4))
    >>> model_digest(model) in model_bytes(model).decode("ascii", "replace")
    True
    """
    with _packed(model) as (text, tensors):
        return digest_if_written(text, tensors)


def model_bytes(model: Model) -> bytes:
    """The file that `save_model` would write."""
    with _packed(model) as (text, tensors):
        file = BytesIO()
        write(file, text, tensors)
        return file.getvalue()


@contextmanager
def _packed(
    model: Model, *, journal: bool = True
) -> Iterator[tuple[str, Mapping[str, NDArray[Any]]]]:
    """The description and the arrays of a model file.

    Tables are lent, not copied: nobody learns before the block ends.
    """
    with Packer(kinds, journal=journal) as packer:
        description = {
            "format": FORMAT,
            "version": VERSION,
            **packer(model.learner, ""),
            "recipe": asdict(model.recipe),
            "labels": model.labels.to_dict(),
            "kept": _packed_names(packer, model.kept),
            "history": [training.document() for training in model.history],
        }
        if model.holdout is not None:
            description["holdout"] = packer(tuple(model.holdout), "holdout")
        yield json.dumps(description, separators=(",", ":")), packer.tensors


def _not_written(path: str | os.PathLike[str], error: OSError) -> ModelFileError:
    reason = error.strerror or str(error)
    hint = {
        errno.EISDIR: "Give the name of a file in it.",
        errno.ENOENT: f"Make the folder {os.path.dirname(path)!r} first.",
        errno.ENOSPC: "Make room, or save without the journal.",
    }.get(error.errno or 0, "")
    kept = "the old file is unchanged" if os.path.isfile(path) else "nothing was written"
    return ModelFileError(path, f"the model could not be written ({reason}); {kept}", hint)


def _packed_names(packer: Packer, kept: KeptNames | None) -> dict[str, str] | None:
    if kept is None:
        return None
    return {name: packer.put(array, f"kept.{name}") for name, array in kept.to_arrays().items()}


def load_model(
    path: str | os.PathLike[str],
    *,
    journal: bool = True,
    names: bool = True,
    most_bytes: int | None = None,
) -> Model:
    """The model in a file, checked to the last bit that is used.

    Loading executes nothing that the file says. A file that is not a model, is damaged, was
    written by a newer release, or says what cannot be is refused with a
    :class:`~thresher.errors.ModelFileError`.

    Parameters
    ----------
    path
        A file that `save_model` or ``learner.save`` wrote.
    journal
        Whether to read the journal of updates. Without it, which is enough to predict, its
        part of the file is not touched, and the learner says that its journal is not complete.
    names
        Whether to read the names that survived hashing; predicting needs them only where they tell
        which fields of an object to read.
    most_bytes
        How much memory the arrays of the file may take, for files of people whom one does not
        know: a short file may describe a large model. None: there is no bound beside that of
        `storage.scattered`.
    """
    try:
        file = TensorFile(path)
    except FileNotFoundError as error:
        raise MissingModelError(path) from error
    except IsADirectoryError as error:
        raise ModelFileError(path, "this is a folder, and a model is a file") from error
    except OSError as error:
        raise ModelFileError(path, f"it could not be read ({error.strerror})") from error
    # Imported here: whoever only trains and saves does not wait for it.
    import msgspec  # noqa: PLC0415

    place = "description"
    try:
        description = json.loads(file.text, object_pairs_hook=unrepeated)
        _check_version(path, description)
        place = "history"
        history = msgspec.convert(description["history"], tuple[Training, ...])
        place = "recipe"
        recipe = msgspec.convert(description["recipe"], Recipe)
        place = "labels"
        labels = msgspec.convert(description["labels"], LabelScheme)
        place = "learner"
        unpacker = Unpacker(file, kinds, journal=journal, most_bytes=most_bytes)
        learner = unpacker({"learner": description["learner"]})
        model = Model(
            learner=learner, recipe=recipe, labels=labels, history=history, digest=file.digest
        )
        if description.get("holdout") is not None:
            model.holdout = HoldoutState(*unpacker(description["holdout"]))
        place = "kept"
        saved = description["kept"]
        if saved is not None and (names or needs_names(model)):
            arrays = {name: unpacker.take(f"kept.{name}", kind) for name, kind in saved.items()}
            model.kept = KeptNames.from_arrays(model.name_table, arrays, recipe)
    except ModelFileError:
        raise
    except UNSOUND as error:
        raise ModelFileError.unsound(path, place, _in_words(error)) from error
    return model


def _check_version(path: object, description: dict[str, Any]) -> None:
    version = description["version"]
    if description["format"] != FORMAT or type(version) is not int or version < 1:
        raise ModelFileError.foreign(path, "its format is another one")
    if version > VERSION:
        raise ModelFileError.newer(path, version, VERSION)


def _in_words(error: BaseException) -> str:
    said = str(error).rstrip(".")
    return f"{said}" if isinstance(error, ValueError) and said else f"{type(error).__name__} {said}"


@overload
def load(path: str | os.PathLike[str]) -> Learner: ...
@overload
def load(path: str | os.PathLike[str], kind: type[L]) -> L: ...
def load(path: str | os.PathLike[str], kind: type[Learner] | None = None) -> Learner:
    """The learner in a model file, ready to predict and to continue learning.

    See :func:`load_model` for what is checked, and :meth:`thresher.Model.load` for the rest of the
    file.

    Parameters
    ----------
    path
        A model file.
    kind
        The class the learner must have, such as ``th.Winnow``; type checkers then know it.

    Examples
    --------
    >>> import tempfile, os, thresher as th
    >>> learner = th.Winnow(n_features=4)
    >>> _ = learner.learn([[1, 1, 0, 0], [0, 1, 1, 1]], [+1, -1])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "model.thr")
    ...     learner.save(path)
    ...     th.load(path) == learner
    True
    """
    learner = load_model(path).learner
    if kind is not None and not isinstance(learner, kind):
        found = type(learner).__name__
        raise ModelFileError(path, f"it holds a {found}, and a {kind.__name__} is expected")
    return learner
