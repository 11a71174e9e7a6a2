"""Our `NamedTuple` does what that of typing does."""

from __future__ import annotations

import copy
import pickle
import typing

import pytest

from tfdbg_tui.frozen.named_tuple import NamedTuple


class Ours(NamedTuple):
    """Two values."""

    name: str
    size: int = 3

    @property
    def doubled(self) -> int:
        return 2 * self.size


class Theirs(typing.NamedTuple):
    """Two values."""

    name: str
    size: int = 3


def test_it_is_made_compared_and_shown_like_the_one_of_typing() -> None:
    assert Ours("a") == ("a", 3) == tuple(Theirs("a"))
    assert hash(Ours("a", 1)) == hash(Theirs("a", 1))
    assert repr(Ours(size=1, name="a")) == repr(Theirs(size=1, name="a")).replace("Theirs", "Ours")
    assert (Ours.__doc__, Ours._fields, Ours("a")._asdict()) == (
        Theirs.__doc__,
        Theirs._fields,
        Theirs("a")._asdict(),
    )
    assert Ours("a").doubled == 6
    name, size = Ours("a", 5)
    assert (name, size) == ("a", 5)


def test_other_values_make_another_one() -> None:
    assert Ours("a")._replace(size=7) == Ours("a", 7)
    assert Ours._make(["a", 7]) == Ours("a", 7)
    with pytest.raises(ValueError, match="colour"):
        Ours("a")._replace(colour="red")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Ours._make(["a"])


@pytest.mark.parametrize("arguments", [{}, {"name": "a", "colour": "red"}])
def test_wrong_arguments_are_told_with_the_name_of_the_class(arguments: dict[str, str]) -> None:
    for made in (Ours, Theirs):
        with pytest.raises(TypeError, match=rf"{made.__name__}.__new__\(\)"):
            made(**arguments)  # type: ignore[arg-type]


def test_it_stays_as_it_is_and_has_no_other_attributes() -> None:
    value = Ours("a")
    for name in ("name", "colour"):
        with pytest.raises(AttributeError):
            setattr(value, name, "b")
    assert copy.deepcopy(value) == value
    assert pickle.loads(pickle.dumps(value)) == value
    match value:
        case Ours(name=found):
            assert found == "a"
