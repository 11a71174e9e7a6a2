"""`Frozen` does what a frozen dataclass does."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass
from typing import TYPE_CHECKING

import pytest

from tfdbg_tui.frozen.frozen import Frozen, replace

if TYPE_CHECKING:
    from collections.abc import Callable


class Ours(Frozen):
    """Two values, called as a tuple calls its methods."""

    index: int
    count: int = 1

    @property
    def last(self) -> int:
        return self.index + self.count - 1


class Others(Frozen):
    """The same fields."""

    index: int
    count: int = 1


@dataclass(frozen=True, slots=True)
class Theirs:
    """The same fields."""

    index: int
    count: int = 1


def test_it_is_made_compared_and_shown_like_a_dataclass() -> None:
    assert Ours(4) == Ours(index=4, count=1) != Ours(4, 2)
    assert Ours(4) not in [Others(4), (4, 1)]
    assert len({Ours(4), Ours(4), Others(4), (4, 1)}) == 3
    assert hash(Ours(4)) == hash(Theirs(4))
    assert repr(Ours(4)) == repr(Theirs(4)).replace("Theirs", "Ours")
    assert (Ours(4).index, Ours(4).count, Ours(4).last) == (4, 1, 4)
    match Ours(4, 2):
        case Ours(index, count):
            assert (index, count) == (4, 2)


def test_other_values_make_another_one() -> None:
    assert replace(Ours(4), count=9) == Ours(4, 9)
    with pytest.raises(TypeError):
        replace(Ours(4), colour="red")  # type: ignore[call-arg]


@pytest.mark.parametrize("made", [Ours, Theirs])
@pytest.mark.parametrize("arguments", [{}, {"index": 1, "colour": 2}])
def test_wrong_arguments_are_told_with_the_name_of_the_class(
    made: Callable[..., object], arguments: dict[str, int]
) -> None:
    with pytest.raises(TypeError, match=r"(Ours|Theirs).__init__\(\)"):
        made(**arguments)


@pytest.mark.parametrize("made", [Ours, Theirs])
def test_it_stays_as_it_is_and_has_no_other_attributes(made: Callable[[int], object]) -> None:
    value = made(4)
    for name in ("index", "colour"):
        with pytest.raises((AttributeError, FrozenInstanceError, TypeError)):
            setattr(value, name, 5)
    with pytest.raises((AttributeError, FrozenInstanceError)):
        del value.index  # type: ignore[attr-defined]
    assert not hasattr(value, "__dict__")
