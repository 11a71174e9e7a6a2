"""How the program of a recording ended: the first thing to say of it, where it is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.program_notes import HowEnded
from tfdbg_tui.doctor.finding import Finding, Level
from tfdbg_tui.doctor.functions import lines_without_xla
from tfdbg_tui.doctor.recipes import ENABLED, RUN, RUN_AGAIN, USUAL_MODE, without_jit
from tfdbg_tui.sanitise import sanitise
from tfdbg_tui.verdict import ending_text
from tfdbg_tui.verdict.ending import Ending, ending_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfdbg_tui.data.live.snapshot import RunState
    from tfdbg_tui.data.stores.program_notes import Program
    from tfdbg_tui.data.stores.sources import Location

SCRIPT_FAILED, RECORDER_FAILED = "script-failed", "recorder-failed"

OUT_OF_MEMORY = "When memory runs out, the system ends programs this way."
CRASHED = "It crashed in compiled code: Python had no error to tell."
RESOURCE_VARIABLES = "tf.compat.v1.enable_resource_variables()"
SAID_SO = "It ended itself with this code; no error was left uncaught."


def state_ending(state: RunState) -> Ending | None:
    """How the program of a run ended, with the op that failed; reads nothing from disk."""
    return ending_of(state.program, state.run.hosts, with_code=False)


def endings(state: RunState) -> Iterator[Finding]:
    """How the program of a run ended, unless it ended well."""
    program, ending = state.program, state_ending(state)
    if program is None:
        return
    if ending is None:
        if state.ended and program.started_by == ENABLED:
            yield _vanished(program)
        return
    if ending.how is HowEnded.FAILED:
        by_recorder = ending.by_recorder
        yield _recorder_failed(state, program, ending) if by_recorder else failed(ending)
    elif ending.how is not HowEnded.WELL:
        yield _ended_by_somebody(ending)


def failed(ending: Ending, *more: str) -> Finding:
    """An error ended the program, and it was its own."""
    headline, *shorter = ending_text.headlines(ending)
    text = (*_message(ending), *_lines(ending), *_about_code(ending), *more)
    return Finding(SCRIPT_FAILED, Level.PROBLEM, headline, text, shorter=tuple(shorter))


def _message(ending: Ending) -> tuple[str, ...]:
    """What the error says, as a sentence."""
    words = ending_text.message(ending)
    return (words if words.endswith((".", "!", "?", "…")) else f"{words}.",) if words else ()


def _lines(ending: Ending) -> tuple[str, ...]:
    """The op and the lines, in full."""
    line, raised, op = ending.line, ending_text.raised_at(ending), ending.op
    if line is None:
        return ()
    if op is None or op.location is None:
        return (f"See {_where(line)}.",)
    graph = f" of {sanitise(op.graph)}" if op.graph else ""
    call = f"; the error came out at {raised}" if raised else ""
    return (f"{ending_text.op_with_type(op)}{graph} is made at {_where(line)}{call}.",)


def _where(line: Location) -> str:
    return f"{sanitise(line.file)}:{line.line}"


def _about_code(ending: Ending) -> tuple[str, ...]:
    """What an exit code means, where no error says more."""
    if ending.error is not None:
        return ()
    if ending.signal is None:
        return (SAID_SO,)
    return (OUT_OF_MEMORY if ending.signal == "SIGKILL" else CRASHED,)


def _ended_by_somebody(ending: Ending) -> Finding:
    headline, *shorter = ending_text.headlines(ending)
    was_interrupted = ending.how is HowEnded.INTERRUPTED
    return Finding(
        "script-interrupted" if was_interrupted else "script-stopped",
        Level.FACT,
        headline,
        _lines(ending),
        shorter=tuple(shorter),
    )


def _vanished(program: Program) -> Finding:
    """A program that is recorded by `record` notes its end, unless it has no time to."""
    return Finding(
        "script-vanished",
        Level.WARNING,
        f"{sanitise(program.name)} ended without a word: killed, or crashed",
        (
            "Its process is gone, and it noted no end: a signal such as SIGKILL, a crash in",
            "compiled code and os._exit leave it no time for that. What it computed last may be",
            "missing.",
        ),
    )


def _recorder_failed(state: RunState, program: Program, ending: Ending) -> Finding:
    """An error ended the program that it would not have had without the recorder."""
    headline, *shorter = ending_text.headlines(ending)
    why, code = _cause_in_recorder(state, program)
    text = (*_message(ending), *_lines(ending), *why)
    return Finding(RECORDER_FAILED, Level.PROBLEM, headline, text, code, tuple(shorter))


def _cause_in_recorder(
    state: RunState, program: Program
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the recorder cannot do, and what to change."""
    failure = program.failure
    if failure is not None and failure.is_of_xla:
        cannot = "XLA cannot compile the ops that the recorder weaves into functions."
        if program.started_by == RUN:
            mode = next(iter(state.run.mode_names()), USUAL_MODE)
            return (cannot, RUN_AGAIN), (without_jit(program, mode),)
        return (cannot, "Switch it off while recording:"), lines_without_xla(state)
    if failure is not None and failure.lacks_variable:
        cannot = "It puts a tensor in place of a variable of TensorFlow 1."
        return (cannot, "Variables of TensorFlow 2 are recorded:"), (RESOURCE_VARIABLES,)
    why = (
        "TensorFlow's recorder raised it, or it speaks of what the recorder puts into graphs:",
        "unrecorded, the program may well run.",
    )
    return why, ()
