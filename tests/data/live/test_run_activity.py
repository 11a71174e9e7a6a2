"""How alive a run is said to be, on real recordings and with clocks that tests move."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.support.reading import Copier, drain
from tfdbg_tui.data.live import run_activity
from tfdbg_tui.data.live.run_activity import (
    ASK_INTERVAL,
    ENDED_AFTER,
    HELD_BACK_AFTER,
    QUIET_AFTER,
    RunActivities,
    Stall,
)
from tfdbg_tui.data.stores.logdir import Logdir

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.live.snapshot import RunState

EVENT_FILES = (".execution", ".graph_execution_traces")


class Bench:
    """A logdir that is read and looked at when a test says so."""

    def __init__(self, path: Path, age: float = 0.0, writer: bool | None = False) -> None:
        self.logdir = Logdir(path)
        self.now = 1000.0
        self.writer = writer
        self.asked = 0
        self._latest = max(file.stat().st_mtime for file in path.iterdir()) + age
        self.activities = RunActivities(
            lambda: self.now, lambda: self._latest + self.now - 1000.0, self._ask
        )

    def _ask(self, groups: Sequence[Collection[Path]]) -> list[bool | None]:
        self.asked += 1
        return [self.writer] * len(groups)

    def look(self, after: float = 0.0) -> RunState:
        self.now += after
        drain(self.logdir)
        self.activities.look(self.logdir.runs, all_read=True)
        self.activities.look_for_programs()
        (state,) = self.activities.states(self.logdir.runs)
        return state


def begun(recording: Path, target: Path) -> Copier:
    """A copy of a recording, all but its events."""
    target.mkdir()
    copier = Copier(recording, target)
    for name in copier.names:
        if name.endswith(EVENT_FILES):
            (target / name).touch()
        else:
            copier.append(name, 1 << 20)
    return copier


def add_events(copier: Copier, steps: int) -> None:
    for name in copier.names:
        if name.endswith(EVENT_FILES):
            copier.append(name, steps)


@pytest.fixture
def growing(library: Library, tmp_path: Path) -> Copier:
    return begun(library.path("while_loop"), tmp_path / "growing")


def test_counts_are_those_of_the_run(library: Library) -> None:
    bench = Bench(library.path("full_health"))
    state = bench.look()
    (run,) = bench.logdir.runs
    counts = run.counts()
    assert state.run is run
    assert (state.executions, state.traces) == (counts["executions"], counts["graph_executions"])
    assert state.alerts == len(run.alerts) > 0


def test_bytes_that_come_make_a_run_grow_until_none_came_for_a_while(growing: Copier) -> None:
    bench = Bench(growing.target, age=60)
    assert not bench.look().growing
    add_events(growing, 1)
    assert bench.look(1.0).growing
    assert bench.look(QUIET_AFTER / 2).growing
    add_events(growing, 1)
    assert bench.look(QUIET_AFTER - 1).growing
    assert not bench.look(QUIET_AFTER).growing


@pytest.mark.parametrize(("age", "grows"), [(0.0, True), (QUIET_AFTER + 1, False)])
def test_a_run_that_is_found_grows_if_it_was_written_just_now(
    growing: Copier, age: float, grows: bool
) -> None:
    assert Bench(growing.target, age).look().growing is grows


def test_a_clock_that_is_behind_the_files_does_no_harm(growing: Copier) -> None:
    bench = Bench(growing.target, age=-5000)
    assert bench.look().growing
    assert not bench.look(QUIET_AFTER).growing


def test_the_rate_is_that_of_the_last_seconds(growing: Copier) -> None:
    bench = Bench(growing.target)
    before = bench.look()
    assert before.events_per_second == 0
    for _ in range(4):
        add_events(growing, 1)
        after = bench.look(0.5)
    events = after.executions + after.traces - before.executions - before.traces
    assert after.events_per_second == float(f"{events / 2:.1e}") > 0
    assert bench.look(QUIET_AFTER).events_per_second == 0


def test_the_rate_does_not_change_by_itself(growing: Copier) -> None:
    bench = Bench(growing.target)
    bench.look()
    add_events(growing, 1)
    rate = bench.look(0.5).events_per_second
    assert rate > 0
    assert bench.look(0.5).events_per_second == rate
    assert bench.look(0.5).events_per_second == rate


def test_the_rate_knows_nothing_of_what_came_before_a_silence(growing: Copier) -> None:
    bench = Bench(growing.target)
    bench.look()
    add_events(growing, 1)
    bench.look(0.5)
    before = bench.look(QUIET_AFTER)
    add_events(growing, 2)
    after = bench.look(0.5)
    events = after.executions + after.traces - before.executions - before.traces
    assert after.events_per_second == pytest.approx(2 * events, rel=0.05)


@pytest.mark.parametrize(
    ("rate", "shown"), [(0.0, 0), (0.1234, 0.12), (9.96, 10), (1249.0, 1200), (38_612.0, 39_000)]
)
def test_a_rate_has_two_digits(rate: float, shown: float) -> None:
    assert run_activity._two_digits(rate) == shown


def test_an_old_run_does_not_grow_while_it_is_read(library: Library) -> None:
    bench = Bench(library.path("while_loop"), age=60)
    bench.logdir.scan()
    bench.activities.states(bench.logdir.runs)
    while bench.logdir.refresh():
        bench.activities.look(bench.logdir.runs, all_read=False)
        assert not bench.activities.any_growing


def test_what_was_on_disk_before_is_no_rate(library: Library) -> None:
    bench = Bench(library.path("while_loop"))
    assert bench.look().events_per_second == 0
    assert bench.look(0.1).events_per_second == 0


def test_a_quiet_run_without_a_program_has_ended(growing: Copier) -> None:
    bench = Bench(growing.target, writer=False)
    assert not bench.look().ended
    assert bench.asked == 0
    assert bench.look(QUIET_AFTER).ended
    bench.look(1000)
    assert bench.asked == 1


def test_a_quiet_run_whose_program_is_there_lives_until_it_is_gone(growing: Copier) -> None:
    bench = Bench(growing.target, writer=True)
    bench.look()
    assert not bench.look(QUIET_AFTER).ended
    assert not bench.look(1000).ended
    bench.writer = False
    assert not bench.look(ASK_INTERVAL / 2).ended, "asked too often"
    assert bench.look(ASK_INTERVAL + 60).ended


def test_where_no_program_can_be_seen_a_run_ends_when_it_is_quiet_for_long(
    growing: Copier,
) -> None:
    bench = Bench(growing.target, writer=None)
    bench.look()
    assert not bench.look(QUIET_AFTER).ended
    assert not bench.look(ENDED_AFTER - QUIET_AFTER - 1).ended
    assert bench.look(1).ended
    assert bench.asked == 1


def test_an_old_recording_has_ended_at_once(library: Library) -> None:
    for writer in (False, None):
        assert Bench(library.path("healthy"), age=ENDED_AFTER, writer=writer).look().ended


def test_a_run_that_goes_on_has_not_ended(growing: Copier) -> None:
    bench = Bench(growing.target)
    bench.look()
    assert bench.look(QUIET_AFTER).ended
    add_events(growing, 1)
    bench.writer = True
    assert not bench.look(100).ended
    assert not bench.look(QUIET_AFTER + ASK_INTERVAL).ended
    bench.writer = False
    assert bench.look(60).ended


def test_a_program_that_keeps_its_events_to_itself_is_said_to(growing: Copier) -> None:
    bench = Bench(growing.target, writer=True)
    drain(bench.logdir)
    started = bench.logdir.runs[0].started
    assert started is not None
    bench._latest = started  # the program has just begun
    assert not bench.look().held_back
    assert bench.look(HELD_BACK_AFTER + 0.1).held_back
    add_events(growing, 1)
    assert not bench.look(1).held_back


@pytest.mark.parametrize(("scenario", "held"), [("circular", True), ("killed", False)])
def test_a_killed_program_took_its_buffer_along(
    library: Library, scenario: str, held: bool
) -> None:
    state = Bench(library.path(scenario), age=60).look()
    assert (state.ended, state.held_back) == (True, held)


def test_event_files_that_are_missing_are_not_held_back(copy_of: Callable[[str], Path]) -> None:
    recording = copy_of("circular")
    for path in recording.iterdir():
        if path.suffix in EVENT_FILES:
            path.unlink()
    assert not Bench(recording, age=60).look().held_back


@pytest.mark.parametrize(("scenario", "cut"), [("killed", True), ("full_health", False)])
def test_a_killed_program_leaves_a_cut_tail(library: Library, scenario: str, cut: bool) -> None:
    bench = Bench(library.path(scenario))
    assert not bench.look().cut_tail, "it may yet be completed"
    assert bench.look(QUIET_AFTER).cut_tail is cut


def test_a_run_that_was_deleted_ends(copy_of: Callable[[str], Path]) -> None:
    recording = copy_of("healthy")
    bench = Bench(recording)
    events = bench.look().executions
    shutil.rmtree(recording)
    state = bench.look(QUIET_AFTER)
    assert (state.ended, state.executions) == (True, events)


def test_bytes_are_measured_with_the_room_that_is_left_while_they_come(growing: Copier) -> None:
    bench = Bench(growing.target)
    before = bench.look()
    assert (before.bytes_per_second, before.free_bytes) == (0.0, None)
    size = sum(file.stat().st_size for file in growing.target.iterdir())
    for _ in range(4):
        add_events(growing, 1)
        after = bench.look(0.5)
    grown = sum(file.stat().st_size for file in growing.target.iterdir()) - size
    assert after.bytes_per_second == float(f"{grown / 2:.1e}") > 0
    assert after.free_bytes is not None
    assert after.free_bytes == float(f"{after.free_bytes:.1e}") > 0
    quiet = bench.look(QUIET_AFTER)
    assert (quiet.bytes_per_second, quiet.free_bytes) == (0.0, None)


def test_room_that_cannot_be_measured_is_not_known(
    growing: Copier, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path) -> None:
        raise OSError(path)

    monkeypatch.setattr(shutil, "disk_usage", fail)
    bench = Bench(growing.target)
    bench.look()
    add_events(growing, 1)
    assert bench.look(0.5).free_bytes is None


def test_a_program_that_has_computed_nothing_holds_nothing_back(library: Library) -> None:
    bench = Bench(library.path("nothing_computed"), writer=True)
    bench.look()
    assert not bench.look(HELD_BACK_AFTER + 1).held_back


def test_a_program_that_is_there_and_silent_for_long_has_stalled(growing: Copier) -> None:
    bench = Bench(growing.target, writer=True)
    add_events(growing, 1)
    bench.look()
    assert bench.look(Stall().seconds - 1).silent_for is None
    assert bench.look(2.0).silent_for == Stall().seconds
    add_events(growing, 1)
    assert bench.look(1.0).silent_for is None


def test_a_program_that_was_silent_for_long_before_has_longer(growing: Copier) -> None:
    bench = Bench(growing.target, writer=True)
    add_events(growing, 1)
    bench.look()
    bench.look(10.0)
    add_events(growing, 1)
    bench.look(10.0)
    assert bench.look(Stall().seconds + 1).silent_for is None
    silence = bench.look(20 * Stall().seconds).silent_for
    assert silence is not None
    assert silence > Stall().seconds


@pytest.mark.parametrize("writer", [False, None])
def test_a_program_that_is_not_known_to_be_there_has_not_stalled(
    growing: Copier, writer: bool | None
) -> None:
    bench = Bench(growing.target, writer=writer)
    add_events(growing, 1)
    bench.look()
    assert bench.look(1000.0).silent_for is None
