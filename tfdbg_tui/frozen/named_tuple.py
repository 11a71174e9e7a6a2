"""`NamedTuple` as in typing, made in a tenth of the time.

Of a class with names, typing compiles the text of every annotation and collections compiles a
constructor: a fifth of a millisecond each. A start makes over a hundred such classes, so it took
as long as numpy. Nobody asks our classes for their annotations, and constructors of as many values
differ by the names of their parameters only.
"""

from __future__ import annotations

from collections import namedtuple
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typing_extensions import Self


class _Named(tuple[Any, ...]):
    """What all of them can do."""

    __slots__ = ()
    _fields: tuple[str, ...] = ()

    @classmethod
    def _make(cls, values: Iterable[object]) -> Self:
        made = tuple.__new__(cls, values)
        if len(made) != len(cls._fields):
            raise TypeError(f"{cls.__name__} has {len(cls._fields)} values, not {len(made)}")
        return made

    def _replace(self, /, **changes: object) -> Self:
        replaced = self._make(map(changes.pop, self._fields, self))
        if changes:
            raise ValueError(f"{type(self).__name__} has no {', '.join(changes)}")
        return replaced

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)

    def __repr__(self) -> str:
        values = (f"{name}={value!r}" for name, value in self._asdict().items())
        return f"{type(self).__name__}({', '.join(values)})"


class _Maker(type):
    """Makes a plain class of what is written as a subclass of `NamedTuple`."""

    def __new__(cls, name: str, bases: tuple[type, ...], members: dict[str, Any]) -> Any:
        if not bases:  # `NamedTuple` itself
            return super().__new__(cls, name, bases, members)
        fields = tuple(members.get("__annotations__", ()))
        defaults = tuple(members.pop(field) for field in fields if field in members)
        pattern = _pattern(len(fields))
        model: Any = pattern.__new__
        code = model.__code__.replace(co_varnames=("_cls", *fields))
        constructor = FunctionType(code, model.__globals__, "__new__", defaults)
        constructor.__qualname__ = f"{name}.__new__"
        getters = (vars(pattern)[field] for field in pattern._fields)
        members |= zip(fields, getters, strict=True)
        members |= {"__slots__": (), "_fields": fields, "__match_args__": fields}
        made: Any = type(name, (_Named,), {**members, "__new__": constructor})
        return made


@cache
def _pattern(count: int) -> Any:
    """A class with so many fields; its constructor and fields are used under other names."""
    return namedtuple("_Pattern", [f"field_{place}" for place in range(count)])


if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    class NamedTuple(metaclass=_Maker):
        """A tuple whose values have names; see `typing.NamedTuple`."""
