"""Records next to the dataclasses that they stand for."""

from __future__ import annotations

import inspect
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, replace
from typing import Any, ClassVar

import pytest

from thresher.records import record


@record
class Mine:
    kind: ClassVar[str] = "a constant"

    first: int
    second: str = "two"
    third: list[int] = field(default_factory=list)
    hidden: int = field(default=4, repr=False, compare=False)
    named: int = field(default=5, kw_only=True)
    made: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "made", self.first + 1)


@dataclass(frozen=True, slots=True)
class Theirs:
    kind: ClassVar[str] = "a constant"

    first: int
    second: str = "two"
    third: list[int] = field(default_factory=list)
    hidden: int = field(default=4, repr=False, compare=False)
    named: int = field(default=5, kw_only=True)
    made: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "made", self.first + 1)


@record(kw_only=True)
class Longer(Mine):
    last: int


CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((1,), {}),
    ((1, "b", [3]), {"named": 6, "hidden": 7}),
    ((), {"first": 2, "third": [1]}),
    ((), {}),
    ((1,), {"first": 1}),
    ((1, "b", [3], 4, 5), {}),
    ((1,), {"unknown": 1}),
    ((1,), {"made": 1}),
]


@pytest.mark.parametrize(("given", "named"), CALLS)
def test_a_record_takes_refuses_and_shows_what_a_dataclass_does(
    given: tuple[Any, ...], named: dict[str, Any]
) -> None:
    try:
        theirs = Theirs(*given, **named)
    except TypeError:
        with pytest.raises(TypeError):
            Mine(*given, **named)
        return
    mine = Mine(*given, **named)
    assert repr(mine) == repr(theirs).replace("Theirs", "Mine")
    assert asdict(mine) == asdict(theirs)
    assert replace(mine, first=9).made == 10
    assert pickle.loads(pickle.dumps(mine)) == mine
    assert mine == Mine(mine.first, mine.second, mine.third, 99, named=mine.named)
    assert mine != Mine(mine.first + 1)
    assert mine.__eq__(theirs) is NotImplemented


def test_its_class_is_as_that_of_a_dataclass() -> None:
    assert [f.name for f in fields(Mine)] == [f.name for f in fields(Theirs)]
    mine, theirs = inspect.signature(Mine), inspect.signature(Theirs)
    assert [(p.name, p.kind) for p in mine.parameters.values()] == [
        (p.name, p.kind) for p in theirs.parameters.values()
    ]
    assert Mine.__match_args__ == Theirs.__match_args__
    assert not hasattr(Mine(1), "__dict__")
    assert Mine.kind == "a constant"


def test_a_frozen_record_does_not_change_and_has_a_hash() -> None:
    one = Mine(1, third=())  # type: ignore[arg-type]
    assert hash(one) == hash(Mine(1, third=()))  # type: ignore[arg-type]
    with pytest.raises(FrozenInstanceError, match="first"):
        one.first = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError, match="first"):
        del one.first


def test_a_record_of_a_record_has_the_fields_of_both() -> None:
    one = Longer(1, last=3)
    assert (one.first, one.made, one.last) == (1, 2, 3)
    assert one == Longer(1, last=3) != Longer(1, last=4)
    assert [f.name for f in fields(Longer)][-2:] == ["made", "last"]


def test_a_record_that_is_not_frozen_changes_and_has_no_hash() -> None:
    @record(frozen=False)
    class Open:
        x: int = 1

    one = Open()
    one.x = 2
    assert one == Open(2)
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)
