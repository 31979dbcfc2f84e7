"""What labels mean: which counts as +1, or that each is the name of a class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache
from math import isfinite
from typing import Any, Literal

from thresher.errors import LabelError
from thresher.kernels.scanning.number import read_number
from thresher.records import record

#: So many rows are looked at before a scheme is decided on.
ROWS_TO_DECIDE = 1000
#: Or so many bytes of text from the first row on: rows are held back meanwhile, and may be long.
BYTES_TO_DECIDE = 32 << 20
#: Pairs of numbers with a meaning of their own: the negative label, then the positive one.
_NUMERIC = (("-1", "1"), ("0", "1"), ("1", "2"))
#: Labels that mean something without another.
_MEANT = {label for pair in _NUMERIC for label in pair}
_SHOWN = 6
#: Labels that are numbers and differ in so many rows, or more, are no names of classes.
_TOO_MANY_NUMBERS = 20
#: The same of labels that are texts.
_TOO_MANY_TEXTS = 20


# Every block has the same few labels.
@lru_cache(maxsize=1 << 10)
def canonical(label: str) -> str:
    """The name of a label: numbers in their shortest form, everything else as it is.

    >>> [canonical(label) for label in ("+1", "1.0", "01", "-1", "0.50", "spam")]
    ['1', '1', '1', '-1', '0.5', 'spam']

    Whole numbers stay apart even where floats do not tell them apart.

    >>> canonical("+09007199254740993")
    '9007199254740993'
    """
    text = label.encode("utf-8", "surrogatepass")
    value, length = read_number(text)
    if value is None or length < len(text) or not isfinite(value):
        return label
    digits = text.lstrip(b"+-")
    if digits.isdigit():
        # Not through `int`, which takes no more than 4,300 digits, however many are zeros.
        shortest = digits.lstrip(b"0").decode() or "0"
        return f"-{shortest}" if text.startswith(b"-") and shortest != "0" else shortest
    return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(value)


@record(frozen=False)
class LabelScheme:
    """Labels as -1 and +1, or as the names of several classes.

    Undecided at first (unless `positive` is given): the labels of the first 1,000 rows decide
    (or of fewer, if they take 32 MiB); if all of these have one name, the next other label does.
    -1/+1, 0/1 and 1/2 are known; of two other labels the last in order counts as +1, numbers by
    value and names by the alphabet: ham is -1 and spam is +1. `positive` says which counts as +1
    instead, and every other one then counts as -1. A label that does not fit what was decided
    belongs to a bad line.

    Where several classes are possible (``classes="any"``), more than two labels in the first
    rows are the names of as many classes, and others may still come.

    >>> scheme = LabelScheme()
    >>> scheme.decide({"0": 700, "1": 300})
    >>> scheme.sign("1"), scheme.sign("0"), scheme.sign("2")
    (1, -1, None)
    >>> print(scheme)
    labels 0/1: 1 counts as +1
    >>> scheme = LabelScheme()
    >>> scheme.decide({"spam": 747, "ham": 253})
    >>> print(scheme, scheme.in_order)
    labels ham/spam: spam counts as +1 True
    >>> scheme = LabelScheme(classes="any")
    >>> scheme.decide({"sport": 5, "law": 9, "science": 2})
    >>> scheme.several, scheme.decided
    (True, True)
    """

    #: The label that counts as +1; None while undecided.
    positive: str | None = None
    #: The label that counts as -1; None: every other one, or not known yet.
    negative: str | None = None
    #: Whether every label but `positive` counts as -1.
    rest: bool = False
    #: Whether labels are of two classes, names of several, or of either kind as may turn out;
    #: or certainly of several, of which the first rows are to be counted.
    classes: Literal["two", "any", "counted", "several"] = "two"
    #: How many classes the first rows had, where they decided.
    n_first: int | None = field(default=None, compare=False)

    @classmethod
    def of(cls, positive: object) -> LabelScheme:
        """The scheme in which this label counts as +1 and every other one as -1."""
        return cls(canonical(str(positive)), None, rest=True)

    @property
    def decided(self) -> bool:
        """Whether labels have a meaning yet."""
        return self.positive is not None or self.several

    @property
    def several(self) -> bool:
        """Whether each label is the name of a class."""
        return self.classes == "several"

    @property
    def in_order(self) -> bool:
        """Whether the order of two labels decided which counts as +1."""
        pair = self.negative, self.positive
        return None not in pair and not self.rest and pair not in _NUMERIC

    def waits(self, seen: Mapping[str, int]) -> bool:
        """Whether the first rows have one label, which means nothing without another."""
        return not self.decided and len(seen) == 1 and not {*seen} & _MEANT

    def decide(self, seen: Mapping[str, int]) -> None:
        """Settle on a scheme, given how many of the first rows have each label."""
        if self.decided or not seen:
            return
        names = set(seen)
        self.n_first = len(names)
        if self.classes == "counted":
            self.classes = "several"
            return
        open_ = self.classes == "any"
        if open_:
            self.classes = "several" if len(names) > 2 else "two"
            if self.several:
                _refuse_measurements(seen)
                _refuse_texts(seen)
                return
        for negative, positive in _NUMERIC:
            if names == {negative, positive} or names == {negative} != {"1"}:
                self.negative, self.positive = negative, positive
                return
        if names == {"1"}:
            self.positive = "1"
        elif names == {"2"}:
            self.negative, self.positive = "1", "2"
        elif len(names) == 2:
            self.negative, self.positive = sorted(names, key=_in_order)
        else:
            raise _undecidable(seen, perhaps_classes=open_)

    def allow_several(self, *, certain: bool = False, counted: bool = False) -> LabelScheme:
        """The same, with several classes possible, or certain; not once it is decided.

        Where they are certain, nothing is held back, unless those of the first rows are counted.
        """
        if not self.decided:
            self.classes = ("counted" if counted else "several") if certain else "any"
        return self

    @property
    def sign_names(self) -> tuple[str, str]:
        """What -1 and +1 are called in the data."""
        if self.positive is None:
            return "-1", "+1"
        return self.negative or (f"not {self.positive}" if self.rest else "-1"), self.positive

    def sign(self, label: str) -> int | None:
        """-1 or +1; None for a label that has no place in the scheme.

        The name of a class has no sign; 1 says that it has a place.
        """
        if self.several or label == self.positive:
            return 1
        if self.rest or label == self.negative:
            return -1
        if self.negative is None and label in ("-1", "0"):
            # Only 1 had been seen so far; the first other label says which pair it is from.
            self.negative = label
            return -1
        return None

    def expected(self) -> str:
        """The labels that fit, in words."""
        if self.several:
            return "the name of a class"
        if self.positive is None or self.rest:
            return "a label"
        if self.negative is None:
            return f"the label {self.positive}, or -1 or 0"
        return f"the label {self.negative} or {self.positive}"

    def __str__(self) -> str:
        if self.several:
            return "labels are the names of classes"
        if self.positive is None:
            return "labels not seen yet"
        if self.rest:
            return f"label {self.positive} counts as +1, every other as -1"
        pair = self.positive if self.negative is None else f"{self.negative}/{self.positive}"
        return f"labels {pair}: {self.positive} counts as +1"

    def to_dict(self) -> dict[str, Any]:
        """The scheme as JSON-ready values."""
        return {
            "positive": self.positive,
            "negative": self.negative,
            "rest": self.rest,
            "classes": self.classes,
        }

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> LabelScheme:
        """The scheme that `to_dict` described."""
        return cls(saved["positive"], saved["negative"], saved["rest"], saved["classes"])


def _in_order(label: str) -> tuple[bool, float, str]:
    """Where a label stands among others: numbers first and by value, then names."""
    text = label.encode("utf-8", "surrogatepass")
    value, length = read_number(text)
    number = value is not None and length == len(text) and isfinite(value)
    return not number, value if number and value is not None else 0.0, label


def _refuse_measurements(seen: Mapping[str, int]) -> None:
    """Complain about labels that are numbers and hardly ever the same: something to predict."""
    rows = sum(seen.values())
    if len(seen) < max(_TOO_MANY_NUMBERS, rows / 2):
        return
    if all(read_number(label.encode("utf-8", "surrogatepass"))[0] is not None for label in seen):
        raise LabelError(
            f"there are {len(seen)} different numbers among the labels of the first {rows} rows: "
            "measurements rather than classes.",
            "If they are classes, say LabelScheme(classes='several'); LabelScheme.of(label) makes "
            "two classes of them.",
            code="label.measurements",
        )


def _refuse_texts(seen: Mapping[str, int]) -> None:
    """Complain about labels of several words that are hardly ever the same: they are texts."""
    rows = sum(seen.values())
    if len(seen) < max(_TOO_MANY_TEXTS, rows / 2) or 2 * sum(" " in one for one in seen) < rows:
        return
    shown = next(label for label in seen if " " in label)
    raise LabelError(
        f"there are {len(seen)} different labels in the first {rows} rows, such as "
        f"{(shown if len(shown) <= 40 else shown[:37] + '...')!r}: texts rather than classes.",
        "If the label stands behind the text in every line, say Recipe(label_last=True); in a "
        "table, Recipe(label_field=...) names its column. If these are classes, say "
        "LabelScheme(classes='several').",
        code="label.texts",
    )


def _undecidable(seen: Mapping[str, int], *, perhaps_classes: bool) -> LabelError:
    by_count = sorted(seen, key=lambda name: (-seen[name], name))
    shown = ", ".join(f"{name} ({seen[name]})" for name in by_count[:_SHOWN])
    more = f" and {len(seen) - _SHOWN} more" if len(seen) > _SHOWN else ""
    labels = "label is" if len(seen) == 1 else "labels are"
    rows = "row" if (n := sum(seen.values())) == 1 else f"{n} rows"
    return LabelError(
        f"the {labels} {shown}{more}, in the first {rows}, and two are wanted.",
        f"Say to read or to train which one counts as +1: positive={by_count[-1]!r}. Every other "
        "one then counts as -1.",
        code="label.undecidable",
        rarest=by_count[-1],
        perhaps_classes=perhaps_classes,
    )
