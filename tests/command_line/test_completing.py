"""What a half-typed line can go on with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.command_line.asking import asked_about
from tfdbg_tui.command_line.completing import Completion, complete
from tfdbg_tui.command_line.name_lists import NameLists, SortedNames
from tfdbg_tui.command_line.table import COMMANDS
from tfdbg_tui.data.search.named_filters import NamedFilters

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library


@pytest.fixture
def names(library: Library) -> NameLists:
    found = NameLists(asked_about(library.path("full_health")).run)
    while found.extend():
        pass
    return found


@pytest.mark.parametrize(
    ("line", "first", "start"),
    [
        ("", "lt", 0),
        ("print_s", "print_source", 0),
        ("li ", "AddV2", 3),
        ("li -r -d 3 Mat", "MatMul/ReadVariableOp:0", 11),
        ("pt 'Mat", "MatMul/ReadVariableOp:0", 4),
        ("pt readv", "MatMul/ReadVariableOp:0", 3),
        ("ni mul/", "mul/y", 3),
        ("lt -fe", "-fenn", 3),
        ("lt -s ", "time", 6),
        ("lt -f de", "dead", 6),
        ("lt -op:Lo", "-op:Log", 3),
        ("q fn:lo", "fn:loss", 2),
        ("q file:train", "file:training.py", 2),
        ("q na", "nan", 2),
        ("filter name op:So", "op:Softmax", 12),
        ("ps train", "training.py", 3),
        ("help al", "alerts", 5),
        ("mouse ", "on", 6),
        ("eval np.mean(`Softm", "Softmax:0", 14),
    ],
)
def test_a_line_goes_on_with_what_can_stand_there(
    names: NameLists, line: str, first: str, start: int
) -> None:
    filters = NamedFilters()
    filters.define("dead", "zero=100%")
    found = complete(line, names, filters)
    assert found.start == start
    assert found.candidates[0] == first


@pytest.mark.parametrize("line", ["li Log:0 ", "nope ", "lt -n ", "ri ", "eval np.m", "q zzz:"])
def test_where_nothing_is_known_nothing_is_offered(names: NameLists, line: str) -> None:
    assert complete(line, names, NamedFilters()).candidates == ()


def test_files_are_completed_behind_what_leads_to_them(names: NameLists, tmp_path: Path) -> None:
    (tmp_path / "one.txt").touch()
    (tmp_path / "onward").mkdir()
    for line in (f"ri > {tmp_path}/on", f"pt x -w {tmp_path}/on"):
        found = complete(line, names, NamedFilters())
        assert found.candidates == (f"{tmp_path}/one.txt", f"{tmp_path}/onward/")
        assert found.common == f"{tmp_path}/on"


def test_what_stands_behind_the_cursor_does_not_count(names: NameLists) -> None:
    assert complete("al x", names, NamedFilters(), cursor=2) == Completion(0, ("alerts",))


def test_all_commands_and_options_are_offered(names: NameLists) -> None:
    for definition in COMMANDS:
        assert definition.name in complete("", names, NamedFilters()).candidates
        flags = complete(f"{definition.name} -", names, NamedFilters()).candidates
        assert [option.flag for option in definition.options] == list(flags)


@settings(max_examples=50)
@given(st.lists(st.text("abAB_/", max_size=4)), st.text("abAB", max_size=2))
def test_names_are_found_by_how_they_begin(known: list[str], beginning: str) -> None:
    names = SortedNames()
    for number, name in enumerate(known):
        names.add(name)
        if number % 3 == 0:
            names.close()
    names.close()
    expected = sorted((n.lower(), n) for n in set(known) if n.lower().startswith(beginning.lower()))
    assert names.starting(beginning, 100) == [name for _, name in expected if name]
