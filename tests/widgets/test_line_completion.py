"""Tab goes as far as all candidates agree, then from one to the next, then back."""

from __future__ import annotations

import pytest

from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.widgets.line_completion import LineCompletion


class Offered(NamedTuple):
    start: int
    candidates: tuple[str, ...]

    @property
    def common(self) -> str:
        return self.candidates[0][:3] if self.candidates else ""


def pressed(before: str, *steps: int, candidates: tuple[str, ...], start: int = 3) -> list[str]:
    """What stands before the cursor after each press of tab."""
    completion, shown = LineCompletion(), [before]
    for step in steps:
        shown.append(completion.step(shown[-1], step, lambda _: Offered(start, candidates)))
    return shown[1:]


def test_first_as_far_as_all_agree_then_one_after_another_then_what_was_typed() -> None:
    shown = pressed("pt L", 1, 1, 1, 1, -1, candidates=("Log:0", "Log_1:0"))
    assert shown == ["pt Log", "pt Log:0", "pt Log_1:0", "pt Log", "pt Log_1:0"]


@pytest.mark.parametrize(
    ("before", "candidate", "after"),
    [
        ("pt L", "Log:0", "pt Log:0 "),
        ("ps t", "my file.py", 'ps "my file.py" '),
        ("lt -w", "out/", "lt out/"),
        ("lt o", "op:", "lt op:"),
    ],
)
def test_the_only_candidate_is_taken_whole(before: str, candidate: str, after: str) -> None:
    assert pressed(before, 1, candidates=(candidate,)) == [after]


def test_a_name_within_quotes_ends_with_one() -> None:
    assert pressed("eval `L", 1, candidates=("Log:0",), start=6) == ["eval `Log:0` "]


def test_candidates_that_only_hold_what_is_typed_leave_it() -> None:
    shown = pressed("pt og", 1, 1, candidates=("Log:0", "blog:0"))
    assert shown == ["pt og", "pt Log:0"]


def test_without_candidates_the_line_stays() -> None:
    assert pressed("pt x", 1, 1, candidates=()) == ["pt x", "pt x"]


def test_a_clicked_candidate_is_taken_whole() -> None:
    completion = LineCompletion()
    completion.step("pt L", 1, lambda _: Offered(3, ("Log:0", "Log_1:0")))
    assert completion.accept(1) == "pt Log_1:0 "
    assert not completion.candidates
