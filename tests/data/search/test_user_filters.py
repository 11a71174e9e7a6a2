"""Filters of the user's own: what they are told, what is told of them, and how they are read."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.support.reading import load
from tfdbg_tui.data.index.run_index import RunIndex
from tfdbg_tui.data.search.filter_file import read_filters
from tfdbg_tui.data.search.named_filters import NamedFilters
from tfdbg_tui.data.search.query import QueryError, parse
from tfdbg_tui.data.search.search import Search
from tfdbg_tui.data.search.user_filters import FilteredTensor, UserFilter
from tfdbg_tui.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library

    Function = Callable[[FilteredTensor, Any], object]


NAMES = "bad, nan, inf, has_inf_or_nan"

WHERE_FROM = "--filters FILE.py gives functions of your own."


def indexed(path: Path) -> RunIndex:
    index = RunIndex(load(path).runs[-1])
    while index.extend():
        pass
    return index


def found(index: RunIndex, query: str, filters: NamedFilters) -> tuple[list[int], list[int]]:
    """The traces and the executions that a query finds."""
    search = Search(index.hosts[0], parse(query, filters.find))
    while search.extend():
        pass
    return search.traces.rows.tolist(), search.found_executions.rows.tolist()


def named(**functions: Function) -> NamedFilters:
    return NamedFilters(UserFilter(name, function) for name, function in functions.items())


@pytest.mark.parametrize("scenario", ["full_health", "full_tensor", "eager_only"])
@pytest.mark.parametrize(
    ("function", "query"),
    [
        (lambda tensor, _: (tensor.nan or 0) > 0, "nan>0"),
        (lambda tensor, _: (tensor.zero or 0) * 2 > (tensor.size or 0), "zero>50%"),
        (lambda tensor, _: tensor.op_type == "Log", "op=Log"),
        (lambda tensor, _: tensor.is_bad, "bad"),
        (lambda tensor, _: tensor.dtype == "float32" and tensor.rank == 2, "dtype=float32 rank=2"),
        (lambda tensor, _: (tensor.step or -1) >= 3, "step>=3"),
        (lambda tensor, _: (tensor.line or 0) >= 30, "line>=30"),
        (lambda tensor, _: tensor.function == "loss", "fn=loss -fn!=loss"),
    ],
)
def test_a_function_finds_what_a_query_finds(
    library: Library, scenario: str, function: Function, query: str
) -> None:
    index, filters = indexed(library.path(scenario)), named(mine=function)
    traces, executions = found(index, query, filters)
    store = index.hosts[0].host.executions
    # A function is never asked about an event without tensors.
    executions = [event for event in executions if store.site_of(event).tensors]
    assert found(index, "filter:mine", filters) == (traces, executions)
    assert not filters.take_complaints()


def test_functions_are_asked_when_steps_are_counted(library: Library) -> None:
    run = RunIndex(load(library.path("full_health")).runs[-1])  # nothing is indexed yet
    filters = named(mine=lambda tensor, _: (tensor.step or 0) >= 3)
    assert found(run, "op=Log filter:mine", filters) == found(run, "op=Log step>=3", filters)


def test_a_negated_filter_holds_for_no_tensor_of_the_event(library: Library) -> None:
    index = indexed(library.path("full_health"))
    filters = named(mine=lambda tensor, _: bool(tensor.zero))
    with_zeros, others = found(index, "filter:mine", filters), found(index, "-filter:mine", filters)
    host = index.hosts[0].host
    counts = len(host.traces), len(host.executions)
    for some, rest, count in zip(with_zeros, others, counts, strict=True):
        assert some
        assert sorted(some + rest) == list(range(count))


def test_a_filter_is_asked_about_what_all_other_terms_leave_and_no_more(library: Library) -> None:
    asked: list[FilteredTensor] = []

    def mine(tensor: FilteredTensor, value: object) -> bool:
        asked.append(tensor)
        return tensor.step == 2

    index = indexed(library.path("full_health"))
    (traces, _) = found(index, "op=Log nan>0 filter:mine", named(mine=mine))
    logs, _ = found(index, "op=Log nan>0", NamedFilters())
    assert [tensor.event for tensor in asked] == logs
    assert {tensor.op_type for tensor in asked} == {"Log"}
    assert traces == [tensor.event for tensor in asked if tensor.step == 2]


def test_what_a_tensor_is_told_as(library: Library) -> None:
    told: list[tuple[FilteredTensor, Any]] = []

    def mine(tensor: FilteredTensor, value: Any) -> bool:
        told.append((tensor, value))
        return True

    for scenario in ("full_tensor", "full_health", "curt_health"):
        found(indexed(library.path(scenario)), "op=Log #..40 filter:mine", named(mine=mine))
    values, health, curt = (next(one for one in told if one[0] is tensor) for tensor in (
        told[0][0],
        next(tensor for tensor, value in told if value is None and tensor.size is not None),
        told[-1][0],
    ))  # fmt: skip
    tensor, value = values
    assert (tensor.name, tensor.op_name, tensor.op_type) == ("Log:0", "Log", "Log")
    assert (tensor.function, tensor.is_eager, tensor.output) == ("loss", False, 0)
    assert tensor.file is not None
    assert tensor.file.endswith("training.py")
    assert value.shape == tensor.shape
    assert (value.dtype, tensor.dtype) == (np.float32, "float32")
    assert np.count_nonzero(value == 0) == tensor.zero
    assert health[0].shape is None, "the mode does not tell"
    assert health[0].size is not None
    assert (curt[0].size, curt[0].nan, curt[1]) == (None, None, None)


def test_named_queries_stand_for_their_terms(library: Library) -> None:
    index, filters = indexed(library.path("full_health")), NamedFilters()
    filters.define("logs", "op:Log nan>0")
    filters.define("late", "filter:logs step>=2")
    filters.define("one", "-op:Log")
    for query, plain in (
        ("filter:logs", "op:Log nan>0"),
        ("filter:late", "op:Log nan>0 step>=2"),
        ("-filter:one", "op:Log"),
        ("filter!=one", "op:Log"),
        ("filter:one", "-op:Log"),
    ):
        assert found(index, query, filters) == found(index, plain, filters)
    logs, _ = found(index, "op:Log nan>0", filters)
    rest, executions = found(index, "-filter:logs", filters)
    assert sorted(logs + rest) == list(range(len(index.hosts[0].host.traces)))
    assert executions == list(range(len(index.hosts[0].host.executions)))
    assert filters.names[-3:] == ("logs", "late", "one")
    assert filters.text_of("late") == "filter:logs step>=2"
    assert found(index, "filter:has_inf_or_nan", filters) == found(index, "bad", filters)


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("filter:", "filter: needs a name; write for example filter:mine."),
        ("filter:other", f"There is no filter other, only {NAMES} and mine; {WHERE_FROM}"),
        ("-filter=other", f"There is no filter other, only {NAMES} and mine; {WHERE_FROM}"),
    ],
)
def test_a_filter_that_is_not_there_is_told(query: str, says: str) -> None:
    with pytest.raises(QueryError) as told:
        parse(query, named(mine=lambda tensor, value: True).find)
    assert str(told.value) == says


def test_without_filters_it_is_told_where_they_come_from() -> None:
    with pytest.raises(QueryError, match=r"--filters FILE\.py gives functions of your own"):
        parse("filter:mine", NamedFilters().find)
    with pytest.raises(QueryError, match="is a function of your file"):
        named(mine=lambda tensor, value: True).define("mine", "op:Log")
    with pytest.raises(QueryError, match="bad is a filter of ours; take another name"):
        NamedFilters().define("bad", "op:Log")
    with pytest.raises(QueryError, match="is no name for a filter"):
        NamedFilters().define("a b", "op:Log")


# ---------------------------------------------------------------------- what goes wrong


WRONG = """\
def raises(tensor, value):
    zeros = 0
    return 1 / zeros > 0

