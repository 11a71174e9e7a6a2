"""What `record.enable` costs a training program, against TensorFlow's bare recorder.

    python -m benchmarks.recorder [ROUNDS]

One program that is recorded all the time; in turns of a second it is flushed five times a second
or left alone, as the bare recorder would leave it. Machines change their speed from minute to
minute, so neighbouring turns are compared, and the median of all pairs counts. The program has
small tensors and little to compute: the recorder is most of its work, the worst case.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

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


def main() -> None:
    """Print the row of the table."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with tempfile.TemporaryDirectory(prefix="tfdbg-benchmark-") as folder:
        print_table([measured(Path(folder), rounds)])


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
