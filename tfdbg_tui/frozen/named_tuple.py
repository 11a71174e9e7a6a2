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
    from collections.abc import Callable, Iterable

    from typing_extensions import Self


new = tuple.__new__

CONSTRUCTORS: tuple[Callable[..., Any], ...] = (
    lambda cls: new(cls, ()),
    lambda cls, v1: new(cls, (v1,)),
    lambda cls, v1, v2: new(cls, (v1, v2)),
    lambda cls, v1, v2, v3: new(cls, (v1, v2, v3)),
    lambda cls, v1, v2, v3, v4: new(cls, (v1, v2, v3, v4)),
    lambda cls, v1, v2, v3, v4, v5: new(cls, (v1, v2, v3, v4, v5)),
    lambda cls, v1, v2, v3, v4, v5, v6: new(cls, (v1, v2, v3, v4, v5, v6)),
    lambda cls, v1, v2, v3, v4, v5, v6, v7: new(cls, (v1, v2, v3, v4, v5, v6, v7)),
    lambda cls, v1, v2, v3, v4, v5, v6, v7, v8: new(cls, (v1, v2, v3, v4, v5, v6, v7, v8)),
    lambda cls, v1, v2, v3, v4, v5, v6, v7, v8, v9: new(cls, (v1, v2, v3, v4, v5, v6, v7, v8, v9)),
    lambda cls, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10: new(
        cls, (v1, v2, v3, v4, v5, v6, v7, v8, v9, v10)
    ),
)
"""What makes a tuple of no value, of one, of two…

They are written out, as Python takes twice as long to compile one as to make a class.
"""


ROOM = 24
"""Values that nearly no class has more of."""


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
        model = _constructor(len(fields))
        code = model.__code__.replace(co_name="__new__", co_varnames=("_cls", *fields))
        constructor = FunctionType(code, model.__globals__, "__new__", defaults)
        constructor.__qualname__ = f"{name}.__new__"
        members |= zip(fields, _getters(max(len(fields), ROOM)), strict=False)
        members |= {"__slots__": (), "_fields": fields, "__match_args__": fields}
        made: Any = type(name, (_Named,), {**members, "__new__": constructor})
        return made


def _constructor(count: int) -> Any:
    """One that takes so many values."""
    return CONSTRUCTORS[count] if count < len(CONSTRUCTORS) else _compiled(count)


@cache
def _compiled(count: int) -> Any:
    values = "".join(f"v{place}, " for place in range(1, count + 1))
    return eval(f"lambda cls, {values}: new(cls, ({values}))", {"new": new})


@cache
def _getters(count: int) -> tuple[object, ...]:
    """What gives the values of a tuple; it goes by their places, so all classes can have the same.

    Those of Python's own named tuples are faster than any that can be written.
    """
    make: Any = namedtuple  # to mypy the names have to be written out
    pattern = make("_Pattern", [f"field_{place}" for place in range(count)])
    return tuple(vars(pattern)[field] for field in pattern._fields)


if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    class NamedTuple(metaclass=_Maker):
        """A tuple whose values have names; see `typing.NamedTuple`."""
