"""What to do about an error, in the words of the command line.

The library says what is wrong, and what a Python caller can do. Who came by the command line has
options instead: here is the remedy for each code that has one of its own.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Container, Sequence
from typing import TYPE_CHECKING, Any

from thresher.errors import ThresherError
from thresher.errors.error import joined

if TYPE_CHECKING:
    from thresher.streams.chunk import BadLine
    from thresher.streams.remark import Remark


def _which_is_positive(rarest: str, perhaps_classes: bool, **_: Any) -> str:
    more = " Or keep them as classes: --multiclass." if perhaps_classes else ""
    which = f"Choose the label that counts as +1: --positive {rarest}"
    return f"{which}; every other then counts as -1.{more}"


def _where_the_label_is(perhaps_text: bool, likely: list[str], **_: Any) -> str:
    more = " Lines of a label, a tab and a text are --format text." if perhaps_text else ""
    other = f"Perhaps --label-field {shlex.quote(likely[0])}?" if likely else ""
    return f"{other or 'Another field: --label-field.'}{more}"


def _without_column(column: str, words: bool, **_: Any) -> str:
    more = " Words are read from texts alone: lines of a label, a tab and a text." if words else ""
    return f"--ignore {shlex.quote(column)} leaves it out.{more}"


def _which_is_the_label(likely: list[str], **_: Any) -> str:
    which = f"perhaps --label-field {shlex.quote(likely[0])}?" if likely else "--label-field."
    return f"If these are their names, say which of them is the label: {which}"


def chosen_by_order(other: str | None) -> str:
    """How to have it the other way round, where the order of labels says which counts as +1."""
    return "" if other is None else f" (--positive {shlex.quote(other)} reverses this)"


def texts_in_a_table(format_: str, paths: Sequence[str], given: Container[str]) -> str:
    """How to have a .tsv read otherwise, where its lines say whether it is a table."""
    if ".tsv" not in paths[0].lower() or "format" in given or format_ not in ("text", "csv"):
        return ""
    if format_ == "text":
        return " (a label and a text in each line; a table with a header is --format csv)"
    return " (a table with a header; label, tab, text is --format text)"


def much_memory(n_classes: int, n_bytes: int, **_: Any) -> str:
    """What to say, as a warning or as an error, where every class has a large learner."""
    return (
        f"{n_classes:,} classes with a learner each take {n_bytes / 1e9:.1f} GB, and so does the "
        "model file. To use less, give fewer --bits, or --learner "
        "multiclass_passive_aggressive, which has weights only for features that it needs."
    )


def _of_random_streams(option: str, kind: str, **_: Any) -> str:
    hint = "Its noise is set by --set tilt=0.2." if kind == "words" else "It has one form."
    return f"--{option} is for random streams, not for {kind}. {hint}"


#: Where a learner's parameter is an option about the data.
_OPTIONS = {"n_features": "--features or --bits", "names": "--vocabulary or --seed"}

#: By the code of an error: a sentence, or a function of its fields that makes one.
REMEDIES: dict[str, str | Callable[..., str]] = {
    "binary.columns": "Allow more with --bits or --features.",
    "binary.foreign": "Name its format with --format.",
    "fault.importance": "Use another learner, or --ignore-importance.",
    "certify.journal": "Give the data that the model was trained on: thresher certify MODEL DATA.",
    "importance.product": "Divide the weights of --class-weight by a constant, or use "
    "--ignore-importance.",
    "fault.weighted": "--ignore-importance gives every row the weight 1.",
    "fault.learned_weights": "Use --ignore-importance if the model was trained with it. Otherwise "
    "it learned other weights, and has no certificate: train it with --ignore-importance to get "
    "one.",
    "nothing_to_certify.importance": "Train with --ignore-importance to get one.",
    "line.other_format": lambda named, **_: f"If it is {named}, use --format {named}.",
    "line.other_format_resumed": lambda named, **_: (
        f"If it is {named}, convert it first (thresher convert): a model continues with the "
        "format it began with."
    ),
    "line.third_class": "If there are more than two classes and some appear late, use "
    "--multiclass.",
    "resume.another_learner": "Leave --learner out, or train a new model.",
    "resume.other_format": lambda read_as, **_: (
        f"Convert it first (thresher convert), or use --format {read_as} if the name is wrong."
    ),
    "format.contradicts": lambda named, **_: (
        f"Say which it is: --format {named}, or --format text."
    ),
    "resume.other_data": "Give the same data to continue there, or --skip-rows 0 to continue with "
    "other data.",
    "source.byte_order": lambda encoding, **_: (
        f"Name the encoding it has: --encoding utf-8, or {encoding}-le or {encoding}-be if there "
        "is no mark."
    ),
    "source.once": "Write it to a file first, or leave --passes out.",
    "column.meaning": lambda column, **_: (
        f"--ignore {shlex.quote(column)} leaves it out, --categorical {shlex.quote(column)} reads "
        "it as categories."
    ),
    "column.numbers": lambda column, **_: (
        f"--numeric {shlex.quote(column)} reads it as numbers; then other rows are bad lines."
    ),
    "column.single_values": _without_column,
    "dimension": lambda index, **_: f"Train with --features {index + 1} or more.",
    "export.example_format": "Or say in which format it is: --format.",
    "export.no_names": "`thresher train` keeps them for formats with names.",
    "export.committee": "Use --to c, --to js or --to json; or train a single learner, such as "
    "--learner arow.",
    "export.no_weights": "`thresher inspect MODEL --explain DATA` says what the features of a row "
    "add; a single learner, such as --learner arow, has weights.",
    "export.committee_top": "Leave --top out.",
    "export.lost_names": "Use --to c, --to js or --to json; or train with --vocabulary.",
    "export.pairs": "Use --to c, --to js, --to json or --to sql, which make the pairs.",
    "export.sql_pairs": "Use --to c, --to js or --to json.",
    "cluster.no_address": "Name one: --cluster local:2 starts two workers here.",
    "cluster.deadline": "Try a longer --deadline, and check the workers.",
    "cluster.no_workers": "Start workers; --resume continues after the last epoch that was saved.",
    "cluster.no_scheduler": "--resume continues after the last epoch that was saved.",
    "resume.other_shards": lambda shards, **_: f"Give the same data, and --shards {shards}.",
    "export.sql_name": "Use --to c, --to js or --to json.",
    "export.sql_mixed": "Use --to c, --to js or --to json.",
    "export.sql_scaling": "Use --to c, --to js, --to onnx or --to json; or train without scaling.",
    "export.sql_shared": "Train with more --bits or with --vocabulary, or use --to c, --to js or "
    "--to json.",
    "export.sql_wide": "Keep fewer with --top, or use --to c, --to js or --to json.",
    "export.one_table": "Train one with a learner for each class: --learner arow.",
    "format.header": _which_is_the_label,
    "format.to_write": lambda formats, **_: f"Say it with --to: {', '.join(formats)}.",
    "format.unknown": lambda formats, **_: (
        f"Say which it is: --format, with one of {', '.join(formats)}."
    ),
    "label.measurements": "If they are classes, use --multiclass; --positive LABEL makes two "
    "classes of them.",
    "label.texts": "If the label comes after the text in every line, use --label-last; in a table, "
    "--label-field names its column. If these are classes, use --multiclass.",
    "label.undecidable": _which_is_positive,
    "label.which": "Say which one counts as +1: --positive LABEL.",
    "line.category": lambda column, **_: f"--categorical {column} reads it as categories.",
    "line.column": "A larger --bits, up to 30, or --features allows more.",
    "line.column_or_name": "If the number is a name, --vocabulary keeps it so; a larger "
    "--bits, up to 30, or --features allows more columns.",
    "line.encoding": "If the text is in another encoding, name it: --encoding latin-1, or utf-16; "
    "with --encoding utf-8, lines that are not UTF-8 are bad lines.",
    "line.from_one": "If the file counts from 1, use --one-based; a larger --bits, up to 30, or "
    "--features allows more.",
    "line.initial": "--ignore-initial ignores such predictions.",
    "format.utf_16": lambda encoding, **_: f"Use --encoding {encoding}.",
    "line.label": _where_the_label_is,
    "line.without_label": "--on-bad skip skips lines without a label.",
    "model.foreign": "A model is what `thresher train -o MODEL` writes.",
    "text.header": lambda label, **_: (
        f"If it is a header, say so: --label-field {shlex.quote(label)}."
    ),
    "names": "Allow more with --bits or --features, or leave --vocabulary out to hash the names.",
    "writing.importance": "Write VW text or JSON lines instead, or use --ignore-importance.",
    "writing.name": "Write JSON lines instead, or hash the names with --bits; of texts, take "
    "single words with --words 1.",
}

#: By the code of an error: all that a command says, where even what is wrong is about options.
SENTENCES: dict[str, str | Callable[..., str]] = {
    "fault.much_memory": much_memory,
    "label.another_positive": "--positive {asked}: to this model the label {known} counts as +1.",
    "label.no_positive": "--positive {asked}: this model has several classes, known by name.",
    "request.cannot_mix": "{learner} cannot be combined after its shards have learned separately: "
    "use another learner with --cluster, such as committee, arow, perceptron or winnow, "
    "or leave --cluster out.",
    "request.not_on_a_cluster": lambda name, **_: (
        f"--{'report' if name == 'record' else name.replace('_', '-')} is for one machine: "
        "leave it out, or --cluster."
    ),
    "request.two_classes_on_a_cluster": "the labels are of more than two classes, and only shards "
    "that are mixed learn them all: leave out --exact and --mode, or make two of them by "
    "--positive LABEL.",
    "request.calibrates_another": "{learner}: name the learner to be calibrated, and say `train "
    "--calibrate isotonic` or platt.",
    "request.calibrates_one_for_each": "{learner}: its scores compare classes, and --calibrate "
    "takes one learner for each class: name another one.",
    "request.claim_of_two_classes": "--claim {claim} speaks of two classes, and there are more. "
    "--positive LABEL makes two of them.",
    "request.classes_by_name": "--positive makes two classes, and {learner} takes them by name. "
    "Leave one of the two out.",
    "request.format_without_names": "--vocabulary keeps names, which {format} cannot hold.",
    "option.of_no_use": lambda name, formats, format, **_: (
        f"--{'ignore' if name == 'ignored' else name.replace('_', '-')} is for {formats}, and "
        f"changes nothing where {format} is read"
    ),
    "request.no_such_setting": "--set {setting}: {kind} has {known}.",
    "request.of_random_streams": _of_random_streams,
    "request.one_for_each_class": "{learner}: name the learner for each class, such as --learner "
    "arow; with several classes that is one for each (`train --multiclass` if the first rows "
    "show only two).",
    "request.said_of_the_data": lambda learner, parameter, **_: (
        f"{learner}: say {_OPTIONS[parameter]} instead of {parameter}=."
    ),
    "request.biased_already": "{learner} has a constant feature already: leave --bias out.",
    "request.keeps_no_journal": "{learner} keeps no journal: it changes in every round. Take "
    "another learner, such as --learner perceptron, or leave --journal out.",
    "request.no_class_weights": "{learner} gives every class the same weight: take another "
    "learner, or leave --class-weight out.",
    "request.weight_of_no_class": "--class-weight names the label {label}, and the data has "
    "{expected}.",
    "request.weight_within_the_rest": "--class-weight names the label {label}; with --positive "
    "{positive} it names {positive!r} or 'not {positive}', which is every other.",
    "request.weights_of_a_model": "{path} has its learner, and what classes count: leave "
    "--class-weight out.",
    "request.over_concepts": "{learner} learns a class of concepts over a number of variables: "
    "give both, such as --concepts disjunctions --features 5.",
    "request.takes_no_names": "{learner} takes no names: no --vocabulary, no --seed.",
}


def phrased(said: ThresherError | BadLine | Remark) -> str:
    """An error, a bad line or a remark with the remedy that a command has for it.

    >>> from thresher.errors import DimensionError
    >>> print(phrased(DimensionError(0, 5, 4)).split(". ")[-1])
    Train with --features 6 or more.
    """
    hint = said.hint
    if hint is None:
        return said.what
    if hint.code == "request.ill_written":
        return said.what if said.what.startswith("--") else f"--{said.what}"
    if sentence := SENTENCES.get(hint.code):
        made = sentence.format(**hint.fields) if isinstance(sentence, str) else None
        return made or sentence(**hint.fields)  # type: ignore[operator]
    remedy = REMEDIES.get(hint.code, hint.remedy)
    return joined(said.what, remedy if isinstance(remedy, str) else remedy(**hint.fields))


def shuffled_first(told: str) -> str:
    """What is told of rows that are sorted by their labels, and what to do."""
    return f"{told} Shuffle them first: thresher convert --shuffle 1."
