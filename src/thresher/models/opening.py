"""Opening input data as a stream, for a learner, for a model, or for anybody."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from thresher.addresses import shown
from thresher.errors import (
    BadLineError,
    FormatError,
    Hint,
    LabelError,
    OtherFormatError,
    ParameterError,
    ResumeError,
)
from thresher.kernels.rows.named_rows import NameTable
from thresher.models.input_data import GRAMS, InputData
from thresher.models.known_fields import OBJECTS, known_fields
from thresher.streams.bad_lines import BadLinePolicy
from thresher.streams.first_look import contradicting, told_by_lines
from thresher.streams.formats.blocks import CHUNK_BYTES
from thresher.streams.formats.detection import may_be_texts, told_by_name
from thresher.streams.label_scheme import LabelScheme, canonical
from thresher.streams.read_settings import ReadSettings
from thresher.streams.reading import Stream, read_stream
from thresher.streams.remark import Remark
from thresher.streams.sources.source import expanded

if TYPE_CHECKING:
    from thresher.learners.base.learner import Learner
    from thresher.models.model import Model
    from thresher.streams.recipe import Recipe


_TABLES, _TEXTS = ("csv", "parquet", "arrow"), ("text",)
#: What can be said about reading, and the formats that it is for.
OF_FORMATS = {
    "one_based": ("svmlight",),
    "numeric": _TABLES,
    "categorical": _TABLES,
    "ignored": ("json", *_TABLES),
    "label_field": ("json", *_TABLES, *_TEXTS),
    "separator": ("csv",),
    "ignore_initial": ("vw",),
    "label_last": _TEXTS,
    **dict.fromkeys(GRAMS, _TEXTS),
}


def bad_line_policy(data: InputData) -> BadLinePolicy:
    """What is to happen to bad lines."""
    if data.policy is not None:
        return data.policy
    policy, file = data.on_bad
    if policy == "stop" and data.max_bad is not None:
        raise ParameterError(
            "bad lines", "max_bad", "left out where the first one stops the reader", data.max_bad
        )
    return BadLinePolicy(policy, quarantine=file, max_bad=data.max_bad, phrase=data.phrase)


def scheme_of(data: InputData, known: LabelScheme) -> LabelScheme:
    """What labels mean: what a model says, what `positive` says, or what the labels will show."""
    if not known.decided:
        return LabelScheme() if data.positive is None else LabelScheme.of(data.positive)
    if data.positive is not None and known.several:
        raise _no_positive(data)
    if data.positive is not None and canonical(data.positive) != known.positive:
        raise LabelError(
            f"positive={data.positive!r}: to this model the label {known.positive} counts as +1.",
            code="label.another_positive",
            asked=data.positive,
            known=known.positive,
        )
    return LabelScheme.from_dict(known.to_dict())


def _no_positive(data: InputData) -> LabelError:
    return LabelError(
        f"positive={data.positive!r}: this model tells several classes apart by name.",
        code="label.no_positive",
        asked=data.positive,
    )


def names_for_all(data: InputData, *, strongest: bool = True) -> NameTable:
    """The table of names where several learners see the same rows, or none is at hand.

    Some learners take features up to 1 only, so names that share a column are not added up, unless
    it is known that the `strongest` is not the one that counts.
    """
    return NameTable(data.features, not data.vocabulary, data.seed or 0, strongest)


def open_stream(
    data: InputData,
    names: NameTable,
    *,
    recipe: Recipe | None = None,
    scheme: LabelScheme | None = None,
    add: bool = True,
    learner: Learner | None = None,
    fields: tuple[str, ...] | None = None,
) -> Stream:
    """The stream that the input data describe.

    Parameters
    ----------
    data
        What to read.
    names
        Where names find their columns: the table of the learner that will see the rows.
    recipe
        How lines become rows, if a model says; otherwise the data do.
    scheme
        What labels mean; None leaves them as they are written, and they may be missing.
    add
        Whether a vocabulary may take new names.
    learner
        Who is to see the rows; those it cannot take are bad lines.
    fields
        The fields of objects that are read; None: all.
    """
    chunk_bytes = CHUNK_BYTES if data.chunk_bytes is None else data.chunk_bytes
    stream = read_stream(
        data.paths,
        names=names,
        recipe=data.recipe() if recipe is None else recipe,
        scheme=scheme,
        bad=bad_line_policy(data),
        settings=ReadSettings(
            threads=data.threads or 0,
            add_names=add,
            limits=None if learner is None else learner.domain,
            fields=fields,
            chunk_bytes=chunk_bytes,
            parts=data.parts,
            header=data.header,
        ),
        look=data.look,
    )
    for name in data.given:
        if (formats := OF_FORMATS.get(name)) is not None and stream.format not in formats:
            stream.bad.remark(_of_no_use(name, formats, stream.format))
    return stream


def _of_no_use(name: str, formats: tuple[str, ...], format_: str) -> Remark:
    """What to say of something that was said about reading, and that the format does not know."""
    fields = {"name": name, "formats": " and ".join(formats), "format": format_}
    what = "{name} is for {formats}, and changes nothing where {format} is read"
    return Remark(what.format(**fields), Hint("option.of_no_use", "", fields))


def open_for_model(model: Model, data: InputData, *, labels: bool) -> Stream:
    """The stream that the input data describe, read as the model's training data was.

    Parameters
    ----------
    model
        Who is to see the rows.
    data
        What to read. What it says about reading must not change how lines become rows, except
        that the rows may come in another format.
    labels
        Whether rows have labels that count. Otherwise they may be missing.
    """
    _refuse_other_lines(model, data)
    # A table tells its columns apart by name, whichever of them has the label.
    free = {"label_field"} if model.recipe.format in ("csv", *OBJECTS) else set()
    if data.given.keys() - {"format", "encoding", "ignore_initial"} - free:
        check_reading(model, data)
    scheme = None
    if labels:
        scheme = scheme_of(data, model.labels)
        if model.learner.several:
            if data.positive is not None:
                raise _no_positive(data)
            scheme.allow_several(certain=True)
    stream = open_stream(
        data,
        model.name_table,
        recipe=data.recipe(model.recipe),
        scheme=scheme,
        add=False,
        learner=model.learner,
        fields=known_fields(model),
    )
    note_other_format(model, data, stream)
    return stream


def note_other_format(model: Model, data: InputData, stream: Stream) -> None:
    """Have it said in the end if the name of the data decided that they are read otherwise."""
    trained = model.recipe.format
    if trained not in (None, stream.format) and "format" not in data.given:
        who = "its name and its lines say" if may_be_texts(stream.paths[0]) else "its name says"
        path = shown(stream.paths[0])
        what = f"{path} was read as {stream.format}, as {who}; the model learned from "
        stream.bad.remark(Remark(what + trained))


def _refuse_other_lines(model: Model, data: InputData) -> None:
    """Refuse lines that are surely no texts where a model would read them as texts."""
    recipe = data.recipe(model.recipe)
    if "format" in data.given or recipe.format != model.recipe.format or not data.paths:
        return
    path = expanded(data.paths)[0]
    if (named := contradicting(path, recipe)) is not None:
        raise FormatError(
            f"{path}: the model reads lines as texts, and these look like {named}.",
            f"Say which it is: format={named!r}, or format='text'.",
            code="format.contradicts",
            named=named,
        )


def check_reading(model: Model, data: InputData) -> None:
    """Refuse input data whose lines would become other rows than the model's training data."""
    _refuse_other_lines(model, data)
    asked = data.recipe(model.recipe)
    if model.recipe.format is None:
        # A learner that was made in a program has read no file yet.
        asked = replace(asked, format=None)
    if "format" not in data.given and asked.format != model.recipe.format:
        raise ResumeError(
            f"{shown(data.paths[0])} is {asked.format or 'csv or text'} by its name, and the model "
            "learned from "
            f"{model.recipe.format}: a model continues with the format it began with.",
            f"Convert it first, or say format={model.recipe.format!r} if the name is wrong.",
            code="resume.other_format",
            read_as=model.recipe.format,
        )
    if asked != model.recipe:
        changed = [name for name in data.given if hasattr(asked, name)]
        which = ", ".join(changed) or "the features of a text"
        raise ResumeError(
            f"the options change how lines are read ({which}), and the model was trained "
            "otherwise. Leave them out, or train a new model."
        )


def with_format(
    error: BadLineError, data: InputData, stream: Stream, *, resumed: bool = False
) -> BadLineError:
    """The error; another if the first lines of the data tell a format that is not the model's."""
    named = None if "format" in data.given else told_by_lines(stream.paths[0], stream.recipe)
    if named in (None, stream.format):
        return error
    by_name = told_by_name(stream.paths[0]) is not None
    return OtherFormatError(error.what, stream.format, str(named), by_name=by_name, resumed=resumed)
