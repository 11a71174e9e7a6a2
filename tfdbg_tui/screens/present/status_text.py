"""The words of the status line and of the titles of the panes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.live.snapshot import Activity
from tfdbg_tui.doctor.finding import Level
from tfdbg_tui.doctor.scripts import without_recording
from tfdbg_tui.screens.session.finder import untold
from tfdbg_tui.screens.session.first_bad import tells_health
from tfdbg_tui.widgets.pieces import Piece, Pieces, shorten

if TYPE_CHECKING:
    from tfdbg_tui.data.live.snapshot import RunState, Snapshot
    from tfdbg_tui.data.search.search import Search
    from tfdbg_tui.data.stores.event_kind import EventKind
    from tfdbg_tui.data.stores.program_notes import Program
    from tfdbg_tui.data.views.navigator import Navigator
    from tfdbg_tui.program.process import ScriptState
    from tfdbg_tui.widgets.glyphs import Glyphs

LEVEL_ROLES = {Level.PROBLEM: "bad", Level.WARNING: "warn", Level.FACT: "dim"}
"""How the levels of the doctor's findings are drawn."""

PATH_WIDTH = 30
"""Cells of the path at the most."""

QUERY_WIDTH = 20
"""Cells of what was typed to search or to filter."""


def identity(snapshot: Snapshot, state: RunState | None, host: int, glyphs: Glyphs) -> Pieces:
    """Which recording this is; the least telling parts last, for they go first."""
    parts = [shorten(snapshot.path, PATH_WIDTH)]
    if state is not None:
        run = state.run
        runs = len(snapshot.runs)
        number = [found.run for found in snapshot.runs].index(run) + 1 if runs > 1 else 1
        if folder := run.folder_in(snapshot.path):
            parts.append(shorten(folder, PATH_WIDTH))
        parts.append((run.run_id or run.key)[:8] + (f" run {number}/{runs}" if runs > 1 else ""))
        parts += run.mode_names() or ()
        if len(run.hosts) > 1:
            parts.append(f"host {host + 1}/{len(run.hosts)} {run.hosts[host].name}")
        if run.tensorflow_version:
            parts.append(f"TF {run.tensorflow_version}")
        if len(run.hosts) == 1:
            parts.append("1 host")
    first, *others = parts
    more = [Piece(f" {glyphs.separator} {part}") for part in others]
    return [Piece(" tfdbg ", "notable"), Piece(f" {first}"), *more]


def activity(
    snapshot: Snapshot,
    state: RunState | None,
    alerts: int,
    paused: bool,
    following: bool,
    glyphs: Glyphs,
    script: ScriptState | None = None,
    muted: int = 0,
) -> Pieces:
    """How it goes: the state, the rate, what waits, how many alerts, how many muted."""
    pieces: Pieces = [Piece("  ")]
    script_has_ended = script is not None and script.exit_code is not None
    word, role = _word(snapshot, state, paused, script_has_ended)
    pieces.append(Piece(f"{glyphs.dot} {word}", role))
    pieces += _exit_code(script, _program(snapshot, state))
    if state is not None and state.events_per_second and not paused:
        pieces.append(Piece(f" {state.events_per_second:,.0f} ev/s", "dim"))
    ended = script_has_ended or (state is not None and state.ended)
    if following and not paused and not ended:
        pieces.append(Piece("  following", "notable"))
    if state is not None:
        quiet = "  no alerts " if tells_health(state) else "  no health "
        if alerts or not muted:
            told = f"  ! {alerts:,} " if alerts else quiet
            pieces.append(Piece(told, "bad" if alerts else "dim"))
        if muted:
            pieces.append(Piece(f"  muted {muted:,} ", "dim"))
    return pieces if state is not None else [*pieces, Piece(" ")]


