"""Where a session begins, and where `!` goes, if the program failed and nothing turned NaN."""

from __future__ import annotations

import shutil
import time
from typing import TYPE_CHECKING

import pytest

from tests.support.examining import examine
from tests.support.navigating import index_of
from tests.support.noting import error_of, note
from tests.support.reading import drain
from tests.support.sessions import opened, said
from tfdbg_tui.data.live.run_activity import RunActivities
from tfdbg_tui.data.live.snapshot import Activity, Snapshot
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.data.views.cause_walk import is_at_first_bad
from tfdbg_tui.data.views.health_facts import health_facts
from tfdbg_tui.screens.pane_names import SOURCE, TRACES
from tfdbg_tui.screens.session.change import Reveal
from tfdbg_tui.screens.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library

ENDED = "No NaN or Inf. train.py ended here, with InvalidArgumentError."


def chosen_code(session: Session) -> str:
    """The line of the source that is chosen."""
    chosen = session.navigator.selection
    assert chosen.file is not None
    assert chosen.line is not None
    lines = index_of(session.navigator).host.sources.lines(chosen.file)
    assert lines is not None
    return lines[chosen.line - 1].strip()


@pytest.mark.parametrize(
    ("scenario", "op", "code"),
    [
        ("op_fails", "MatMul", "return tf.matmul(tf.exp(x), w)"),
        ("loop_fails", "while/GatherV2", "total += tf.sqrt(tf.gather(x, i))"),
        ("data_fails", "StringToNumber", "return tf.strings.to_number(line)"),
        ("tf1_fails", "product", 'tf.matmul(x, w, name="product")'),
    ],
)
def test_a_session_begins_at_the_op_that_failed_and_returns_there(
    library: Library, scenario: str, op: str, code: str
) -> None:
    session = opened(library.path(scenario))
    first = session.navigator.selection
    assert first.is_node, "what it would have put out was never recorded"
    assert first.node is not None
    assert first.node.op_name == op
    assert code in chosen_code(session)
    session.navigator.select_trace(0)
    change = session.go_to_first_bad()
    assert session.navigator.selection == first
    assert change.reveal == (Reveal(SOURCE, focus=False), Reveal(TRACES))
    assert said(change) == ENDED


def test_an_eager_op_that_failed_shows_its_line(library: Library) -> None:
    session = opened(library.path("eager_fails"))
    assert chosen_code(session) == "tf.matmul(x, uniform([rows, 2], seed=rows))"
    assert said(session.go_to_first_bad()) == ENDED


@pytest.mark.parametrize(("scenario", "tensor"), [("op_fails", "Exp"), ("tf1_fails", "x")])
def test_the_op_stands_beside_what_the_failed_call_computed(
    library: Library, scenario: str, tensor: str
) -> None:
    """So that the graph shows the inputs that it failed with, and no older ones."""
    session = opened(library.path(scenario))
    index, near = index_of(session.navigator), session.navigator.selection.trace
    assert near is not None
    traces = index.host.traces
    last = max(row for row in range(len(traces)) if traces.site_of(row).op_name == tensor)
    assert index.joins.event_in_same_call(near, traces.site_number(last)) == last
    if scenario != "tf1_fails":  # what a session ran shows as its run, however that ended
        assert index.joins.execution_of(near) is None, "the call did not come back"


def test_health_tells_the_error_of_the_op_and_of_no_other(library: Library) -> None:
    session = opened(library.path("op_fails"))
    facts = health_facts(index_of(session.navigator), session.navigator.selection)
    assert facts is not None
    assert facts.label == "failed"
    words = "This op ended the program with InvalidArgumentError: Matrix size-incompatible"
    assert facts.note.startswith(words)
    node = session.navigator.selection.node
    assert node is not None
    assert index_of(session.navigator).failure_of(node.graph_id, "Exp") is None


def test_the_first_nan_stays_where_the_key_goes(copy_of: Callable[[str], Path]) -> None:
    logdir = note(copy_of("full_health"), error=error_of("raise ValueError"), exit_code=1)
    session = opened(logdir)
    assert is_at_first_bad(session.navigator)
    session.navigator.select_execution(3)
    assert "ended" not in said(session.go_to_first_bad())
    assert is_at_first_bad(session.navigator)
    assert session.findings[0].id == "script-failed", "but how it ended is said first"


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        (
            {"error": error_of("raise ValueError"), "exit_code": 1},
            " train.py ended with ValueError.",
        ),
        ({"exit_code": 3}, " train.py ended with exit code 3."),
        ({"error": error_of("raise KeyboardInterrupt"), "exit_code": 130}, ""),
    ],
)
def test_without_a_recorded_line_the_session_begins_as_ever(
    copy_of: Callable[[str], Path], facts: dict[str, object], words: str
) -> None:
    session = opened(note(copy_of("healthy"), **facts))
    assert session.navigator.selection.execution == 0
    assert said(session.go_to_first_bad()).endswith(f"events.{words}")


def test_a_line_of_the_program_that_raised_is_shown(copy_of: Callable[[str], Path]) -> None:
    logdir = copy_of("healthy")
    (host,) = examine(logdir).states[0].run.hosts
    path = next(f.path for f in host.sources.files if f and f.path.endswith("scenarios/data.py"))
    error = error_of("\n" * 28 + "raise ValueError", path)
    session = opened(note(logdir, error=error, exit_code=1))
    assert session.navigator.selection.line == 29
    assert not session.navigator.selection.is_empty
    assert "ended here, with ValueError." in said(session.go_to_first_bad())


@pytest.mark.parametrize("key_pressed", [False, True])
def test_while_loading_something_earlier_that_comes_later_is_begun_with(
    library: Library, tmp_path: Path, key_pressed: bool
) -> None:
    path = shutil.copytree(library.path("full_health"), tmp_path / "logdir")
    (traces,) = path.glob("*.graph_execution_traces")
    content = traces.read_bytes()
    traces.write_bytes(b"")
    logdir, session = Logdir(path), Session()
    session.take_snapshot(loading(logdir))
    begun = session.navigator.selection.event
    assert begun is not None
    assert begun.kind is EventKind.EXECUTION
    if key_pressed:
        session.begin_key()
    traces.write_bytes(content)
    session.take_snapshot(loading(logdir))
    first = logdir.runs[0].alerts.first()
    assert first is not None
    assert first.kind is EventKind.TRACE
    assert session.navigator.selection.event == (begun if key_pressed else first.ref)


def loading(logdir: Logdir) -> Snapshot:
    """What is told when all that is there was read, and more is expected."""
    drain(logdir)
    activities = RunActivities(time.monotonic, time.time, lambda groups: [None] * len(groups))
    activities.look(logdir.runs, all_read=False)
    states = activities.states(logdir.runs)
    return Snapshot(logdir.path, exists=True, activity=Activity.LOADING)._replace(runs=states)
