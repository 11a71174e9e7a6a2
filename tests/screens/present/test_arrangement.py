"""Where panes stand: heights by content, nothing outside the screen, nothing twice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfdbg_tui.screens.pane_names import LISTS, PANES, WATCHED
from tfdbg_tui.screens.present.arrangement import (
    FOLDED,
    HIGH_ROWS,
    TIMELINE,
    TIMELINE_ROWS,
    Shape,
    Wants,
    arrange,
)

LINES = st.fixed_dictionaries(
    {name: st.integers(0, 300) for name in PANES}, optional={WATCHED: st.integers(1, 40)}
)


@given(
    st.integers(1, 260),
    st.integers(1, 80),
    LINES,
    st.frozensets(st.sampled_from(LISTS)),
    st.sampled_from((*PANES, WATCHED)),
    st.booleans(),
    st.sampled_from(["source", "stack"]),
)
def test_panes_fill_the_room_and_do_not_overlap(
    width: int,
    height: int,
    lines: dict[str, int],
    empty: frozenset[str],
    focused: str,
    with_output: bool,
    lower: str,
) -> None:
    wants = Wants(lines, empty, focused, lower)
    shape, regions, _ = arrange(
        width, height, "alerts", "source", None, focused, with_output, 0, wants
    )
    cells = 0
    for region in regions.values():
        assert region.width > 0
        assert region.height > 0
        assert region.x >= 0
        assert region.right <= width
        assert region.bottom <= max(height, 2)
        cells += region.area
    if shape is Shape.WIDE:
        assert cells == width * height, "every cell belongs to a pane, and to one"
        others = {name for name in lines if name not in ("stack", "source")}
        assert others <= regions.keys()
        assert regions.keys() & {"stack", "source"}


WANTED = {"alerts": 30, "executions": 200, "traces": 300, "health": 7, "graph": 9, "stack": 4}


def heights(width: int, height: int, wants: Wants) -> dict[str, int]:
    _, regions, _ = arrange(width, height, "alerts", "source", wants=wants)
    return {name: region.height for name, region in regions.items()}


def test_health_and_graph_are_as_high_as_they_need_to_be() -> None:
    found = heights(160, 43, Wants(WANTED))
    assert found["health"] == WANTED["health"] + 2
    assert found["graph"] == WANTED["graph"] + 2
    assert found["alerts"] == 43 - TIMELINE_ROWS - found["health"] - found["graph"]
    assert "stack" not in found, "it stands in the title of the source"


@pytest.mark.parametrize("empty", LISTS)
def test_a_list_without_rows_is_one_line_and_the_others_get_its_room(empty: str) -> None:
    assert heights(160, 43, Wants(WANTED, frozenset({empty})))[empty] == FOLDED


def test_what_is_short_at_the_left_leaves_its_room_to_the_source() -> None:
    _, regions, _ = arrange(
        160, 43, "alerts", "source", wants=Wants({**WANTED, "alerts": 3, "graph": 6})
    )
    assert regions["source"].width == 160
    assert regions["stack"].height >= WANTED["stack"] + 2


def test_the_stack_takes_the_place_of_the_source_where_there_is_room_for_one() -> None:
    found = heights(160, 43, Wants(WANTED, lower="stack"))
    assert "stack" in found
    assert "source" not in found


def test_a_focused_list_gets_more() -> None:
    usual = heights(160, 43, Wants(WANTED))
    assert heights(160, 43, Wants(WANTED, focused="executions"))["executions"] > usual["executions"]
    focused = heights(160, 43, Wants({**WANTED, "source": 99}, focused="source"))
    assert focused["source"] >= (43 - TIMELINE_ROWS) // 2


def test_very_wide_screens_have_a_column_for_the_code() -> None:
    found = heights(200, 55, Wants(WANTED))
    assert found["stack"] == WANTED["stack"] + 2
    assert found["source"] == 55 - TIMELINE_ROWS - found["stack"]


def test_the_timeline_stands_above_all_where_there_are_rows_for_it() -> None:
    _, regions, _ = arrange(160, HIGH_ROWS, "alerts", "source", wants=Wants(WANTED))
    assert (regions[TIMELINE].size, regions[TIMELINE].y) == ((160, TIMELINE_ROWS), 0)
    assert TIMELINE not in heights(160, HIGH_ROWS - 1, Wants(WANTED))
    empty = Wants(WANTED, frozenset({"executions"}))
    assert TIMELINE not in heights(160, HIGH_ROWS, empty), "nothing was executed"


@pytest.mark.parametrize("size", [(160, 48), (200, 60)])
def test_what_is_watched_takes_its_rows_from_the_lists_alone(size: tuple[int, int]) -> None:
    """The other panes stay where they are, and it is as high as its rows."""
    wants = Wants(WANTED)
    without = arrange(*size, "alerts", "source", wants=wants).regions
    watching = arrange(*size, "alerts", "source", wants=Wants({**WANTED, WATCHED: 3})).regions
    assert watching[WATCHED].height == 3 + 2
    moved = {name for name in without if without[name] != watching[name]}
    assert moved <= {"executions", "traces"}
    many = arrange(*size, "alerts", "source", wants=Wants({**WANTED, WATCHED: 40})).regions
    lists = many["executions"].height + many["traces"].height
    assert many[WATCHED].height <= lists, "never more than half as much as they"
