"""What was typed before is recalled by how it begins, and a half-typed line is not lost."""

from __future__ import annotations

import pytest

from tfdbg_tui.widgets.typed_history import TypedHistory

LINES = ("lt -n Log", "pt Log:0", "lt -t Mul", "#52")


def walked(typed: str, *steps: int) -> list[str]:
    """What stands there after each step, beginning with what was typed."""
    history, shown = TypedHistory(LINES), [typed]
    history.begin()
    for step in steps:
        shown.append(history.recall(shown[-1], step))
    return shown[1:]


@pytest.mark.parametrize(
    ("typed", "steps", "shown"),
    [
        ("", (-1, -1, 1, 1, 1), ["#52", "lt -t Mul", "#52", "", ""]),
        ("lt", (-1, -1, -1), ["lt -t Mul", "lt -n Log", "lt -n Log"]),
        ("lt", (-1, 1), ["lt -t Mul", "lt"]),
        ("ni", (-1, 1), ["ni", "ni"]),
        ("pt Log:0", (-1,), ["pt Log:0"]),
    ],
)
def test_lines_are_recalled_by_their_beginning(
    typed: str, steps: tuple[int, ...], shown: list[str]
) -> None:
    assert walked(typed, *steps) == shown


def test_what_is_changed_is_a_beginning_of_its_own() -> None:
    history = TypedHistory(LINES)
    assert history.recall("l", -1) == "lt -t Mul"
    assert history.recall("p", -1) == "pt Log:0"


def test_the_same_line_again_is_one_line() -> None:
    history = TypedHistory(LINES)
    history.add("#52")
    history.add("")
    history.add("ri")
    assert history.lines == [*LINES, "ri"]
