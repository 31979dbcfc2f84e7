"""Classes that are nothing but their fields, as of `dataclasses`, and made in a tenth of the time.

`dataclass` writes the methods of each class as source and compiles it, which takes half a
millisecond: all those that `thresher train` imports took longer than to read five megabytes. A
`record` shares methods that look at the fields. `fields`, `replace` and `asdict` of `dataclasses`
take a record as one of their own, and so does whoever asks for its signature.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import _FIELD as PLAIN_FIELD  # type: ignore[attr-defined]
from dataclasses import MISSING, Field, FrozenInstanceError, field, replace
from functools import partial
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")

#: Where `dataclasses` looks for the fields.
FIELDS = "__dataclass_fields__"


@overload
def record(cls: type[T], /) -> type[T]: ...


@overload
def record(
    *, frozen: bool = True, eq: bool = True, repr: bool = True, kw_only: bool = False
) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(
    cls: Any = None,
    /,
    *,
    frozen: bool = True,
    eq: bool = True,
    repr: bool = True,
    kw_only: bool = False,
) -> Any:
    """Make a class of fields, with slots; the options are those of `dataclass`.

    >>> @record
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(1), replace(Point(1), y=2) == Point(x=1, y=2)
    (Point(x=1, y=0), True)
    """
    made = partial(_made, frozen=frozen, eq=eq, repr=repr, kw_only=kw_only)
    return made if cls is None else made(cls)


def _made(cls: Any, *, frozen: bool, eq: bool, repr: bool, kw_only: bool) -> type:
    """The class again, with slots and methods."""
    own = _own_fields(cls, kw_only)
    inherited: dict[str, Field[Any]] = {}
    for base in cls.__mro__[:0:-1]:
        inherited |= vars(base).get(FIELDS, {})
    all_fields = inherited | own
    listed = tuple(all_fields.values())
    members = {name: value for name, value in vars(cls).items() if name not in own}
    members.pop("__dict__", None)
    members.pop("__weakref__", None)
    methods: dict[str, Any] = {"__slots__": tuple(name for name in own if name not in inherited)}
    methods |= {FIELDS: all_fields, "__init__": _init(listed), "__signature__": Signature()}
    methods["__match_args__"] = tuple(f.name for f in listed if f.init and not f.kw_only)
    methods["__replace__"] = replace
    if repr:
        methods["__repr__"] = _repr
    if eq:
        methods |= {"__eq__": _eq, "__hash__": _hash if frozen else None}
    if frozen:
        methods |= {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
        methods |= {"__getstate__": _state, "__setstate__": _set_state}
    made: type = type(cls)(cls.__name__, cls.__bases__, methods | members)
    made.__qualname__ = cls.__qualname__
    return made


def _own_fields(cls: type, kw_only: bool) -> dict[str, Field[Any]]:
    """The fields that a class declares, by their names."""
    own: dict[str, Field[Any]] = {}
    for name, kind in cls.__annotations__.items():
        if "ClassVar" in str(kind):
            continue
        default = vars(cls).get(name, MISSING)
        found: Any = default if isinstance(default, Field) else field(default=default)
        found.name, found.type, found._field_type = name, kind, PLAIN_FIELD
        found.kw_only = kw_only if found.kw_only is MISSING else found.kw_only
        own[name] = found
    return own


def _init(listed: tuple[Field[Any], ...]) -> Callable[..., None]:
    taken = {f.name for f in listed if f.init}
    by_place = [f.name for f in listed if f.init and not f.kw_only]
    defaults = {f.name: f.default for f in listed if f.default is not MISSING}
    factories = {f.name: f.default_factory for f in listed if f.default_factory is not MISSING}
    needed = taken - defaults.keys() - factories.keys()

    def __init__(self: Any, /, *given: Any, **named: Any) -> None:  # noqa: N807
        values = defaults | dict(zip(by_place, given, strict=False)) | named
        fits = len(given) <= len(by_place) and named.keys() <= taken and needed <= values.keys()
        if not fits or not named.keys().isdisjoint(by_place[: len(given)]):
            # Says what is wrong.
            type(self).__signature__.bind(*given, **named)
        for name, factory in factories.items():
            if name not in values:
                values[name] = factory()
        for name, value in values.items():
            object.__setattr__(self, name, value)
        if hasattr(self, "__post_init__"):
            self.__post_init__()

    return __init__


def _fields(one: object) -> tuple[Field[Any], ...]:
    return tuple(getattr(one, FIELDS).values())


def _compared(one: object) -> tuple[Any, ...]:
    return tuple(getattr(one, f.name) for f in _fields(one) if f.compare)


def _eq(self: object, other: object) -> Any:
    return _compared(self) == _compared(other) if type(self) is type(other) else NotImplemented


def _hash(self: object) -> int:
    return hash(_compared(self))


def _repr(self: object) -> str:
    shown = (f"{f.name}={getattr(self, f.name)!r}" for f in _fields(self) if f.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refuse_to_set(self: object, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: object) -> list[Any]:
    return [getattr(self, f.name) for f in _fields(self)]


def _set_state(self: object, state: list[Any]) -> None:
    for f, value in zip(_fields(self), state, strict=True):
        object.__setattr__(self, f.name, value)


def _shown_default(one: Field[Any], none: object) -> object:
    if one.default_factory is not MISSING:
        return ...
    return none if one.default is MISSING else one.default


class Signature:
    """The parameters of a record, put together for whoever asks."""

    def __get__(self, one: object, cls: type) -> Any:
        from inspect import Parameter, Signature  # noqa: PLC0415  (few ask)

        places, names = Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY
        found = [
            Parameter(
                f.name,
                names if f.kw_only else places,
                default=_shown_default(f, Parameter.empty),
                annotation=f.type,
            )
            for f in _fields(cls)
            if f.init
        ]
        return Signature(sorted(found, key=lambda one: one.kind))
