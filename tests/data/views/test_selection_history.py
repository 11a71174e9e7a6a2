"""Back and forward through what was selected."""

from __future__ import annotations

from dataclasses import replace

from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.views.selection import Selection
from tfdbg_tui.data.views.selection_history import MAX_STEPS, SelectionHistory

STEPS = [Selection(kind=EventKind.TRACE, trace=number) for number in range(5)]


def trail_of(*steps: Selection) -> SelectionHistory:
    history = SelectionHistory()
    for step in steps:
        history.add(step)
    return history


def everything(history: SelectionHistory) -> list[Selection]:
    """All steps of a history that has several, from the first on."""
    while history.forward():
        pass
    first = None
    while (step := history.back()) is not None:
        first = step
    steps = [] if first is None else [first]
    while (step := history.forward()) is not None:
        steps.append(step)
    return steps


def test_a_new_trail_leads_nowhere() -> None:
    history = SelectionHistory()
    assert history.back() is history.forward() is None
    history.add(STEPS[0])
    assert history.back() is history.forward() is None


def test_it_goes_back_and_forward_and_stops_at_its_ends() -> None:
    history = trail_of(*STEPS)
    assert [history.back() for _ in range(6)] == [*STEPS[3::-1], None, None]
    assert [history.forward() for _ in range(6)] == [*STEPS[1:], None, None]


def test_another_way_forgets_what_lay_ahead() -> None:
    history = trail_of(*STEPS[:3])
    history.back()
    history.add(STEPS[4])
    assert history.forward() is None
    assert everything(history) == [STEPS[0], STEPS[1], STEPS[4]]


def test_a_walk_leaves_one_step_behind() -> None:
    history = trail_of(STEPS[0])
    for step in STEPS[1:4]:
        history.add(step, coalesce=True)
    history.add(STEPS[4])
    assert everything(history) == [STEPS[0], STEPS[3], STEPS[4]]


def test_a_walk_from_where_one_went_back_to_begins_anew() -> None:
    history = trail_of(STEPS[0])
    history.add(STEPS[1], coalesce=True)
    history.back()
    history.add(STEPS[2], coalesce=True)
    history.add(STEPS[3], coalesce=True)
    assert everything(history) == [STEPS[0], STEPS[3]]


def test_a_jump_ends_a_walk() -> None:
    history = SelectionHistory()
    history.add(STEPS[0], coalesce=True)
    history.add(STEPS[1])
    history.add(STEPS[2], coalesce=True)
    assert everything(history) == STEPS[:3]


def test_standing_still_is_no_step() -> None:
    history = trail_of(STEPS[0], STEPS[1], STEPS[1])
    history.back()
    history.add(STEPS[0])
    assert history.forward() == STEPS[1], "what lay ahead is still there"


def test_it_forgets_the_oldest() -> None:
    steps = [Selection(trace=number) for number in range(MAX_STEPS + 10)]
    history = trail_of(*steps)
    assert everything(history) == steps[10:]


def test_what_becomes_known_later_takes_the_place_of_what_was_known() -> None:
    history = trail_of(*STEPS[:3])
    history.back()
    known = replace(STEPS[1], line=12)
    history.amend(STEPS[1], known)
    history.amend(STEPS[4], STEPS[0])
    assert everything(history) == [STEPS[0], known, STEPS[2]]
    SelectionHistory().amend(STEPS[0], STEPS[1])


def test_what_is_no_more_is_left_out() -> None:
    history = trail_of(*STEPS)
    history.back()
    kept = history.kept(lambda step: None if step.trace in (1, 3) else replace(step, host=1))
    assert kept.forward() == replace(STEPS[4], host=1)
    assert kept.back() == replace(STEPS[2], host=1)
    assert everything(kept) == [replace(STEPS[number], host=1) for number in (0, 2, 4)]
    assert everything(history) == STEPS


def test_a_trail_of_which_nothing_is_left_can_go_on() -> None:
    history = trail_of(*STEPS).kept(lambda step: None)
    assert history.back() is history.forward() is None
    history.add(STEPS[0])
    history.add(STEPS[1])
    assert history.back() == STEPS[0]


def test_a_walk_from_row_to_row_leaves_one_step_behind() -> None:
    history = trail_of(STEPS[0])
    for step in STEPS[1:4]:
        history.add(step, coalesce=True)
    assert history.back() == STEPS[0]
    assert history.forward() == STEPS[3]
    history.add(STEPS[4], coalesce=True)  # a new walk, from where one had returned to
    assert everything(history) == [STEPS[0], STEPS[3], STEPS[4]]
