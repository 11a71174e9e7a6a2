"""Records the training run that `tfdbg-tui demo` replays, and makes it neutral.

    python -m tests.recordings.make_demo

Writes `tfdbg_tui/demo/recording.zip`: a file set as the recorder writes it, at the pace of a
training that people can watch.
"""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import tfdbg_tui
from tests.recordings.neutral import FIRST_TIME, computed, files, neutralise, record, retime

if TYPE_CHECKING:
    from tests.recordings.neutral import Events

RECORDING = Path(tfdbg_tui.__file__).parent / "demo" / "recording.zip"

PROGRAM = '''\
"""Teaches a small network to tell ten kinds of 8x8 images apart."""

import sys

import tensorflow as tf

STEPS, BATCH, KINDS, PIXELS = 100, 32, 10, 64

tf.debugging.experimental.enable_dump_debug_info(
    sys.argv[1], tensor_debug_mode="FULL_HEALTH", circular_buffer_size=-1
)
tf.random.set_seed(11)


class Dense(tf.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weights = tf.Variable(tf.random.normal((inputs, outputs), stddev=inputs**-0.5))
        self.bias = tf.Variable(tf.zeros(outputs))

    def __call__(self, x):
        return tf.matmul(x, self.weights) + self.bias


hidden, output = Dense(PIXELS, 32), Dense(32, KINDS)
variables = [*hidden.trainable_variables, *output.trainable_variables]
rate = tf.Variable(0.05, trainable=False)


def classify(images):
    return tf.nn.softmax(output(tf.nn.relu(hidden(images))))


def cross_entropy(labels, probs):
    log_probs = tf.math.log(probs)
    return -tf.reduce_mean(tf.reduce_sum(labels * log_probs, axis=1))


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        loss = cross_entropy(labels, classify(images))
    gradients = tape.gradient(loss, variables)
    for variable, gradient in zip(variables, gradients):
        variable.assign_sub(rate * gradient)
    return loss


patterns = tf.random.normal((KINDS, PIXELS))
for step in range(STEPS):
    rate.assign(0.05 * 1.17**step)  # warm up
    kinds = tf.random.uniform((BATCH,), maxval=KINDS, dtype=tf.int32)
    images = tf.gather(patterns, kinds) + tf.random.normal((BATCH, PIXELS))
    loss = train_step(images, tf.one_hot(kinds, KINDS))
    if step % 6 == 0:
        print(f"step {step}: loss {loss:.3f}")
'''

RUN_ID = "7d1e50aa"

STEP_CALL = "__inference_train_step"
"""What the op type of the call that ends a step begins with."""

FIRST_STEP = 0.5
"""Seconds of the first step with all that comes before it; whoever starts a demo sees it move."""

STEP = 0.18
"""Seconds of every other step."""

ANY_DATE = (1980, 1, 1, 0, 0, 0)
"""Of the files in the archive; the same recording gives the same archive."""


def main() -> None:
    """Record, and pack."""
    recording = record(PROGRAM)
    moments = pace(recording)
    retime(recording, lambda rank: FIRST_TIME + moments[min(rank, len(moments) - 1)])
    neutralise(recording, RUN_ID)
    size = pack(files(recording), RECORDING)
    print(f"{sum(map(len, recording.values())):,} records, {size:,} bytes in {RECORDING.name}")


def pace(recording: Events) -> list[float]:
    """When each event comes, in seconds: steps take the same time, and so do events of a step."""
    moments: list[float] = []
    begin, seconds, events = 0.0, FIRST_STEP, 0
    for event in computed(recording):
        events += 1
        if event.execution.op_type.startswith(STEP_CALL):
            moments += [begin + seconds * (1 + rank) / events for rank in range(events)]
            begin, seconds, events = begin + seconds, STEP, 0
    return moments + [begin] * events


def pack(contents: dict[str, bytes], target: Path) -> int:
    """Write one compressed file; returns its size in bytes."""
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in contents.items():
            entry = zipfile.ZipInfo(name, ANY_DATE)
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED, compresslevel=9)
    return target.stat().st_size


if __name__ == "__main__":
    main()
