"""Back and forward through what was selected."""

from __future__ import annotations

from dataclasses import replace

from tfdbg_tui.data.views.selection import Selection, Subject
from tfdbg_tui.data.views.selection_history import MOST, Trail

STEPS = [Selection(subject=Subject.TRACE, trace=number) for number in range(5)]


def trail_of(*steps: Selection) -> Trail:
    trail = Trail()
    for step in steps:
        trail.add(step)
    return trail


def everything(trail: Trail) -> list[Selection]:
    """All steps of a trail that has several, from the first on."""
    while trail.forward():
        pass
    first = None
    while (step := trail.back()) is not None:
        first = step
    steps = [] if first is None else [first]
    while (step := trail.forward()) is not None:
        steps.append(step)
    return steps


def test_a_new_trail_leads_nowhere() -> None:
    trail = Trail()
    assert trail.back() is trail.forward() is None
    trail.add(STEPS[0])
    assert trail.back() is trail.forward() is None


def test_it_goes_back_and_forward_and_stops_at_its_ends() -> None:
    trail = trail_of(*STEPS)
    assert [trail.back() for _ in range(6)] == [*STEPS[3::-1], None, None]
    assert [trail.forward() for _ in range(6)] == [*STEPS[1:], None, None]


def test_another_way_forgets_what_lay_ahead() -> None:
    trail = trail_of(*STEPS[:3])
    trail.back()
    trail.add(STEPS[4])
    assert trail.forward() is None
    assert everything(trail) == [STEPS[0], STEPS[1], STEPS[4]]


def test_a_walk_leaves_one_step_behind() -> None:
    trail = trail_of(STEPS[0])
    for step in STEPS[1:4]:
        trail.add(step, walks=True)
    trail.add(STEPS[4])
    assert everything(trail) == [STEPS[0], STEPS[3], STEPS[4]]


def test_a_walk_from_where_one_went_back_to_begins_anew() -> None:
    trail = trail_of(STEPS[0])
    trail.add(STEPS[1], walks=True)
    trail.back()
    trail.add(STEPS[2], walks=True)
    trail.add(STEPS[3], walks=True)
    assert everything(trail) == [STEPS[0], STEPS[3]]


def test_a_jump_ends_a_walk() -> None:
    trail = Trail()
    trail.add(STEPS[0], walks=True)
    trail.add(STEPS[1])
    trail.add(STEPS[2], walks=True)
    assert everything(trail) == STEPS[:3]


def test_standing_still_is_no_step() -> None:
    trail = trail_of(STEPS[0], STEPS[1], STEPS[1])
    trail.back()
    trail.add(STEPS[0])
    assert trail.forward() == STEPS[1], "what lay ahead is still there"


def test_it_forgets_the_oldest() -> None:
    steps = [Selection(trace=number) for number in range(MOST + 10)]
    trail = trail_of(*steps)
    assert everything(trail) == steps[10:]


def test_what_becomes_known_later_takes_the_place_of_what_was_known() -> None:
    trail = trail_of(*STEPS[:3])
    trail.back()
    known = replace(STEPS[1], line=12)
    trail.amend(STEPS[1], known)
    trail.amend(STEPS[4], STEPS[0])
    assert everything(trail) == [STEPS[0], known, STEPS[2]]
    Trail().amend(STEPS[0], STEPS[1])


def test_what_is_no_more_is_left_out() -> None:
    trail = trail_of(*STEPS)
    trail.back()
    kept = trail.kept(lambda step: None if step.trace in (1, 3) else replace(step, host=1))
    assert kept.forward() == replace(STEPS[4], host=1)
    assert kept.back() == replace(STEPS[2], host=1)
    assert everything(kept) == [replace(STEPS[number], host=1) for number in (0, 2, 4)]
    assert everything(trail) == STEPS


def test_a_trail_of_which_nothing_is_left_can_go_on() -> None:
    trail = trail_of(*STEPS).kept(lambda step: None)
    assert trail.back() is trail.forward() is None
    trail.add(STEPS[0])
    trail.add(STEPS[1])
    assert trail.back() == STEPS[0]


def test_a_walk_from_row_to_row_leaves_one_step_behind() -> None:
    trail = trail_of(STEPS[0])
    for step in STEPS[1:4]:
        trail.add(step, walks=True)
    assert trail.back() == STEPS[0]
    assert trail.forward() == STEPS[3]
    trail.add(STEPS[4], walks=True)  # a new walk, from where one had returned to
    assert everything(trail) == [STEPS[0], STEPS[3], STEPS[4]]
