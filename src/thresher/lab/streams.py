"""The streams that the lab shows, each written as one line: `disjunctions:r=3,rows=5000,seed=1`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from shlex import quote
from typing import Any

import numpy as np

from thresher.errors import RequestError
from thresher.games import concept_classes
from thresher.learners.base.learner import Learner
from thresher.models.choice import LearnerChoice
from thresher.models.synthetic_streams import (
    WORDS,
    StreamDescription,
    generated,
    kinds_of_streams,
)
from thresher.models.written import assignments, literal
from thresher.parameters import exact
from thresher.streams.batch import Batch
from thresher.streams.datasets.mushrooms import load_mushrooms

MUSHROOMS = "mushrooms"
#: The kind of a stream that is a file, under the number the lab gave it.
FILE = "file"
#: Values and rows of a stream that is looked at round by round: it is kept in memory.
MOST_VALUES, MOST_ROWS = 40_000_000, 10_000_000
#: Features of a stream: every learner has a place for each, and six learners run side by side.
MOST_FEATURES = 1 << 20
#: Bytes of the learners of all classes, where each has one.
MOST_CLASS_BYTES = 1 << 30
#: Rows handed on at a time, so that a run can be stopped between them.
CHUNK = 8192
#: Kinds of streams with more than two classes.
NOT_SHOWN = ("multiclass",)
#: What is said of a stream and not of the class of its targets.
_OF_THE_STREAM = ("rows", "seed", "noise", "attribute_noise", "balance", "drift", "against")
#: Parameters of constructions that make them larger in proportion.
_SIZES = (
    "n", "n_features", "n_experts", "rounds", "repeats", "copies", "after",
    "inverse_margin_squared",
)  # fmt: skip
#: Rows or features of a construction, which is made as a whole while somebody waits; and parameters
#: of those that take longest to make.
MOST_MADE = 1 << 16
MOST_OF: Mapping[str, Mapping[str, int]] = {
    "all-but-one": {"n_features": 1024},
    "dense-disjunction": {"n_features": 512, "r": 8},
    "eg-too-fast": {"rounds": 8192},
    "greedy-winnow": {"n_features": 16384, "r": 4},
    "optimal-winnow": {"n_features": 7},
    "singletons": {"r": 1000},
}
#: The theorem's words for a class of targets: what to declare, from the parameters of the stream.
_CLAIMS: Mapping[str, str] = {
    "disjunctions": "disjunction:k={r},n={n_features}",
    "conjunctions": "conjunction:k={r},n={n_features}",
    "separators": "separator:margin={margin}",
}


@dataclass(frozen=True, slots=True)
class LabStream:
    """Labelled rows, with what people call them."""

    #: As it is written in an address; the same line gives the same rows.
    text: str
    title: str
    #: The rows, some at a time; each call begins anew.
    batches: Callable[[], Iterator[Batch]]
    n_features: int
    name_of: Callable[[int], str]
    #: What -1 and +1 are called; of several classes, nothing: rows say it themselves.
    labels: tuple[str, str] = ("−1", "+1")
    several: bool = False
    #: Rows, where that is known before they are read.
    rows: int | None = None
    #: What labels the rows, where that is known; and as a claim that theorems know.
    secret: str | None = None
    claim: str | None = None
    #: The words of the command line that write it to a file, and what the file is called.
    commands: tuple[str, ...] = ()
    file: str = "stream.svm"
    #: Of a file that was given to the lab, what was said about it.
    said: Mapping[str, Any] = field(default_factory=dict)
    remark: str = ""

    def whole(self) -> Batch:
        """All rows at once; a stream too long for that is refused."""
        kept, values, rows = [], 0, 0
        # Before a row is drawn, where it is known.
        self._refuse_beyond(0, self.rows or 0)
        for batch in self.batches():
            kept.append(batch)
            values += len(batch.column)
            rows += len(batch)
            self._refuse_beyond(values, rows)
        if not kept:
            raise RequestError(f"{self.title} has no row.")
        return Batch.joined(kept)

    def _refuse_beyond(self, values: int, rows: int) -> None:
        for count, most, what in ((values, MOST_VALUES, "values"), (rows, MOST_ROWS, "rows")):
            if count > most:
                raise RequestError(
                    f"{self.title} has more than {most:,} {what}, too many to be looked at "
                    "round by round. Take fewer rows; a race goes over streams of any length."
                )


def stream_of(text: str, files: Mapping[str, LabStream]) -> LabStream:
    """The stream that a line describes; `files` are those that were given to the lab.

    >>> stream = stream_of("disjunctions:r=2,rows=100,seed=7", {})
    >>> stream.title, stream.rows, stream.claim, len(stream.whole())
    ('Disjunctions', 100, 'disjunction:k=2,n=100', 100)
    """
    kind, _, said = text.partition(":")
    if kind == FILE:
        if said not in files:
            raise RequestError("this file is no longer in the lab. Give it again.")
        _refuse_wider(files[said].title, files[said].n_features)
        return files[said]
    given = {name: literal(value) for name, value in assignments(said, f"stream {text}").items()}
    if kind == MUSHROOMS:
        return mushrooms(_order(given))
    return _synthetic(text, kind, given)


def _refuse_wider(title: str, n_features: int) -> None:
    if n_features > MOST_FEATURES:
        raise RequestError(
            f"{title} has {n_features:,} features, and the lab takes at most {MOST_FEATURES:,}.",
            "`thresher train` and `thresher race` take more.",
        )


def _order(given: Mapping[str, Any]) -> int:
    """The seed of the shuffle; nothing else can be said of the mushrooms."""
    order = given.get("order", 1)
    if {*given} - {"order"} or type(order) is not int or not 0 <= order < 2**31:
        raise RequestError(f"of {MUSHROOMS} only order= can be said, a whole number.")
    return order


def mushrooms(order: int = 1) -> LabStream:
    """The mushrooms that come with the package, shuffled."""
    batch, names = load_mushrooms(order)
    return LabStream(
        text=f"{MUSHROOMS}:order={order}",
        title="Mushrooms",
        batches=lambda: pieces(batch),
        n_features=len(names),
        name_of=lambda column: names[column].replace("=", " "),
        labels=("edible", "poisonous"),
        rows=len(batch),
        commands=(f"thresher demo --order {order} --keep mushrooms", "cd mushrooms"),
        file="mushrooms.vw --vocabulary --features 98",
        remark=f"order {order}",
    )


def pieces(batch: Batch) -> Iterator[Batch]:
    """The rows of a batch, some at a time."""
    return (batch[first : first + CHUNK] for first in range(0, len(batch), CHUNK))


def bytes_of(batch: Batch) -> int:
    """The memory of some rows."""
    return sum(part.nbytes for part in (batch.row_start, batch.column, batch.value, batch.label))


def _synthetic(text: str, kind: str, given: Mapping[str, Any]) -> LabStream:
    known = {name: parameters for name, _, parameters in kinds_of_streams()}
    if kind not in known or kind in NOT_SHOWN:
        raise RequestError(
            f"there is no stream called {kind!r} in the lab; take {MUSHROOMS}, a file, or one of "
            f"those that `thresher generate` knows: {', '.join(known)}."
        )
    own = {name: value for name, value in given.items() if name not in _OF_THE_STREAM}
    parameters = {**known[kind], **own}
    if type(parameters.get("n_features")) is int:
        _refuse_wider(kind, parameters["n_features"])
    if not is_drawn(kind):
        _refuse_larger(kind, parameters)
    wanted = _description(kind, own, given)
    summary = generated(wanted).summary

    def batches() -> Iterator[Batch]:
        for examples in generated(wanted).pieces:
            assert isinstance(examples.rows, Batch)
            yield from pieces(examples.rows)

    drawn = is_drawn(kind)
    rows, n_features = wanted.rows, int(parameters.get("n_features") or 0)
    if not drawn:
        # A construction, which is small: its rows say how long and how wide it is.
        made = [*batches()]
        rows = sum(map(len, made))
        n_features = max(n_features, *(1 + int(np.max(b.column, initial=-1)) for b in made))
    claim = _CLAIMS.get(kind) if not (wanted.noise or wanted.attribute_noise) else None
    return LabStream(
        text=text,
        title=kind.replace("-", " ").capitalize(),
        batches=batches,
        n_features=n_features,
        name_of=lambda column: f"x{column}",
        rows=rows,
        secret=summary,
        claim=None if claim is None else claim.format(**parameters),
        commands=(_command(kind, own, given),),
        file=f"stream.svm --features {n_features}",
        remark=f"seed {wanted.seed}" if drawn else "",
    )


def _refuse_larger(kind: str, parameters: Mapping[str, Any]) -> None:
    """Refuse a construction that takes longer to make than somebody waits."""
    if (size := _size(parameters)) > MOST_MADE:
        raise RequestError(
            f"{kind} is made as a whole, and of this size ({size:,}) it takes too long: the lab "
            f"makes it up to {MOST_MADE:,}. Take smaller numbers."
        )
    for name, most in MOST_OF.get(kind, {}).items():
        value = exact(str(parameters.get(name)))
        if value is not None and value > most:
            raise RequestError(
                f"{kind} with {name}={value} takes too long to make: the lab takes {name} up to "
                f"{most:,}. `thresher generate` makes any."
            )


def room_for(learner: Learner, n_classes: int) -> bool:
    """Whether so many classes, each with a learner of its own, are few enough for the lab."""
    return n_classes * learner.bytes_of_a_class <= MOST_CLASS_BYTES


def _size(parameters: Mapping[str, Any]) -> int:
    """About how many rows a construction has, or features, from its parameters."""
    size = 1
    for name, given in parameters.items():
        value = exact(str(given))
        if value is None or value <= 0:
            # Whoever makes it says what is wrong with it.
            continue
        if name == "m":
            size <<= min(int(value), 64)
        elif name == "margin":
            size *= max(1, int(1 / value**2))
        elif name in _SIZES:
            size *= max(1, int(value))
    return size


def is_drawn(kind: str) -> bool:
    """Whether a stream is drawn at random, and so as long as wanted."""
    return kind == WORDS or kind in concept_classes()


def _description(kind: str, own: Mapping[str, Any], given: Mapping[str, Any]) -> StreamDescription:
    said = {name: value for name, value in given.items() if name in _OF_THE_STREAM}
    against = said.pop("against", None)
    for name in ("rows", "seed", "drift"):
        value = said.get(name, 0)
        if not ((type(value) is int and 0 <= value < 2**63) or (name == "rows" and value is None)):
            raise RequestError(f"{name}={str(value)[:40]} is not a whole number from 0 on.")
    if "drift" in said:
        said["drift"] = (said["drift"],)
    return StreamDescription(
        kind=kind,
        parameters=own,
        against=None if against is None else LearnerChoice.parse(str(against)),
        **{"rows": 5000, **said},
    )


def _command(kind: str, own: Mapping[str, Any], given: Mapping[str, Any]) -> str:
    """What to type to have the same rows in a file."""
    words = ["thresher generate", kind]
    if is_drawn(kind):
        given = {"rows": 5000, **given}
    for name in _OF_THE_STREAM:
        if name in given:
            words.append(f"--{name.replace('_', '-')} {quote(str(given[name]))}")
    settings = ",".join(f"{name}={value}" for name, value in own.items())
    return " ".join([*words, *([f"--set {quote(settings)}"] if settings else []), "-o stream.svm"])


def kinds() -> list[dict[str, Any]]:
    """Every kind of stream with its summary and parameters, for the page."""
    mine = {
        "kind": MUSHROOMS,
        "summary": "5,644 mushrooms, edible or poisonous; the order is the seed of a shuffle.",
        "random": False,
        "most": {},
        "parameters": {"order": "1"},
    }
    others = (
        {
            "kind": kind,
            "summary": summary.replace("`", ""),
            "random": is_drawn(kind),
            "most": MOST_OF.get(kind, {}),
            "parameters": {
                name: None if value is None else str(value) for name, value in parameters.items()
            },
        }
        for kind, summary, parameters in kinds_of_streams()
        if kind not in NOT_SHOWN
    )
    return [mine, *others]
