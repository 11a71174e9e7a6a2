"""Steps are the rounds of the training loop, whatever the program does besides."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.recordings.fabricate import frame, split
from tests.support.joining import called_graph
from tests.support.reading import drain, hosts_of, load
from tfdbg_tui.data.index import steps as steps_module
from tfdbg_tui.data.index import training_loop
from tfdbg_tui.data.index.joins import Joins
from tfdbg_tui.data.index.site_facts import SiteIndex
from tfdbg_tui.data.index.steps import Steps
from tfdbg_tui.data.index.training_loop import (
    FIRSTS,
    LASTS,
    NEVER,
    Kinds,
    Occurrences,
    find_loop,
)
from tfdbg_tui.data.stores.logdir import Logdir

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.stores.host import Host


class Expected(NamedTuple):
    """The loop of a program."""

    steps: int
    opens: str
    """The op or function whose execution is the first of each step."""
    closes: str
    """The last one that takes part in each step."""


EXPECTED = {
    "full_health": Expected(12, "model", "AssignSubVariableOp"),
    "no_tensor": Expected(12, "model", "AssignSubVariableOp"),
    "filter_op_regex": Expected(12, "model", "AssignSubVariableOp"),
    "eager_only": Expected(12, "ReadVariableOp", "AssignSubVariableOp"),
    "healthy": Expected(12, "StatelessRandomGetKeyCounter", "AssignSubVariableOp"),
    "keras_fit": Expected(8, "multi_step_on_iterator", "OptionalGetValue"),
    "lstm": Expected(2, "multi_step_on_iterator", "OptionalGetValue"),
    "while_loop": Expected(3, "StatelessRandomGetKeyCounter", "grow"),
    "always_retraced": Expected(5, "weigh", "weigh"),
    "mirrored": Expected(4, "distributed_step", "distributed_step"),
    "nan_input": Expected(6, "IteratorGetNext", "score"),
    "tf_data": Expected(6, "IteratorGetNext", "score"),
}


@pytest.mark.parametrize("counted", [1, 4, 12, 40])
def test_kinds_that_were_only_just_met_do_not_disturb_the_search(
    library: Library, counted: int
) -> None:
    host = hosts_of(load(library.path("full_health")))[0]
    kinds, seen = Kinds(host, SiteIndex(host)), Occurrences()
    rows = kinds.of(0, len(host.executions))
    met = int(rows[:counted].max()) + 1
    seen.extend(rows[:counted], 0, met)
    loop = kinds.loop(seen, rows[counted:], None)
    assert loop is None or max(loop.openers) < met <= len(kinds)


def opened(path: Path) -> tuple[Host, Steps]:
    """The first host of a recording and its steps."""
    host = hosts_of(load(path))[0]
    steps = Steps(host, SiteIndex(host))
    finish(steps)
    return host, steps


def finish(steps: Steps) -> None:
    """Take in all that is there."""
    while steps.extend():
        pass


def names(host: Host) -> list[str]:
    """The function or op of every execution."""
    rows = range(len(host.executions))
    return [called_graph(host, row) or host.executions.site_of(row).op_type for row in rows]


def step_of_each(host: Host, steps: Steps) -> list[int | None]:
    """The step of every execution."""
    return [steps.step_of(time) for time in host.executions.events["wall_time"].tolist()]


@pytest.mark.parametrize("scenario", EXPECTED)
def test_every_round_of_the_loop_is_a_step(library: Library, scenario: str) -> None:
    host, steps = opened(library.path(scenario))
    expected = EXPECTED[scenario]
    assert len(steps) == expected.steps
    happened, step_of = names(host), step_of_each(host, steps)
    assert step_of == sorted(step_of, key=lambda step: step or 0)
    for step in range(1, expected.steps + 1):
        rows = [row for row, number in enumerate(step_of) if number == step]
        assert steps.first_execution(step) == rows[0]
        assert happened[rows[0]] == expected.opens
        assert expected.closes in [happened[row] for row in rows]
    assert step_of[-1] == expected.steps


def test_a_step_holds_what_one_round_executes_and_nothing_else(library: Library) -> None:
    host, steps = opened(library.path("full_health"))
    happened, step_of = names(host), step_of_each(host, steps)
    gradients = [name for name in happened if name.startswith("__backward_")][:2]
    for step in range(1, 12):
        rows = [row for row, number in enumerate(step_of) if number == step]
        one_round = ["model", "loss", *gradients, "Mul", "AssignSubVariableOp"]
        assert [happened[row] for row in rows] == one_round
    # Making variables comes before the first step, what follows the loop belongs to the last.
    assert "VarHandleOp" in [happened[row] for row, step in enumerate(step_of) if step == 0]
    assert happened[-1] == "StringJoin"


def test_what_ends_an_epoch_belongs_to_its_last_step(library: Library) -> None:
    host, steps = opened(library.path("keras_fit"))
    step_of = dict(zip(names(host), step_of_each(host, steps), strict=True))
    assert step_of["DivNoNan"] == 8
    fourth = [
        name for name, step in zip(names(host), step_of_each(host, steps), strict=True) if step == 4
    ]
    assert fourth[0] == "multi_step_on_iterator"
    assert "DivNoNan" in fourth
    assert fourth.count("multi_step_on_iterator") == 1


@pytest.mark.parametrize("scenario", [*EXPECTED, "killed", "retraced"])
def test_the_tensors_of_a_call_are_in_the_step_of_the_call(library: Library, scenario: str) -> None:
    host, steps = opened(library.path(scenario))
    joins = Joins(host, SiteIndex(host))
    step_of = step_of_each(host, steps)
    for trace, time in enumerate(host.traces.events["wall_time"].tolist()):
        call = joins.execution_of(trace)
        if call is not None:
            assert steps.step_of(time) == step_of[call]


def test_a_killed_program_is_in_the_step_after_the_last_whole_one(library: Library) -> None:
    host, steps = opened(library.path("killed"))
    happened, step_of = names(host), step_of_each(host, steps)
    assert len(steps) == happened.count("AssignSubVariableOp") > 100
    assert step_of[-1] == len(steps) + (happened[-1] != "AssignSubVariableOp")


@pytest.mark.parametrize("scenario", ["tf1_session", "circular"])
def test_without_executions_no_step_is_known(library: Library, scenario: str) -> None:
    _, steps = opened(library.path(scenario))
    assert len(steps) == 0
    assert steps.step_of(1.7e9) is steps.time_of(1) is steps.first_execution(1) is None


def test_a_step_can_be_gone_to(library: Library) -> None:
    host, steps = opened(library.path("full_health"))
    times = host.executions.events["wall_time"]
    for step in range(1, 13):
        row, time = steps.first_execution(step), steps.time_of(step)
        assert row is not None
        assert time == times[row - 1]
    for step in (-1, 0, 13, 10**9):
        assert steps.first_execution(step) is steps.time_of(step) is None


def test_the_first_step_of_a_recording_that_starts_with_it_holds_its_tensors(
    library: Library,
) -> None:
    host, steps = opened(library.path("filter_op_regex"))
    first = float(host.traces.events["wall_time"][0])
    assert first < host.executions.events["wall_time"][0]
    assert steps.time_of(1) == first
    assert steps.step_of(first) == 1


@pytest.mark.parametrize("scenario", ["killed", "eager_only", "keras_fit"])
def test_small_slices_make_the_same_steps(
    library: Library, scenario: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, whole = opened(library.path(scenario))
    monkeypatch.setattr(steps_module, "SLICE_ROWS", 7)
    sliced = Steps(host, SiteIndex(host))
    extended = 0
    while sliced.extend():
        extended += 1
    assert extended >= len(host.executions) // 7
    assert len(sliced) == len(whole)
    assert step_of_each(host, sliced) == step_of_each(host, whole)


def test_steps_grow_with_the_recording(copy_of: Callable[[str], Path]) -> None:
    path = copy_of("full_health")
    (file,) = path.glob("*.execution")
    records = [frame(payload) for _, payload in split(file)]
    file.write_bytes(b"")
    logdir = Logdir(path)
    drain(logdir)
    (host,) = hosts_of(logdir)
    steps = Steps(host, SiteIndex(host))
    known = []
    for record in records:
        with file.open("ab") as stream:
            stream.write(record)
        drain(logdir)
        finish(steps)
        known.append(len(steps))
        later = float(host.executions.events["wall_time"][-1]) + 1e-6
        last, now = step_of_each(host, steps)[-1], steps.step_of(later)
        if known[-1] > 3 and host.executions.site_of(-1).op_type == "AssignSubVariableOp":
            assert (last, now) == (known[-1], known[-1] + 1)
    closing = [row for row, name in enumerate(names(host)) if name == "AssignSubVariableOp"]
    for step, row in enumerate(closing, start=1):
        if step > 2:
            assert known[row - 1 : row + 1] == [step - 1, step]
    _, whole = opened(path)
    assert step_of_each(host, steps) == step_of_each(host, whole)


# ---------------------------------------------------------------------- which loop it is


def loop_in(sequence: str, heavy: str = "", weight: float = 50.0) -> tuple[str, str] | None:
    """The closer and the openers in a sequence of kinds, each a letter; calls are heavy."""
    letters = sorted(set(sequence))
    seen = Occurrences()
    seen.extend(np.array([letters.index(letter) for letter in sequence]), 0, len(letters))
    loop = find_loop(seen, np.array([weight if letter in heavy else 1.0 for letter in letters]))
    if loop is None:
        return None
    return letters[loop.closer], "".join(letters[kind] for kind in loop.openers)


@pytest.mark.parametrize(
    ("sequence", "heavy", "expected"),
    [
        ("abc", "abc", None),
        ("sss" + "fgu" * 20, "fg", ("u", "fgu")),  # as often as not, before the loop
        ("fgu" * 20 + "e" * 20, "fg", ("u", "fgu")),  # as often, behind it
        ("e" * 20 + "fgu" * 20, "fg", ("u", "fgu")),
        ("fguu" * 20, "f", ("g", "fg")),  # what happens twice behind the last
        ("ppfgu" * 20, "f", ("u", "fgpu")),  # what happens twice before the first
        (("fu" * 9 + "fup") * 5, "f", ("u", "fu")),  # printing now and then
        ("fu" * 20 + "f", "f", ("u", "fu")),  # a step runs
        ("vvvv" * 30 + "f" * 3, "f", ("f", "f")),  # one call is worth many ops
        ("abcdefgh" * 30 + "x" * 2, "x", ("h", "abcdefgh")),  # but not any number
        ("abcdefvwvwvwvw" * 9, "", ("f", "abcdef")),  # a loop over all variables inside
    ],
)
def test_the_dominant_loop_is_found(
    sequence: str, heavy: str, expected: tuple[str, str] | None
) -> None:
    assert loop_in(sequence, heavy) == expected


@given(st.lists(st.lists(st.integers(0, 4), max_size=12), max_size=6), st.integers(1, 12))
def test_counts_and_rows_equal_a_recount(batches: list[list[int]], first_look: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training_loop, "FIRST_LOOK", first_look)
        check_against_a_recount(batches)


def check_against_a_recount(batches: list[list[int]]) -> None:
    """Compare with what counting row by row gives."""
    seen = Occurrences()
    kinds: list[int] = []
    for batch in batches:
        number = max([*kinds, *batch, 0]) + 1
        seen.extend(np.array(batch, np.int64), len(kinds), number)
        kinds += batch
        for kind in range(number):
            rows = [row for row, other in enumerate(kinds) if other == kind]
            assert seen.counts[kind] == len(rows)
            assert seen.firsts[:, kind].tolist() == (rows + [NEVER] * FIRSTS)[:FIRSTS]
            assert seen.lasts[:, kind].tolist() == (rows[::-1] + [-1] * LASTS)[:LASTS]
