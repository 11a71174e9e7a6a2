"""What is missing from a recording because of the way a program uses functions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tfdbg_tui.doctor.finding import Finding, Level, named, recipe
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
    facts = state.functions
    if not facts.unfinished or not facts.compiled:
        return None
    names = [called.name for called in facts.unfinished]
    more = len(facts.compiled) - MAX_LINES
    return Finding(
        "xla",
        Level.PROBLEM,
        "jit_compile=True: XLA cannot run what is recorded",
        (
            f"{named(names)} {_was(names)} called, and no call came back: XLA cannot compile the",
            "ops of the recorder and raises InvalidArgumentError. Switch it off while recording,",
            "as `tfdbg-tui run` does by itself:",
        ),
        (
            *(line for found in facts.compiled[:MAX_LINES] for line in _without_xla(found)),
            *([f"# and {counted(more, 'more line')}"] if more > 0 else ()),
        ),
    )


def _without_xla(found: tuple[str, int, str]) -> tuple[str, str]:
    path, line, code = found
    return f"# {path}:{line}", _ASKED.sub(r"\1False", code)


def limits_of_functions(state: RunState, all_kept: bool) -> Iterator[Finding]:
    """What is not recorded of functions, where lost events do not explain it."""
    facts = state.functions
    found = compiled(state)
    if found is not None:
        yield found
    elif facts.unfinished and all_kept:
        yield _unfinished(facts.unfinished, facts.by_keras)
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


def _unfinished(called: Sequence[Called], by_keras: bool) -> Finding:
    names = [function.name for function in called]
    return Finding(
        "call-unfinished",
        Level.WARNING,
        f"{named(names)}: called, and no call came back",
        (
            *_lines_of_calls(called),
            "An error ended it, or it still runs. Under the recorder XLA is the usual cause: it",
            "cannot compile the recorder's ops. See that it is off:",
        ),
        KERAS_WITHOUT_XLA if by_keras else WITHOUT_XLA,
    )


def _traced_early(state: RunState, called: Sequence[Called]) -> Finding:
    names = [function.name for function in called]
    return Finding(
        "traced-early",
        Level.PROBLEM,
        f"Inside {named(names)} nothing is recorded",
        (
            f"{'It was' if len(names) == 1 else 'They were'} called before the recorder was",
            "switched on. The recorder is woven into a function at its first call; later ones",
            "show from outside only.",
            *_lines_of_calls(called),
            "Run it as `tfdbg-tui run train.py`, or switch it on earlier, behind the import:",
        ),
        (
            "import tensorflow as tf",
            *recipe(state.run.directory),
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
            "execution with its own line, and there are no graphs and no graph tensors.",
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
