"""Records a few small tensors whole, for pictures of the value viewer, and makes that neutral.

    python -m tests.recordings.freeze_values

Writes `tests/recordings/frozen_values`. Pictures stay the same until somebody runs this again.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.recordings.neutral import FIRST_TIME, files, neutralise, record, retime

FROZEN_VALUES = Path(__file__).with_name("frozen_values")

PROGRAM = '''\
"""Attention over three words, one of which is masked by a logarithm."""

import sys

import tensorflow as tf

tf.debugging.experimental.enable_dump_debug_info(
    sys.argv[1], tensor_debug_mode="FULL_TENSOR", circular_buffer_size=-1
)


@tf.function
def attend(words, mask):
    scores = tf.linalg.matmul(words, words, transpose_b=True) + tf.math.log(mask)
    weights = tf.exp(scores) / tf.reduce_sum(tf.exp(scores), axis=-1, keepdims=True)
    return tf.reduce_sum(weights, axis=0)


for step in range(3):
    words = tf.reshape(tf.range(48.0), (2, 6, 4)) / 64.0 * (1.0 + step)
    mask = tf.constant([1.0, 1.0, 0.5, 0.25, 1.0, 1.0]) - 0.5 * step
    attend(words, mask)
'''

RUN_ID = "5ca1ab1e"

MILLISECONDS = 1000
"""In a second; each event comes a millisecond after the one before."""


def main() -> None:
    """Record and freeze."""
    recording = record(PROGRAM)
    retime(recording, lambda rank: FIRST_TIME + rank / MILLISECONDS)
    neutralise(recording, RUN_ID)
    shutil.rmtree(FROZEN_VALUES, ignore_errors=True)
    FROZEN_VALUES.mkdir()
    for name, content in files(recording).items():
        (FROZEN_VALUES / name).write_bytes(content)
    size = sum(path.stat().st_size for path in FROZEN_VALUES.iterdir())
    print(f"{sum(map(len, recording.values()))} records, {size:,} bytes in {FROZEN_VALUES.name}")


if __name__ == "__main__":
    main()