def leaves(tensor, value):
    raise SystemExit("gone")

def counts(tensor, value):
    return tensor.zero

def forgets(tensor, value):
    tensor.zero
"""


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("raises", "line 3: raises raised ZeroDivisionError: division by zero"),
        ("leaves", "line 6: leaves raised SystemExit: gone"),
        ("counts", "line 8: counts gave an int, not a bool"),
        ("forgets", "line 11: forgets gave None, not a bool"),
    ],
)
def test_what_goes_wrong_is_told_once_with_its_line_and_counts_as_false(
    library: Library, tmp_path: Path, name: str, says: str
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(WRONG)
    filters = read_filters(file)
    index = indexed(library.path("full_health"))
    assert found(index, f"zero>=0 filter:{name}", filters) == ([], [])
    assert filters.take_complaints() == (f"{file}, {says}; that counts as False.",)
    found(index, f"filter:{name}", filters)
    assert filters.take_complaints() == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def f(tensor, value)\n", ", line 1: expected ':'."),
        ("import os\n\nx = 1 / 0\n", ", line 3: ZeroDivisionError: division by zero."),
        ("import no_such_module\n", ", line 1: ModuleNotFoundError: No module named"),
        ("raise SystemExit\n", ", line 1: SystemExit."),
        ("x = 1\n", " defines no filter; write for example def"),
        ("def _f(tensor, value): return True\n", " defines no filter; write"),
        ("def f(tensor): return True\n", ", line 1: a filter takes two arguments, as in def"),
        ("\ndef nan(tensor, value): return True\n", ", line 2: a filter cannot be called nan."),
        ("\0", ""),
        (b"\xff\xfe", ""),
    ],
)
def test_a_file_that_cannot_be_used_is_told_with_its_line(
    tmp_path: Path, text: str | bytes, says: str
) -> None:
    file = tmp_path / "mine.py"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(UserError) as told:
        read_filters(file)
    assert str(told.value).startswith(f"{file}{says}")
    assert str(told.value).endswith(".")
    assert "\n" not in str(told.value)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.py"], "nothing is compiled to disk"


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="there is no file of filters"):
        read_filters(tmp_path / "none.py")
    with pytest.raises(UserError, match="cannot be read"):
        read_filters(tmp_path)


def test_helpers_imports_and_classes_of_the_file_are_no_filters(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from dataclasses import dataclass\n"
        "from functools import wraps\n"
        "from os.path import join\n"
        "@dataclass\nclass Limits:\n    high: 'float' = 2.0\n"
        "def _large(tensor):\n    return (tensor.size or 0) > Limits().high\n"
        "def _loud(function):\n"
        "    @wraps(function)\n    def called(*given): return function(*given)\n"
        "    return called\n"
        "@_loud\ndef large(tensor, value): return _large(tensor)\n"
        "any_tensor = lambda tensor, value: True\n"
    )
    filters = read_filters(file)
    assert filters.function_names == ("large", "any_tensor")
    assert filters.text_of("any_tensor") == f"{file}:15"


def test_a_slow_function_does_not_keep_the_job_from_pausing(library: Library) -> None:
    index, goes_on = indexed(library.path("full_health")), threading.Event()
    began: list[tuple[bool, int]] = []

    def slow(tensor: FilteredTensor, value: object) -> bool:
        began.append((tensor.is_eager, tensor.event))
        goes_on.wait(0.01)  # longer than a slice
        return True

    search = Search(index.hosts[0], parse("filter:slow", named(slow=slow).find))
    assert search.extend()
    assert set(began) <= {(False, 0), (True, 0)}, "one event of each store"
    while search.extend():
        pass
    assert len(search.traces) == len(index.hosts[0].host.traces)
