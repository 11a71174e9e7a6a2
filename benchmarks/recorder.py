"""What `record.enable` costs a training program, against TensorFlow's bare recorder.

    python -m benchmarks.recorder [ROUNDS]

First one program that is recorded all the time; in turns of a second it is flushed five times a
second or left alone, as the bare recorder would leave it. Machines change their speed from minute
to minute, so neighbouring turns are compared, and the median of all pairs counts. The program has
small tensors and little to compute: the recorder is most of its work, the worst case.

Then models of Keras, fed by an array and by a dataset, each in a process of its own: unrecorded,
recorded by TensorFlow's own call, and by ours. Each figure is the median of some rounds.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.keras_program import INPUTS, MODELS, RECORDERS
from benchmarks.table import Row, print_table
from tfdbg_tui import record
from tfdbg_tui.record.flushing import LiveFlush

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 40
"""Pairs of turns."""

TURN = 1.0
"""Seconds that a turn lasts."""

GOAL = 0.03
"""The part of its speed that a program may lose."""

KERAS_ROUNDS = 3

INPUT_GOAL = 1.3
"""How many times the steps of a dataset those of an array may take, both recorded by us."""


def main() -> None:
    """Print both tables."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with tempfile.TemporaryDirectory(prefix="tfdbg-benchmark-") as folder:
        print_table([measured(Path(folder), rounds)])
    print()
    print_keras_table()


class Switch:
    """A flush that can be switched off."""

    def __init__(self, writer: Any) -> None:
        self.is_on = False
        self._writer = writer

    def flush(self) -> None:
        """Flush as `record.enable` does."""
        if self.is_on:
            self._writer.FlushNonExecutionFiles()
            self._writer.FlushExecutionFiles()


def measured(folder: Path, rounds: int) -> Row:
    """Steps a second with and without the flushing thread."""
    import tensorflow as tf

    writer = tf.debugging.experimental.enable_dump_debug_info(
        str(folder), tensor_debug_mode="FULL_HEALTH", circular_buffer_size=-1
    )
    switch = Switch(writer)
    LiveFlush(switch.flush, lambda: None, record.FLUSH_EVERY).start()
    step = training_step(tf)
    turn(step, TURN)  # traces and warms up
    speeds: dict[bool, list[float]] = {True: [], False: []}
    for number in range(rounds):
        for is_on in (number % 2 == 0, number % 2 == 1):  # neither always goes first
            switch.is_on = is_on
            speeds[is_on].append(turn(step, TURN))
    ratios = [ours / bare for ours, bare in zip(speeds[True], speeds[False], strict=True)]
    ours, bare = statistics.median(speeds[True]), statistics.median(speeds[False])
    quarters = statistics.quantiles(ratios, n=4)
    return Row(
        "training recorded by `record.enable`; rival: the bare recorder",
        f"{ours:,.0f} steps/s",
        f"{bare:,.0f} steps/s",
        f"{statistics.median(ratios):.3f} (quartiles {quarters[0]:.3f} to {quarters[2]:.3f})",
        f"at least {1 - GOAL:.2f}",
    )


def print_keras_table() -> None:
    """Milliseconds a step, by model, input and recorder."""
    print(
        "| ms a step | unrecorded | TensorFlow's call | `record.enable` | array to dataset | goal |"
    )
    print("|---|---|---|---|---|---|")
    for model in MODELS:
        times = {kind: [keras_time(model, kind, way) for way in RECORDERS] for kind in INPUTS}
        for kind, (unrecorded, bare, ours) in times.items():
            cells = [f"{model}, {kind}", *(f"{time:.1f}" for time in (unrecorded, bare, ours))]
            ratio = f"{ours / times['tf.data'][-1]:.2f}" if kind == "numpy" else ""
            goal = f"at most {INPUT_GOAL}" if ratio else ""
            print("| " + " | ".join([*cells, ratio, goal]) + " |", flush=True)


def keras_time(model: str, kind: str, recorder: str) -> float:
    """Milliseconds that a step of `benchmarks.keras_program` takes."""
    times = []
    for _ in range(KERAS_ROUNDS):
        with tempfile.TemporaryDirectory(prefix="tfdbg-benchmark-") as folder:
            command = [sys.executable, "-m", "benchmarks.keras_program", model, kind, recorder]
            done = subprocess.run([*command, folder], capture_output=True, text=True, check=True)
        times.append(float(done.stdout))
    return statistics.median(times)


def training_step(tf: Any) -> Callable[[], object]:
    """A small model and its gradient in one function."""
    x = tf.random.stateless_normal((64, 8), (1, 2))
    labels = tf.one_hot(tf.range(64) % 10, 10)
    weights = tf.Variable(tf.random.stateless_normal((8, 10), (3, 4)))

    @tf.function  # type: ignore[untyped-decorator]
    def step() -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels, x @ weights))
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss

    found: Callable[[], object] = step
    return found


def turn(step: Callable[[], object], seconds: float) -> float:
    """Train for a while; steps a second."""
    start = time.perf_counter()
    steps = 0
    while (elapsed := time.perf_counter() - start) < seconds:
        step()
        steps += 1
    return steps / elapsed


if __name__ == "__main__":
    main()
