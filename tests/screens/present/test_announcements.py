"""Every state of a logdir that a user can meet says what it is and what to do."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from tests.recordings.fabricate import frame
from tests.support.damage import deny, write_files
from tests.support.reading import drain, load
from tfdbg_tui.data.live.snapshot import Activity, RunState, Snapshot
from tfdbg_tui.doctor.findings import findings
from tfdbg_tui.screens.present.announcements import Notice, notice_of
from tfdbg_tui.screens.present.announcements import remarks as remarks_on

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.stores.run import Run

NARROW = 90
"""Characters of a line at most, for people read these texts on small terminals."""


def snapshot(path: str | Path, **more: object) -> Snapshot:
    """A logdir that is there and in which nothing happens, but for what a test says."""
    usual = Snapshot(str(path), exists=True, activity=Activity.LIVE)
    return usual._replace(**more)  # type: ignore[arg-type]


def state(run: Run, **more: object) -> RunState:
    """What a run says of itself, but for what a test says."""
    counts = run.counts()
    usual = RunState(
        run,
        executions=counts["executions"],
        traces=counts["graph_executions"],
        alerts=len(run.alerts),
        growing=False,
        ended=False,
        cut_tail=False,
        lacks_events=run.lacks_events,
        held_back=False,
        events_per_second=0.0,
    )
    return usual._replace(**more)  # type: ignore[arg-type]


def shown(found: Notice | None) -> Notice:
    """A notice that is there, and fit to be read."""
    assert found is not None
    assert found.headline
    assert not found.headline.endswith(".")
    assert all(len(line) <= NARROW for line in found.text)
    assert found.text == () or found.text[-1][-1] in ".:"
    if found.code:
        assert found.text[-1].endswith(":")
        ast.parse("\n".join(found.code))
    return found


def remarks(logdir: Snapshot, run: RunState | None) -> tuple[str, ...]:
    """What is said of a run beside its panes."""
    return remarks_on(findings(logdir, run))


def only_run(path: Path) -> Run:
    (run,) = load(path).runs
    return run


# ---------------------------------------------------------------------- in place of the panes


@pytest.mark.parametrize("scenario", ["full_health", "eager_only", "tf1_session", "no_tensor"])
def test_a_run_with_events_needs_no_notice(library: Library, scenario: str) -> None:
    run = only_run(library.path(scenario))
    for activity in Activity:
        assert notice_of(snapshot(run.directory, activity=activity), state(run)) is None
    assert notice_of(snapshot(run.directory, gone=True, exists=False), state(run)) is None


def test_a_logdir_that_does_not_exist_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "later"
    found = shown(notice_of(snapshot(path, exists=False, activity=Activity.WAITING), None))
    assert found.headline == f"Waiting for {path}"
    assert str(path) in "".join(found.code)
    assert "circular_buffer_size=-1" in "".join(found.code)


def test_an_empty_logdir_says_how_to_record(tmp_path: Path) -> None:
    found = shown(notice_of(snapshot(tmp_path, activity=Activity.WAITING), None))
    assert found.headline == f"No recording in {tmp_path} yet"
    assert "enable_dump_debug_info" in found.code[0]


@pytest.mark.parametrize("name", ['with "quotes"', "with\\backslash", "with {braces}"])
def test_the_recipe_is_a_call_with_that_path(tmp_path: Path, name: str) -> None:
    found = shown(notice_of(snapshot(tmp_path / name, exists=False), None))
    (statement,) = ast.parse("\n".join(found.code)).body
    assert isinstance(statement, ast.Expr)
    assert isinstance(statement.value, ast.Call)
    assert ast.literal_eval(statement.value.args[0]) == str(tmp_path / name)


def test_a_logdir_that_was_deleted_says_so(tmp_path: Path, library: Library) -> None:
    gone = snapshot(tmp_path, exists=False, gone=True, activity=Activity.WAITING)
    empty = state(only_run(library.path("circular")))
    for run in (None, empty):
        found = shown(notice_of(gone, run))
        assert found.headline == f"{tmp_path} was deleted"


def test_a_folder_that_is_denied_says_so(tmp_path: Path) -> None:
    denied = snapshot(tmp_path, unreadable=((str(tmp_path), "Permission denied"),))
    found = shown(notice_of(denied, None))
    assert found.headline == f"{tmp_path} cannot be read"
    assert found.text == ("Permission denied. Check its rights.",)


def test_loading_says_so_until_there_are_events(library: Library, tmp_path: Path) -> None:
    loading = snapshot(tmp_path, activity=Activity.LOADING)
    for run in (None, state(only_run(library.path("circular")))):
        assert shown(notice_of(loading, run)).headline == "Reading the recording"


def test_a_circular_buffer_is_explained_with_the_line_that_helps(library: Library) -> None:
    run = only_run(library.path("circular"))
    found = shown(notice_of(snapshot(run.directory), state(run, held_back=True)))
    assert found.headline == "Recording, but nothing reaches the disk"
    assert str(run.directory) in found.code[1]
    assert "circular_buffer_size=-1" in found.code[-1]


@pytest.mark.parametrize("held_back", [True, False])
def test_a_program_that_ended_without_events_is_told_of(library: Library, held_back: bool) -> None:
    run = only_run(library.path("circular"))
    ended = state(run, held_back=held_back, ended=True)
    found = shown(notice_of(snapshot(run.directory, activity=Activity.ENDED), ended))
    assert found.headline == "The program ended without writing an event"
    assert found.code


def test_a_recording_that_has_just_begun_says_so(copy_of: Callable[[str], Path]) -> None:
    logdir = copy_of("circular")
    for path in logdir.iterdir():
        if not path.name.endswith(".metadata"):
            path.unlink()
    run = only_run(logdir)
    found = shown(notice_of(snapshot(logdir), state(run, growing=True)))
    assert found.headline == "The recording has begun"
    assert found.code == ()


def test_events_that_are_all_damaged_are_not_said_to_be_to_come(tmp_path: Path) -> None:
    run = only_run(write_files(tmp_path, execution=[b"\xff\xff", b"\xff"]))
    found = shown(notice_of(snapshot(tmp_path), state(run)))
    assert found.headline == "The events of this recording are damaged"
    assert found.text == ("2 damaged records are left out, and no other is there.",)


def test_damage_elsewhere_does_not_hide_the_circular_buffer(
    copy_of: Callable[[str], Path],
) -> None:
    logdir = copy_of("circular")
    with next(logdir.glob("*.stack_frames")).open("ab") as file:
        file.write(frame(b"\xff"))
    run = only_run(logdir)
    found = shown(notice_of(snapshot(logdir), state(run, held_back=True)))
    assert found.headline == "Recording, but nothing reaches the disk"


def test_event_files_that_are_denied_are_named(
    copy_of: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    logdir = copy_of("full_health")
    deny(monkeypatch, "open", ".execution")
    deny(monkeypatch, "open", ".graph_execution_traces")
    run = only_run(logdir)
    found = shown(notice_of(snapshot(logdir), state(run)))
    assert found.headline.endswith(".execution cannot be read")
    assert found.text == ("Permission denied. Check its rights.",)


# ---------------------------------------------------------------------- beside the panes


def test_a_whole_recording_has_no_remarks(library: Library, tmp_path: Path) -> None:
    for scenario in ("full_health", "healthy", "eager_only"):
        run = only_run(library.path(scenario))
        assert remarks(snapshot(run.directory), state(run, ended=True)) == ()
    assert remarks(snapshot(tmp_path), None) == ()


def test_a_failure_is_told_first(library: Library) -> None:
    run = only_run(library.path("full_health"))
    failed = snapshot(run.directory, failure="Search failed: x.", gone=True)
    assert remarks(failed, None) == ("Search failed: x.",)
    assert remarks(failed, state(run)) == (
        "Search failed: x.",
        "The logdir was deleted; what was read is still shown.",
    )


@pytest.mark.parametrize("ended", [True, False])
def test_a_cut_tail_is_told_when_nothing_more_comes(library: Library, ended: bool) -> None:
    run = only_run(library.path("killed"))
    found = remarks(snapshot(run.directory), state(run, ended=ended, cut_tail=True))
    cut = ("The last record is cut: the program was killed, or its disk full.",)
    assert found == (cut if ended else ())


@pytest.mark.parametrize(
    ("records", "sentence"),
    [(1, "1 damaged record is left out."), (3, "3 damaged records are left out.")],
)
def test_damaged_records_are_counted(
    copy_of: Callable[[str], Path], records: int, sentence: str
) -> None:
    logdir = copy_of("full_health")
    with next(logdir.glob("*.execution")).open("ab") as file:
        file.write(frame(b"\xff") * records)
    run = only_run(logdir)
    assert remarks(snapshot(logdir), state(run)) == (sentence,)


def test_a_replaced_file_is_told(copy_of: Callable[[str], Path]) -> None:
    logdir = copy_of("full_health")
    loaded = load(logdir)
    path = next(logdir.glob("*.execution"))
    path.write_bytes(path.read_bytes()[:-1])
    drain(loaded)
    found = remarks(snapshot(logdir), state(loaded.runs[0]))
    assert found == ("A file was replaced while open and read again.",)


def test_a_denied_file_of_a_run_that_can_be_shown_is_told(library: Library) -> None:
    run = only_run(library.path("full_health"))
    denied = snapshot(run.directory, unreadable=(("/a", "Permission denied"), ("/b", "x")))
    assert remarks(denied, state(run)) == ("/a cannot be read (Permission denied).",)


def test_folders_that_were_not_searched_are_told_with_and_without_a_run(
    library: Library, tmp_path: Path
) -> None:
    sentence = ("There are too many folders here; not all of them were searched.",)
    cut = snapshot(tmp_path, search_was_cut=True)
    assert remarks(cut, None) == sentence
    assert remarks(cut, state(only_run(library.path("full_health")))) == sentence
