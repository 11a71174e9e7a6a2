"""Finding: next and previous, search with its hits, filter, and places to go to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.recordings.hostile import hostile_recording
from tests.support.app_under_test import SMALL, WIDE, Driven, opened
from tfdbg_tui.data.search.search import Search
from tfdbg_tui.data.stores.event_kind import EventKind

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library


def hits(driven: Driven, name: str) -> list[str]:
    """The texts of a pane that are drawn in reverse."""
    region = driven.region(name)
    strips = driven.app.screen._compositor.render_strips()
    return [
        segment.text
        for strip in strips[region.y : region.bottom]
        for segment in strip.crop(region.x, region.right)
        if segment.style is not None and segment.style.reverse
    ]


async def test_next_and_previous_bad_tensor(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("!")
        found = [driven.chosen.trace]
        for key in "nnnNNN":
            await driven.press(key)
            found.append(driven.chosen.trace)
        assert found == [60, 61, 62, 63, 62, 61, 60]
        await driven.press("N")
        assert driven.chosen.trace == 60
        assert driven.told == "No earlier bad tensor in this list."
        await driven.press("3", "G", "n")
        assert driven.told == "No later bad tensor in this list."
        await driven.press("2", "g", "n")
        assert driven.chosen.kind is EventKind.EXECUTION
        assert driven.chosen.execution == 70


async def test_alerts_of_both_lists_come_in_time_order(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("!")
        seen = []
        for _ in range(12):
            index = driven.navigator.index
            assert index is not None
            chosen = driven.chosen.event
            assert chosen is not None
            time = index.host.store_of(chosen.kind).wall_time(chosen.event)
            seen.append((time, chosen.kind, chosen.event, chosen.output))
            await driven.press("e")
        assert [row[0] for row in seen] == sorted(row[0] for row in seen)
        assert len(set(seen)) == len(seen), "every alert once"
        assert {row[1] for row in seen} == set(EventKind)
        await driven.press(*"E" * 12)
        assert driven.chosen.trace == 60
        await driven.press("E")
        assert driven.told == "No earlier alert: this is the first of 117."


async def test_a_healthy_run_says_so(library: Library) -> None:
    async with opened(library.path("healthy")) as driven:
        before = driven.chosen
        await driven.press("!")
        assert driven.told.startswith("No NaN or Inf")
        await driven.press("e")
        assert driven.told.startswith("No NaN or Inf")
        await driven.press("n")
        assert "No later bad tensor" in driven.told
        assert driven.chosen == before


async def test_a_search_goes_to_the_next_match_and_marks_all(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("3", "g", "/")
        assert driven.app.focused is driven.main.view.prompt
        await driven.write("softmax", "enter")
        await driven.until(lambda: driven.navigator.search and driven.navigator.search.is_done)
        assert driven.focused == "traces"
        assert "Softmax" in driven.row("traces")
        assert "Softmax" in hits(driven, "traces")
        assert "softmax" in hits(driven, "source")
        first = driven.chosen.trace
        assert "/ softmax 1 of 12" in "".join(driven.lines())
        await driven.press("n")
        assert "Softmax" in driven.row("traces")
        assert driven.chosen.trace == (first or 0) + 9
        assert "/ softmax 2 of 12" in "".join(driven.lines())
        await driven.press("N")
        assert driven.chosen.trace == first
        await driven.press("escape")
        assert driven.navigator.search is None
        assert hits(driven, "traces") == []
        await driven.press("n")
        assert driven.chosen.trace == 60, "without a search, n is the next bad tensor"


async def test_terms_and_expressions_combine(frozen: Path) -> None:
    async with opened(frozen) as driven:
        for text, found in (
            ("op:Log bad", " Log "),
            ("fn:loss nan>0", " mul "),
            ("/^Mean/", " Mean "),
        ):
            await driven.press("3", "g", "/")
            await driven.write(text, "enter")
            assert found in driven.row("traces"), text
        await driven.press("/")
        await driven.write("nothing-has-this-name", "enter")
        assert driven.told == "Nothing matches nothing-has-this-name."


@pytest.mark.parametrize("sign", ["/", "&"])
async def test_a_query_that_cannot_be_read_is_explained(frozen: Path, sign: str) -> None:
    async with opened(frozen) as driven:
        before = driven.lines()
        await driven.press(sign)
        await driven.write("nan>many", "enter")
        assert driven.told.endswith(".")
        assert "nan" in driven.told
        assert driven.app.focused is driven.panes.alerts
        await driven.press("escape")
        assert driven.told == "", "a sentence stands until the next key"
        assert driven.lines() == before
        await driven.press(sign)
        await driven.write('"open', "enter")
        assert "quote" in driven.told


async def test_a_filter_shows_only_what_matches_until_escape(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("!", "&")
        await driven.write("op:Log", "enter")
        await driven.until(lambda: driven.navigator.filter and driven.navigator.filter.is_done)
        rows = [line for line in driven.lines_of("traces")[1:] if line.strip("▐ ")]
        assert len(rows) == 12
        assert all(" Log " in row for row in rows)
        assert driven.chosen.trace == 60, "what is selected stays"
        assert "▸" in "".join(rows)
        assert "op:Log" in "".join(driven.lines()), "a title says what is left out"
        await driven.press("j")
        assert driven.chosen.trace == 69
        await driven.press("escape")
        assert driven.chosen.trace == 69
        assert driven.panes.traces.row_count == 108
        assert "op:Log" not in "".join(driven.lines())


async def test_a_filter_without_a_match_says_so(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("3", "&")
        await driven.write("op:Nothing", "enter")
        await driven.until(lambda: "so far" not in "".join(driven.lines()))
        assert "Nothing matches op:Nothing; escape shows all." in "".join(driven.lines_of("traces"))
        await driven.press("2")
        assert "Nothing matches op:Nothing" in "".join(driven.lines_of("executions"))
        await driven.press("&")
        await driven.write("", "enter")
        assert driven.navigator.filter is None, "an empty filter is none"
        assert driven.panes.traces.row_count == 108


async def test_a_filtered_out_selection_has_no_cursor(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("!", "&")
        await driven.write("op:Softmax", "enter")
        assert driven.chosen.trace == 60
        assert driven.panes.traces.cursor is None
        await driven.press("j")
        assert driven.panes.traces.cursor is not None
        assert "Softmax" in driven.row("traces")


async def test_going_to_a_place(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("3", ":")
        await driven.write("#52", "enter")
        assert driven.chosen.trace == 52
        await driven.press(":")
        await driven.write("5", "enter")
        assert driven.chosen.trace == 5
        await driven.press("2", ":")
        await driven.write("#100", "enter")
        assert driven.chosen.execution == 100
        await driven.press(":")
        await driven.write("step 3", "enter")
        assert driven.row("executions").split()[3] == "3"
        step = driven.chosen.execution or 0
        await driven.press("k")
        assert driven.row("executions").split()[3] == "2", f"#{step} is the first of its step"


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("#108", "This list ends at #107."),
        ("step 999", "There are 12 steps."),
        ("wibble", "wibble is neither a place such as #52, step 3 or train.py:22, nor a command."),
        ("", "Type #52, step 3, train.py:22, or a command."),
        ("#99999999999999999999", "This list ends at #107."),
        ("step 99999999999999999999", "There are 12 steps."),
    ],
)
async def test_a_place_that_is_not_there_is_explained(
    frozen: Path, typed: str, sentence: str
) -> None:
    async with opened(frozen) as driven:
        await driven.press("3")
        before = driven.chosen
        await driven.press(":")
        await driven.write(typed, "enter")
        assert driven.told == sentence
        assert driven.chosen == before


async def test_commands_by_name(frozen: Path) -> None:
    async with opened(frozen, SMALL) as driven:
        await driven.press(":")
        await driven.write("keys", "enter")
        assert driven.lines()[0].strip().startswith("Help")
        await driven.press("escape", ":")
        await driven.write("First NaN", "enter")
        assert driven.chosen.trace == 60
        await driven.press(":")
        await driven.write("view.zoom", "enter")
        assert driven.panes.zoomed == "traces"
        await driven.press(":")
        await driven.write("quit", "enter")
        assert driven.has_quit


async def test_a_search_goes_on_from_the_top_and_to_the_other_list(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("3", "G", "/")
        await driven.write("#0", "enter")
        assert driven.chosen.trace == 0
        await driven.press("/")
        await driven.write("op:AssignSubVariableOp", "enter")
        assert driven.focused == "executions"
        assert "AssignS" in driven.row("executions")


@pytest.mark.parametrize("goes_on", [False, True])
async def test_a_match_is_gone_to_when_it_is_found_unless_the_user_goes_on(
    frozen: Path, monkeypatch: pytest.MonkeyPatch, goes_on: bool
) -> None:
    async with opened(frozen) as driven:
        await driven.press("3", "g", "/")
        with monkeypatch.context() as patched:
            patched.setattr(Search, "extend", lambda _: True)
            await driven.write("op:Mean bad", "enter")
            await driven.until(lambda: driven.told == "Searching for op:Mean bad ... escape stops.")
            assert driven.chosen.trace == 0
            if goes_on:
                await driven.press("j")
        search = driven.navigator.search
        await driven.until(lambda: search is not None and search.is_done)
        await driven.until(lambda: driven.chosen.trace == (1 if goes_on else 62))
        await driven.settle()
        assert driven.chosen.trace == (1 if goes_on else 62)


async def test_a_click_ends_a_sentence_as_a_key_does(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("[")
        assert driven.told
        await driven.click_text("2 Executions")
        assert not driven.told
        await driven.press("[")
        await driven.click(3, 22)
        assert not driven.told, "it has been read, and no row below it was meant"
        assert driven.focused == "executions"


async def test_bad_calls_are_gone_to_among_executions(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("2", "g", "n")
        assert driven.chosen.execution == 70, "the call inside which the first tensor went bad"
        seen = [driven.chosen.execution]
        while not driven.told:
            await driven.press("n")
            seen.append(driven.chosen.execution)
        assert 77 in seen, "a call whose own outputs"
        await driven.press("g", "N")
        assert driven.told == "No earlier bad tensor in this list."


async def test_a_line_can_be_gone_to_by_its_name(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press(":")
        assert "train.py:22" in driven.lines()[-1], "what can be typed is said"
        await driven.write("train.py:14", "enter")
        assert driven.focused == "source"
        assert driven.row("source").split()[1] == "14"
        await driven.press(":")
        await driven.write("other.py:3", "enter")
        assert driven.told == "No recorded source file is called other.py; s lists all."


async def test_what_the_mode_does_not_tell_is_not_looked_for_in_vain(library: Library) -> None:
    async with opened(library.path("curt_health")) as driven:
        await driven.press("3", "/")
        await driven.write("zero>5", "enter")
        await driven.until(lambda: driven.told == "CURT_HEALTH does not tell zero>5.")
        await driven.press("&")
        await driven.write("op:Log nan>0", "enter")
        sentence = "CURT_HEALTH does not tell nan>0; escape shows all."
        await driven.until(lambda: sentence in "".join(driven.lines()))


async def test_matches_are_sought_among_the_rows_that_the_filter_leaves(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("3", "g", "&")
        await driven.write("fn:loss", "enter", "/")
        await driven.write("bad", "enter")
        assert driven.chosen.trace == 60
        seen = []
        for _ in range(5):
            await driven.press("n")
            seen.append(driven.chosen.trace)
        assert seen == [61, 62, 69, 70, 71], "those of model are left out"
        await driven.press("N")
        assert driven.chosen.trace == 70
        assert not driven.told


@pytest.mark.parametrize("key", ["e", "!", ":"])
async def test_what_the_filter_hides_is_said_to_be_hidden(frozen: Path, key: str) -> None:
    async with opened(frozen) as driven:
        await driven.press("3", "g", "&")
        await driven.write("fn:model", "enter", key)
        if key == ":":
            await driven.write("#60", "enter")
        assert driven.chosen.trace == 60
        assert driven.told == "The filter hides this row; escape shows all."


async def test_a_search_from_the_other_list_goes_forward_in_time(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("2", ":")
        await driven.write("#71", "enter", "/")
        await driven.write("op:Log", "enter")
        assert driven.focused == "traces"
        assert driven.chosen.trace == 69


async def test_what_is_waited_for_is_left_before_any_layer(
    frozen: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(frozen) as driven:
        await driven.press("3", "g", "z", "&")
        await driven.write("fn:loss", "enter")
        await driven.until(lambda: driven.navigator.filter and driven.navigator.filter.is_done)
        await driven.settle()
        monkeypatch.setattr(Search, "extend", lambda _: True)
        await driven.press("/")
        await driven.write("op:Mean", "enter")
        await driven.until(lambda: driven.told == "Searching for op:Mean ... escape stops.")
        await driven.press("n")
        await driven.until(lambda: driven.told == "Searching for op:Mean ... escape stops.")
        await driven.press("escape")
        assert driven.told == "Stopped searching for op:Mean."
        assert driven.navigator.search is None
        assert driven.navigator.filter is not None
        assert driven.panes.zoomed == "traces"
        await driven.press("&")
        await driven.write("op:Mul", "enter")
        await driven.press("escape")
        assert driven.told == "Stopped filtering by op:Mul."
        assert driven.navigator.filter is None
        assert driven.panes.zoomed == "traces"
        await driven.press("escape")
        assert driven.panes.zoomed is None


async def test_hostile_names_are_searched_by_expressions(tmp_path: Path) -> None:
    async with opened(hostile_recording(tmp_path)) as driven:
        await driven.press("3", "g", "/")
        await driven.write("a*a*Log:[0-9]", "enter")
        await driven.until(lambda: driven.navigator.search and driven.navigator.search.is_done)
        assert driven.navigator.match_rank(EventKind.TRACE)[1] == 12
        snapshot = driven.main.session.snapshot
        assert snapshot is not None
        assert snapshot.failure is None
