"""What is missing from a recording because of the way a program uses functions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.program_notes import HowEnded
from tfdbg_tui.data.stores.tf_names import read_call
from tfdbg_tui.doctor.finding import Finding, Level, named
from tfdbg_tui.doctor.recipes import (
    ENABLED,
    RUN,
    RUN_AGAIN,
    enable_line,
    recipe,
    started_by_run,
    without_jit,
)
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tfdbg_tui.data.index.function_facts import Called
    from tfdbg_tui.data.live.snapshot import RunState

TAPE_INSIDE = (
    "@tf.function",
    "def train_step(...):",
    "    with tf.GradientTape() as tape:",
    "        loss = ...",
    "    gradients = tape.gradient(loss, variables)",
)
"""A step whose gradients are recorded."""

WITHOUT_XLA = ("@tf.function(jit_compile=False)",)
KERAS_WITHOUT_XLA = ("model.compile(..., jit_compile=False)",)

MAX_LINES = 3
"""Lines to change that are shown."""

_ASKED = re.compile(r"(\bjit_compile\s*=\s*)True\b")


def compiled(state: RunState) -> Finding | None:
    """XLA kept functions from running, if the program asks for XLA; else None."""
    facts, program = state.functions, state.program
    names = [called.name for called in _unexplained(state)]
    if not names or not facts.compiled or (program is not None and program.jit is False):
        return None
    text = [
        f"{named(names)} {_was(names)} called, and no call came back: XLA cannot compile the",
        "ops of the recorder and raises InvalidArgumentError.",
    ]
    if program is not None and program.started_by == RUN:
        mode = next(iter(state.run.mode_names()), "FULL_HEALTH")
        last = RUN_AGAIN
        code: tuple[str, ...] = (without_jit(program, mode),)
    else:
        last = "Switch it off while recording, as `tfdbg-tui run` does by itself:"
        code = lines_without_xla(state)
    headline = "jit_compile=True: XLA cannot run what is recorded"
    return Finding("xla", Level.PROBLEM, headline, (*text, last), code)


def lines_without_xla(state: RunState) -> tuple[str, ...]:
    """The lines of the program that ask for XLA as they should be; if none does, an example."""
    facts = state.functions
    if not facts.compiled:
        return KERAS_WITHOUT_XLA if facts.by_keras else WITHOUT_XLA
    more = len(facts.compiled) - MAX_LINES
    return (
        *(line for found in facts.compiled[:MAX_LINES] for line in _without_xla(found)),
        *([f"# and {counted(more, 'more line')}"] if more > 0 else ()),
    )


def _without_xla(found: tuple[str, int, str]) -> tuple[str, str]:
    path, line, code = found
    return f"# {path}:{line}", _ASKED.sub(r"\1False", code)


def _unexplained(state: RunState) -> list[Called]:
    """Functions that no call came back from, but for the one whose error ended the program."""
    failure = None if state.program is None else state.program.failure
    if failure is None:
        return list(state.functions.unfinished)
    call = read_call(failure.blamed.call or "")
    lines = {(frame.file, frame.line) for frame in failure.frames}
    return [
        called
        for called in state.functions.unfinished
        if (call is None or called.name != call.graph)
        and (called.line is None or called.line[:2] not in lines)
    ]


def limits_of_functions(state: RunState, all_kept: bool) -> Iterator[Finding]:
    """What is not recorded of functions, where lost events do not explain it."""
    facts = state.functions
    found, unexplained = compiled(state), _unexplained(state)
    if found is not None:
        yield found
    elif unexplained and all_kept:
        yield _unfinished(unexplained, state)
    if facts.traced_early:
        yield _traced_early(state, facts.traced_early)
    if state.executions and not facts.in_graphs and all_kept:
        yield _run_eagerly() if facts.run_eagerly else _without_functions()
    if facts.gradients:
        yield _gradients(facts.gradients)
    if facts.uncalled and all_kept:
        names = facts.uncalled
        yield Finding(
            "never-called",
            Level.FACT,
            f"Traced, but never called: {named(names)}",
            (
                f"The graph is recorded: get_concrete_function or an export made it. As long as "
                f"nobody calls {'it' if len(names) == 1 else 'them'}, no tensor is computed in it.",
            ),
        )
    if facts.session_updates:
        yield _session_updates(facts.session_updates)
    if state.program is not None and state.program.jit:
        yield _with_jit()


def _with_jit() -> Finding:
    return Finding(
        "jit",
        Level.FACT,
        "XLA was allowed: nothing inside what it compiled is recorded",
        (
            "A function that asks for XLA (jit_compile=True, or Keras on a GPU) shows what it",
            "returns, and no tensor inside it. Without --jit, or jit=True, it is run op by op.",
        ),
    )


def _unfinished(called: Sequence[Called], state: RunState) -> Finding:
    names = [function.name for function in called]
    how = None if state.program is None else state.program.how_ended
    if how is HowEnded.WELL:
        why = "An error ended each call, and the program went on all the same."
    elif state.ended:
        why = "An error ended it, or the program ended before it: what that printed tells."
    else:
        why = "An error ended it, or it still runs."
    return Finding(
        "call-unfinished",
        Level.WARNING,
        f"{named(names)}: called, and no call came back",
        (*_lines_of_calls(called), why),
    )


def _traced_early(state: RunState, called: Sequence[Called]) -> Finding:
    names, program = [function.name for function in called], state.program
    it = "It was" if len(names) == 1 else "They were"
    where = (
        "in another thread" if started_by_run(program) else "before it was, or in another thread"
    )
    text = [
        f"{it} called first where the recorder is not on: {where}. It is woven into a",
        "function at its first call; later ones show from outside only.",
        *_lines_of_calls(called),
    ]
    code: tuple[str, ...] = ()
    if not started_by_run(program):
        text.append("Run it as `tfdbg-tui run train.py`, or switch it on earlier:")
        code = ("import tensorflow as tf", *recipe(state.run.directory))
        if program is not None and program.started_by == ENABLED:
            code = ("from tfdbg_tui import record", enable_line(state.run.directory))
    headline = f"Inside {named(names)} nothing is recorded"
    return Finding("traced-early", Level.PROBLEM, headline, tuple(text), code)


def _session_updates(types: Sequence[str]) -> Finding:
    return Finding(
        "session-updates",
        Level.FACT,
        "TF1: what writes a variable leaves no tensor",
        (
            f"{named(types)} put{'s' if len(types) == 1 else ''} out nothing that could be",
            "recorded. A NaN that is born in an update of the optimizer shows where the variable",
            "is read next, in the following run of the session.",
        ),
    )


def _run_eagerly() -> Finding:
    return Finding(
        "functions-run-eagerly",
        Level.FACT,
        "Eager only: the functions ran op by op",
        (
            "The stacks show calls of a tf.function, and none ran as a graph. So every op is an",
            "execution with its own line, and there are no graphs. To record graphs instead:",
        ),
        ("tf.config.run_functions_eagerly(False)",),
    )


def _without_functions() -> Finding:
    return Finding(
        "no-functions",
        Level.FACT,
        "Eager only: no tf.function was called",
        (
            "The stacks show no call of one, or Keras was told to run_eagerly. So every op is an",
            "execution with its own line, and there are no graphs but those of tf.data.",
        ),
    )


def _gradients(called: Sequence[Called]) -> Finding:
    names = [function.name for function in called]
    whose = named(names)
    return Finding(
        "gradient-not-traced",
        Level.FACT,
        f"Inside the gradient of {whose} nothing is recorded",
        (
            "Called from an eager GradientTape, a gradient leaves its call, its results and its",
            "graph, but not the tensors inside it.",
            *_lines_of_calls(called),
            "With the tape inside a tf.function they are recorded, too:",
        ),
        TAPE_INSIDE,
    )


def _lines_of_calls(called: Sequence[Called]) -> tuple[str, ...]:
    """Where it was called, if that is on disk."""
    known = [f"{line.path}:{line.line}" for _, line in called if line is not None]
    return (f"See {named(list(dict.fromkeys(known)))}.",) if known else ()


def _was(names: Sequence[str]) -> str:
    return "was" if len(names) == 1 else "were"
