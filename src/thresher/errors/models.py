"""Model files, and what models can be turned into."""

from __future__ import annotations

from errno import ENOENT

from thresher.errors.error import ThresherError


class ModelFileError(ThresherError):
    """A model file that cannot be read, trusted or written."""

    code = "model"

    def __init__(self, path: object, what: str, hint: str = "", *, code: str | None = None) -> None:
        super().__init__(f"{path}: {what}.", hint, code=code, path=str(path))

    @classmethod
    def foreign(cls, path: object, found: str) -> ModelFileError:
        """The file is something else."""
        return cls(
            path,
            f"this is not a thresher model: {found}",
            "A model is what learner.save(path) writes.",
            code="model.foreign",
        )

    @classmethod
    def damaged(cls, path: object, found: str) -> ModelFileError:
        """The file was a model once."""
        return cls(
            path,
            f"the model file is damaged: {found}",
            "Restore it from a copy, or train again.",
            code="model.damaged",
        )

    @classmethod
    def newer(cls, path: object, found: int, known: int) -> ModelFileError:
        """The file was written by a later release."""
        return cls(
            path,
            f"the model file has format {found}, and this release reads formats up to {known}",
            "Upgrade thresher to load it.",
            code="model.newer",
        )

    @classmethod
    def unsound(cls, path: object, place: str, what: str) -> ModelFileError:
        """The bytes are intact, but their content is impossible."""
        return cls(
            path,
            f"the model file cannot be used: {place}: {what}",
            "It was not written by a working release of thresher.",
            code="model.unsound",
        )


class MissingModelError(ModelFileError, FileNotFoundError):
    """There is no such model file.

    >>> issubclass(MissingModelError, OSError), MissingModelError("m.thr").filename
    (True, 'm.thr')
    """

    code = "model.missing"

    def __init__(self, path: object) -> None:
        super().__init__(path, "there is no such file")

    @property
    def errno(self) -> int:  # type: ignore[override]
        """The number that the system has for the error."""
        return ENOENT

    @property
    def filename(self) -> str:
        """The file that was asked for."""
        return str(self.fields["path"])


class ModelError(ThresherError):
    """A model was used for something it is not made for."""

    code = "model.use"


class NotStorableError(ThresherError):
    """A learner holds something that a model file cannot hold."""

    code = "storing"


class ExportError(ThresherError):
    """A model that cannot be written in the requested form."""

    code = "export"


class ResumeError(ThresherError):
    """A model whose training cannot continue in the requested way."""

    code = "resume"


class RequestError(ThresherError):
    """A request that is impossible, by itself or together with the other options."""

    code = "request"
