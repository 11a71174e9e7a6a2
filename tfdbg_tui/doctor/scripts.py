"""What to say of a script that has left no recording, or none yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.program_notes import HowEnded
from tfdbg_tui.doctor.endings import failed
from tfdbg_tui.doctor.finding import Finding, Level
from tfdbg_tui.doctor.recipes import RUN_AGAIN, command, started_by_run
from tfdbg_tui.sanitise import sanitise
from tfdbg_tui.verdict.ending import ending_of

if TYPE_CHECKING:
    from tfdbg_tui.data.stores.program_notes import Program
    from tfdbg_tui.program.process import ScriptState

NO_TENSORFLOW = "No module named 'tensorflow'"
"""What Python says where there is none."""

RECORDED_BACKEND = "tensorflow"
"""What Keras has to compute with."""

NOT_RECORDED = (
    "A script is recorded from its import of TensorFlow on, in its own process; what it",
    "starts in others is not.",
)


def without_recording(script: ScriptState, program: Program | None) -> Finding:
    """Why nothing of a script is recorded that is run here; its notes come when it has ended."""
    if program is not None and program.how_ended is not None:
        return unrecorded(program)
    if script.exit_code is None:
        return _starting(f"What {script.name} prints is in pane 8.")
    if any(NO_TENSORFLOW in line for line in script.lines):
        return _without_tensorflow(script.name)
    if script.is_stopping:
        return _recorded_nothing(f"{script.name} was stopped before it computed anything")
    if script.exit_code:
        return _recorded_nothing(f"{script.name} failed before it computed anything; 8 shows why")
    return _recorded_nothing(f"{script.name} never imported TensorFlow: nothing was recorded")


def unrecorded(program: Program) -> Finding:
    """Why nothing of a program is recorded, as far as its notes tell."""
    name, how, failure = sanitise(program.name), program.how_ended, program.failure
    ending = ending_of(program)
    if failure is not None and failure.lacks_tensorflow and started_by_run(program):
        return _without_tensorflow(name)
    if ending is not None and how is HowEnded.FAILED:
        return failed(ending, "It had computed nothing by then, so nothing is recorded.")
    if how is not None and has_other_backend(program):
        return other_backend(program)
    if how is None:
        return _starting(f"{name} has been started.")
    if how is HowEnded.WELL:
        return _recorded_nothing(f"{name} never imported TensorFlow: nothing was recorded")
    return _recorded_nothing(f"{name} was stopped before it computed anything")


def has_other_backend(program: Program | None) -> bool:
    """Whether Keras computes with something that is not recorded."""
    backend = None if program is None else program.keras_backend
    return backend is not None and backend != RECORDED_BACKEND


def other_backend(program: Program) -> Finding:
    """Keras does not compute with TensorFlow."""
    backend = sanitise(program.keras_backend or "")
    text = ["Only what TensorFlow computes is recorded."]
    if started_by_run(program):
        text.append(RUN_AGAIN)
        code = command(program, environment=f"KERAS_BACKEND={RECORDED_BACKEND}")
    else:
        text.append("Choose it before Keras is imported:")
        code = f'os.environ["KERAS_BACKEND"] = "{RECORDED_BACKEND}"'
    headline = f"Keras computes with {backend[:20]}, which is not recorded"
    return Finding("keras-backend", Level.PROBLEM, headline, tuple(text), (code,))


def _starting(sentence: str) -> Finding:
    return Finding(
        "script-starting",
        Level.FACT,
        "Nothing is computed yet; importing TensorFlow takes a while",
        (sentence,),
    )


def _without_tensorflow(name: str) -> Finding:
    return Finding(
        "script-without-tensorflow",
        Level.PROBLEM,
        "This Python has no TensorFlow: install tfdbg-tui beside it",
        (f"{name} ran with the Python that tfdbg-tui is installed in.",),
    )


def _recorded_nothing(headline: str) -> Finding:
    return Finding("script-recorded-nothing", Level.PROBLEM, headline, NOT_RECORDED)
