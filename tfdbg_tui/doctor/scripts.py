"""What to say of a script that has left no recording, or none yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.doctor.finding import Finding, Level

if TYPE_CHECKING:
    from tfdbg_tui.program.process import ScriptState

NO_TENSORFLOW = "No module named 'tensorflow'"
"""What Python says where there is none."""


def without_recording(script: ScriptState) -> Finding:
    """Why nothing of a script is recorded."""
    if script.exit_code is None:
        return Finding(
            "script-starting",
            Level.FACT,
            "Nothing is computed yet; importing TensorFlow takes a while",
            (f"What {script.name} prints is in pane 8.",),
        )
    if any(NO_TENSORFLOW in line for line in script.lines):
        return Finding(
            "script-without-tensorflow",
            Level.PROBLEM,
            "This Python has no TensorFlow: install tfdbg-tui beside it",
            (f"{script.name} ran with the Python that tfdbg-tui is installed in.",),
        )
    if script.is_stopping:
        headline = f"{script.name} was stopped before it computed anything"
    elif script.exit_code:
        headline = f"{script.name} failed before it computed anything; 8 shows why"
    else:
        headline = f"{script.name} never imported TensorFlow: nothing was recorded"
    return Finding(
        "script-recorded-nothing",
        Level.PROBLEM,
        headline,
        (
            "A script is recorded from its import of TensorFlow on, in its own process; what it",
            "starts in others is not.",
        ),
    )