def _word(
    snapshot: Snapshot, state: RunState | None, paused: bool, script_has_ended: bool
) -> tuple[str, str]:
    if paused:
        return "PAUSED", "warn"
    if snapshot.activity is Activity.LOADING:
        share = snapshot.read_bytes / snapshot.total_bytes if snapshot.total_bytes else 0.0
        return f"LOADING {share:.0%} of {snapshot.total_bytes / 1e6:,.0f} MB", "warn"
    if state is None:
        program = snapshot.program
        has_ended = script_has_ended or (program is not None and program.how_ended is not None)
        return ("ENDED" if has_ended else "WAITING"), "dim"
    if state.ended:
        return ("ENDED, cut" if state.cut_tail else "ENDED"), "dim"
    return "LIVE", "good"


def _program(snapshot: Snapshot, state: RunState | None) -> Program | None:
    """The program of a run or, where there is none, the one that was to record here."""
    return snapshot.program if state is None else state.program


def _exit_code(script: ScriptState | None, program: Program | None) -> Pieces:
    """How the script ended, if it has; of one that was run before, only if it failed."""
    code = None if script is None else script.exit_code
    if script is None and program is not None and program.failed:
        code = program.exit_code
    return [] if code is None else [Piece(f" exit {code}", "warn" if code else "dim")]


def script_note(script: ScriptState | None) -> str:
    """What stands behind the title of the output."""
    if script is None:
        return ""
    if script.exit_code is not None:
        return f"exit {script.exit_code}"
    return "stopping" if script.is_stopping else "running"


def before_recording(script: ScriptState, program: Program | None) -> str:
    """What lists say while nothing is recorded of a script."""
    return f"{without_recording(script, program).headline}."


def script_end(script: ScriptState, is_bad: bool) -> str:
    """What to say when a script has ended that was recorded."""
    how = "was stopped" if script.is_stopping else f"ended with exit code {script.exit_code}"
    where = "! goes to the first NaN or Inf" if is_bad else "8 shows what it printed"
    return f"{script.name} {how}; {where}, q leaves."


def unseen(rows: int) -> Pieces:
    """How many events came that the lists do not show yet."""
    return [Piece(f"  +{rows:,}", "notable")] if rows > 0 else []


def search_note(navigator: Navigator, kind: EventKind) -> str:
    """What is filtered and searched for, and which match of a list this is."""
    parts = []
    if navigator.filter is not None:
        parts.append(f"& {shorten(navigator.filter.query.text, QUERY_WIDTH)}")
    if navigator.search is not None:
        rank, count = navigator.match_rank(kind)
        so_far = "" if navigator.search.is_done else "+"
        text = shorten(navigator.search.query.text, QUERY_WIDTH)
        which = "" if navigator.filter is not None else f" {rank:,} of {count:,}{so_far}"
        parts.append(f"/ {text}{which}")
    return "  ".join(parts)


def without_executions(state: RunState, filtered: Search | None, is_loading: bool = False) -> str:
    """What the timeline says when it is empty."""
    if filtered is not None:
        return _nothing_found(state, filtered)
    if is_loading:
        return "No execution is read yet."
    if not state.ended:
        return "No execution is on disk yet."
    if state.functions.unfinished:
        return "No call came back; d says why."
    return "Nothing ran eagerly, no function was called: a TF1 session runs graphs only."


def without_traces(state: RunState, filtered: Search | None, is_loading: bool = False) -> str:
    """What the list of graph tensors says when it is empty."""
    if filtered is not None:
        return _nothing_found(state, filtered)
    if is_loading:
        return "No tensor of a graph is read yet."
    if state.functions.traced_early or state.functions.unfinished:
        return "Nothing inside functions is recorded; d says why."
    if not state.ended:
        return "No tensor of a graph is on disk yet; 2 shows what runs eagerly."
    return "No tensor was computed inside a graph: all ran eagerly, see 2."


def _nothing_found(state: RunState, filtered: Search) -> str:
    so_far = "" if filtered.is_done else " so far"
    sentence = untold(state, filtered) or f"Nothing matches {filtered.query.text}{so_far}"
    return f"{sentence}; escape shows all."
