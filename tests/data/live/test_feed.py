"""What the feed tells of real recordings: as they are, as they grow, come and go."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from benchmarks.recordings import repeat
from tests.support.feeding import LONG, Bench, events_of
from tests.support.reading import PORTIONS, Copier, assert_same, load
from tfdbg_tui.data.live.feed import REPAINT_INTERVAL
from tfdbg_tui.data.live.reader import READ_INTERVAL, SCAN_INTERVAL
from tfdbg_tui.data.live.snapshot import Activity
from tfdbg_tui.data.stores import logdir as logdir_module

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library


# ---------------------------------------------------------------------- what is there


@pytest.mark.parametrize("scenario", ["full_health", "two_runs", "killed", "same_second"])
def test_a_recording_is_told_as_it_is_read_at_once(library: Library, scenario: str) -> None:
    path = library.path(scenario)
    bench = Bench(path)
    last = bench.work_it_all_out()
    expected = load(path)
    assert_same(bench.logdir, expected)
    assert bench.told.events == events_of(expected)
    assert [run.alerts for run in last.runs] == [len(run.alerts) for run in expected.runs]
    assert (last.read_bytes, last.total_bytes) == expected.progress()
    assert (last.exists, last.gone, last.failure) == (True, False, None)


def test_the_first_word_comes_before_anything_is_read(library: Library) -> None:
    first, second = Bench(library.path("full_health")).work()[:2]
    assert (first.activity, first.exists, first.runs) == (Activity.LOADING, True, ())
    assert second.runs, "the first paint needs what is there"
    assert second.activity in (Activity.LIVE, Activity.ENDED)


def test_loading_tells_how_far_it_is(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "large"
    repeat(library.path("full_health"), path, 40_000, 40_000)
    bench = Bench(path)
    while bench.told.activities[-1:] in ([], [Activity.LOADING]):
        bench.feed.advance()
        bench.now += REPAINT_INTERVAL / 2
    loading = bench.told[:-1]
    assert {snapshot.activity for snapshot in loading} == {Activity.LOADING}
    read = [snapshot.read_bytes for snapshot in loading]
    assert len(read) > 3
    assert read == sorted(set(read))
    total = sum(file.stat().st_size for file in path.iterdir())
    assert {snapshot.total_bytes for snapshot in bench.told[1:]} == {total}
    told_runs = {state.run for snapshot in bench.told for state in snapshot.runs}
    assert told_runs == set(bench.logdir.runs), "a run has its id when it is first told"


def test_alerts_are_in_order_when_loading_is_over(library: Library) -> None:
    bench = Bench(library.path("keras_fit"))
    bench.work()
    (run,) = bench.told[-1].runs
    assert run.alerts == len(run.run.alerts) == len(load(library.path("keras_fit")).runs[0].alerts)
    assert run.run.alerts.unseen == 0


def test_what_the_system_denies_is_told_harmlessly(tmp_path: Path) -> None:
    folder = tmp_path / "\x1b[31mred"
    (folder / "tfdbg_events.1.host.execution").mkdir(parents=True)
    bench = Bench(tmp_path)
    ((path, reason),) = bench.work_it_all_out().unreadable
    assert path.endswith("\\x1b[31mred/tfdbg_events.1.host.execution")
    assert reason == "not a regular file"


def test_folders_that_are_too_many_are_told_when_they_come(
    library: Library, copy_of: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = copy_of("healthy")
    bench = Bench(path)
    assert not bench.work_it_all_out().search_was_cut
    (path / "more").mkdir()
    monkeypatch.setattr(logdir_module, "MAX_DIRECTORIES", 1)
    assert bench.work_it_all_out().search_was_cut


# ---------------------------------------------------------------------- growth


def test_however_fast_it_grows_little_is_told(library: Library, tmp_path: Path) -> None:
    copier = Copier(library.path("full_health"), tmp_path)
    bench = Bench(tmp_path)
    bench.work()
    seconds = 0.0
    for _ in range(PORTIONS + 1):
        for name in copier.names:
            copier.append(name, copier.portion(name))
            bench.feed.wake()
            bench.work(0.05)
            seconds += 0.05
    bench.work(REPAINT_INTERVAL)
    assert bench.told.events == events_of(load(tmp_path))
    growth = bench.told[2:]
    assert PORTIONS / 2 < len(growth) <= 1 + seconds / REPAINT_INTERVAL


def test_new_alerts_are_told_in_order_while_it_grows(library: Library, tmp_path: Path) -> None:
    copier = Copier(library.path("keras_fit"), tmp_path)
    bench = Bench(tmp_path)
    alerts = []
    for _ in range(PORTIONS + 1):
        for name in copier.names:
            copier.append(name, copier.portion(name))
        bench.work(LONG)
        (state,) = bench.told[-1].runs
        assert state.run.alerts.unseen == 0
        alerts.append(state.alerts)
    assert alerts == sorted(alerts)
    assert len(set(alerts)) > 2


def test_alerts_that_come_are_put_in_order_before_they_are_told(
    library: Library, tmp_path: Path
) -> None:
    copier = Copier(library.path("keras_fit"), tmp_path)
    for name in copier.names:
        copier.append(name, PORTIONS // 2 * copier.portion(name))
    bench = Bench(tmp_path)
    bench.work(LONG)
    before = bench.told[-1].runs[0].alerts
    copier.finish()
    bench.work(LONG)
    (state,) = bench.told[-1].runs
    (expected,) = load(tmp_path).runs
    assert before < state.alerts == len(expected.alerts)


def test_nothing_is_told_when_nothing_happens(library: Library) -> None:
    for scenario in ("full_health", "killed", "circular"):
        bench = Bench(library.path(scenario))
        bench.work_it_all_out()
        for _ in range(100):
            assert not bench.work(0.7)


def test_nothing_is_told_of_an_empty_folder_either(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    assert bench.work()[-1].activity is Activity.WAITING
    for _ in range(100):
        assert not bench.work(0.7)


def test_files_of_others_are_not_told(library: Library, copy_of: Callable[[str], Path]) -> None:
    path = copy_of("healthy")
    bench = Bench(path)
    bench.work_it_all_out()
    (path / "checkpoint").write_text("not ours")
    (path / "events.out.tfevents.1.host").write_text("nor this")
    bench.feed.wake()
    assert not bench.work(LONG)


def test_a_run_falls_silent_and_ends_and_that_is_all(copy_of: Callable[[str], Path]) -> None:
    path = copy_of("healthy")
    for file in path.iterdir():
        file.touch()
    bench = Bench(path)
    bench.work()
    activities = []
    for _ in range(int(LONG)):
        activities += bench.work(1.0).activities
    assert set(activities[:-1]) <= {Activity.LIVE}
    assert activities[-1] is Activity.ENDED
    assert len(activities) <= 2
    assert not bench.told[-1].runs[0].growing


# ---------------------------------------------------------------------- pause


def test_nothing_is_read_in_a_pause_and_everything_after_it(
    library: Library, tmp_path: Path
) -> None:
    copier = Copier(library.path("full_health"), tmp_path)
    for name in copier.names:
        copier.append(name, copier.portion(name))
    bench = Bench(tmp_path)
    bench.work(LONG)
    before = bench.told.events
    bench.feed.pause()
    assert bench.feed.paused
    assert bench.work().activities == [Activity.PAUSED]
    copier.finish()
    bench.feed.wake()
    assert not bench.work(LONG)
    assert bench.told.events == events_of(bench.logdir) == before
    (state,) = bench.told[-1].runs
    assert (state.growing, state.events_per_second) == (False, 0)
    bench.feed.resume()
    assert not bench.feed.paused
    bench.work()
    assert bench.told.events == events_of(load(tmp_path)) > before
    assert bench.told[-1].activity is Activity.LIVE


def test_what_is_heard_while_it_reads_does_not_wait_for_a_poll(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copier = Copier(library.path("full_health"), tmp_path)
    for name in copier.names:
        copier.append(name, 1)
    bench = Bench(tmp_path)
    bench.work(LONG)
    reader = bench.feed._reader
    read = reader.turn

    def read_just_too_early() -> None:
        read()
        if not reader.is_reading:
            copier.finish()
            bench.feed._hear()

    monkeypatch.setattr(reader, "turn", read_just_too_early)
    bench.feed.wake()
    bench.work(READ_INTERVAL)
    monkeypatch.undo()
    bench.work(READ_INTERVAL)
    assert events_of(bench.logdir) == events_of(load(tmp_path))


def test_the_end_of_a_pause_does_not_wait_for_a_poll(library: Library, tmp_path: Path) -> None:
    copier = Copier(library.path("full_health"), tmp_path)
    for name in copier.names:
        copier.append(name, 1)
    bench = Bench(tmp_path)
    bench.work(LONG)
    bench.feed.pause()
    bench.work()
    copier.finish()
    bench.work(REPAINT_INTERVAL)
    bench.feed.resume()
    bench.work()
    bench.work(REPAINT_INTERVAL)
    assert bench.told.events == events_of(load(tmp_path))


# ---------------------------------------------------------------------- coming and going


def test_a_logdir_that_comes_later_is_read(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "not" / "yet"
    bench = Bench(path)
    (first,) = bench.work()
    assert (first.activity, first.exists, first.gone) == (Activity.WAITING, False, False)
    path.mkdir(parents=True)
    (empty,) = bench.work(LONG)
    assert (empty.activity, empty.exists) == (Activity.WAITING, True)
    shutil.copytree(library.path("full_health"), path, dirs_exist_ok=True)
    assert bench.work(LONG)[-1].exists
    assert bench.told.events == events_of(load(path))


def test_a_logdir_that_is_deleted_is_gone_and_what_was_read_stays(
    library: Library, copy_of: Callable[[str], Path]
) -> None:
    path = copy_of("full_health")
    bench = Bench(path)
    bench.work_it_all_out()
    events = bench.told.events
    shutil.rmtree(path)
    bench.work(LONG)
    last = bench.told[-1]
    assert (last.exists, last.gone, bench.told.events) == (False, True, events)
    shutil.copytree(library.path("eager_only"), path)
    bench.work(LONG)
    last = bench.told[-1]
    assert (last.exists, last.gone, len(last.runs)) == (True, False, 2)


def test_a_second_run_is_told_beside_the_first(library: Library, tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.work()
    for number, scenario in enumerate(("healthy", "full_health"), start=1):
        shutil.copytree(library.path(scenario), tmp_path / scenario)
        bench.work(LONG)
        assert len(bench.told[-1].runs) == number
    assert bench.told.events == events_of(load(tmp_path))


def test_a_run_gets_its_id_when_its_metadata_comes(library: Library, tmp_path: Path) -> None:
    source = library.path("full_health")
    for path in source.iterdir():
        if path.suffix != ".metadata":
            shutil.copy(path, tmp_path)
    bench = Bench(tmp_path)
    bench.work(LONG)
    assert bench.told[-1].runs[0].run.run_id is None
    for path in source.glob("*.metadata"):
        shutil.copy(path, tmp_path)
    bench.feed.wake()
    for _ in range(3):
        bench.work(SCAN_INTERVAL)
    (state,) = bench.told[-1].runs
    assert state.run.key == load(source).runs[0].key
    assert bench.told.events == events_of(load(source))
