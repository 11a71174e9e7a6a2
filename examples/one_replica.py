"""Train on two devices at once, where each replica normalises its own share of the batch.

A sensor of the second share breaks and always says 20.0: its variance there is 0, and 0 / 0 is NaN.
The first replica is healthy until they share the mean of their gradients.
"""

import argparse
import time

import tensorflow as tf

STEPS = 50
SENSOR_BREAKS_AT = 8
LEARNING_RATE = 0.1
SECONDS_TO_LOAD = 0.08
"""Stands for reading the next batch from a disk."""


def normalised(x, smallest):
    """Each column with mean 0 and variance 1; ``smallest`` is added to the variance."""
    mean, variance = tf.nn.moments(x, axes=[0])
    return (x - mean) / tf.sqrt(variance + smallest)  # <- the bug shows here


def share_of(step, replica):
    """What three sensors told one replica."""
    x = 20.0 + 5.0 * tf.random.stateless_normal((32, 3), seed=(step, replica))
    if step >= SENSOR_BREAKS_AT and replica == 1:
        x = tf.concat([x[:, :2], tf.fill((32, 1), 20.0)], axis=1)
    return x


def main():
    """Train for some seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fixed", action="store_true", help="keep the variance above 0")
    smallest = 1e-3 if parser.parse_args().fixed else 0.0

    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
    strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    with strategy.scope():
        weights = tf.Variable(tf.zeros((3, 1)))

    def replica_step(x):
        with tf.GradientTape() as tape:
            error = normalised(x, smallest) @ weights - (x[:, :1] - 20.0)
            loss = tf.reduce_mean(tf.square(error))
        replica = tf.distribute.get_replica_context()
        gradient = replica.all_reduce("MEAN", tape.gradient(loss, weights))
        weights.assign_sub(LEARNING_RATE * gradient)
        return loss

    @tf.function(autograph=False)  # no branches or loops for AutoGraph to rewrite
    def train_step(x):
        return strategy.run(replica_step, args=(x,))

    for step in range(STEPS):
        time.sleep(SECONDS_TO_LOAD)
        shares = strategy.experimental_distribute_values_from_function(
            lambda context, step=step: share_of(step, context.replica_id_in_sync_group)
        )
        loss = strategy.reduce("MEAN", train_step(shares), axis=None)
        if step % 5 == 0:
            print(f"step {step:2}  loss {loss:.4f}", flush=True)


if __name__ == "__main__":
    main()
