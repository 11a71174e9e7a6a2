"""Records the small training run that pictures of the screen are taken of, and makes it neutral.

    python -m tests.recordings.freeze

Writes `tests/recordings/frozen`. Pictures stay the same until somebody runs this again.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.recordings.neutral import FIRST_TIME, files, neutralise, record, retime

FROZEN = Path(__file__).with_name("frozen")

PROGRAM = '''\
"""A classifier that learns well, until its learning rate has grown too far."""

import sys

import tensorflow as tf

tf.debugging.experimental.enable_dump_debug_info(
    sys.argv[1], tensor_debug_mode="FULL_HEALTH", circular_buffer_size=-1
)


@tf.function
def model(x, weights, bias):
    logits = tf.matmul(x, weights) + bias
    return tf.nn.softmax(logits)


@tf.function
def loss(probs, labels):
    diff = -labels * tf.math.log(probs)
    return tf.reduce_mean(diff)


x = tf.random.stateless_normal((500, 8), seed=(1, 2))
labels = tf.one_hot(tf.range(500) % 10, 10)
weights = tf.Variable(tf.random.stateless_normal((8, 10), seed=(3, 4)))
bias = tf.Variable(tf.zeros(10))

rate = 1.0
for step in range(12):
    with tf.GradientTape() as tape:
        probs = model(x, weights, bias)
        value = loss(probs, labels)
    slopes = tape.gradient(value, [weights, bias])
    weights.assign_sub(rate * slopes[0])
    bias.assign_sub(rate * slopes[1])
    rate *= 5.0  # warm up
    if step % 4 == 3:
        right = tf.argmax(probs, 1) == tf.argmax(labels, 1)
        accuracy = tf.reduce_mean(tf.cast(right, tf.float32))
        print(f"step {step}: loss {value:.3f}, accuracy {accuracy:.2f}")
'''

RUN_ID = "b9a2519f"

MILLISECONDS = 1000
"""In a second; each event comes a millisecond after the one before."""


def main() -> None:
    """Record and freeze."""
    recording = record(PROGRAM)
    retime(recording, lambda rank: FIRST_TIME + rank / MILLISECONDS)
    neutralise(recording, RUN_ID)
    shutil.rmtree(FROZEN, ignore_errors=True)
    FROZEN.mkdir()
    for name, content in files(recording).items():
        (FROZEN / name).write_bytes(content)
    size = sum(path.stat().st_size for path in FROZEN.iterdir())
    print(f"{sum(map(len, recording.values()))} records, {size:,} bytes in {FROZEN.name}")


if __name__ == "__main__":
    main()
