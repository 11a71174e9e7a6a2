"""`Frozen`: what `@dataclass(frozen=True, slots=True)` makes, in a tenth of the time.

dataclasses compiles six methods for each class, a millisecond for each. Only the constructor
differs, by the names of what it takes: one is compiled for each number of fields.

For values that are no tuples: because they have a `count` or an `index`, which mean something else
to a tuple, or must not equal another class's with the same contents.
"""

from __future__ import annotations

from functools import cache
from operator import attrgetter
from types import FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from typing_extensions import dataclass_transform


class Value:
    """What all of them can do."""

    __slots__ = ()
    _fields: tuple[str, ...]
    _contents: Callable[[Any], object]

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        contents = type(self)._contents
        return contents(self) == contents(other)

    def __hash__(self) -> int:
        return hash(type(self)._contents(self))

    def __repr__(self) -> str:
        values = (f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__qualname__}({', '.join(values)})"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"cannot assign to {name} of a {type(self).__name__}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"cannot delete {name} of a {type(self).__name__}")


class _Maker(type):
    """Makes a plain class of what is written as a subclass of `Frozen`."""

    def __new__(cls, name: str, bases: tuple[type, ...], members: dict[str, Any]) -> Any:
        if not bases:  # `Frozen` itself
            return super().__new__(cls, name, bases, members)
        fields = tuple(members["__annotations__"])
        defaults = tuple(members.pop(field) for field in fields if field in members)
        members |= {"__slots__": fields, "_fields": fields, "__match_args__": fields}
        made: Any = type(name, (Value,), {**members, "_contents": attrgetter(*fields)})

        def compile_and_fill(value: object, *values: object, **named: object) -> None:
            made.__init__ = _constructor_of(made, defaults)
            made.__init__(value, *values, **named)

        made.__init__ = compile_and_fill
        return made


def _constructor_of(made: type[Value], defaults: tuple[object, ...]) -> FunctionType:
    """That of a class, when the first value is made: most starts make none of most classes."""
    fields = made._fields
    code = _constructor(len(fields)).__code__.replace(co_varnames=("self", *fields))
    setters = {f"set_{n}": vars(made)[field].__set__ for n, field in enumerate(fields)}
    constructor = FunctionType(code, setters, "__init__", defaults)
    constructor.__qualname__ = f"{made.__qualname__}.__init__"
    return constructor


@cache
def _constructor(count: int) -> FunctionType:
    """One that fills so many fields, by functions that are global to it: each class has its own."""
    names = [f"value_{place}" for place in range(count)]
    lines = [f"    set_{place}(self, {name})" for place, name in enumerate(names)]
    made: dict[str, FunctionType] = {}
    exec("\n".join([f"def init(self, {', '.join(names)}):", *lines]), made)
    return made["init"]


if TYPE_CHECKING:
    from dataclasses import replace as replace

    @dataclass_transform(frozen_default=True)
    class Frozen:
        """As mypy knows it."""
else:

    def replace(value, /, **changes):
        """The same value but for these fields."""
        kept = {name: getattr(value, name) for name in value._fields if name not in changes}
        return type(value)(**kept, **changes)

    class Frozen(metaclass=_Maker):
        """A class of frozen values; its annotations are its fields."""
