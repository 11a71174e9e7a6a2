"""A recording of as many ops as one likes, in scopes as a deep model has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.support.damage import BAD_VECTOR, GOOD_VECTOR, event, trace, write_files

if TYPE_CHECKING:
    from pathlib import Path

METADATA = [
    event(
        wall_time=0,
        debug_metadata={
            "tensorflow_version": b"2.21.0",
            "file_version": b"debug.Event:1",
            "tfdbg_run_id": b"many",
        },
    )
]

LAYER, MODEL = 50, 1000
"""Ops of a layer and of a model."""

EVERY_BAD = 997
"""One op of so many is bad."""

DEVICE = b"/job:localhost/replica:0/task:0/device:CPU:0"


def op_name(number: int) -> str:
    """The name of an op: four levels."""
    layer = number // LAYER
    return f"model_{number // MODEL}/layer_{layer}/Add_{number % LAYER}/op_{number}"


def many_ops(directory: Path, ops: int, created: bool = True) -> Path:
    """Write it: each op is traced once, and some are bad; their creation may not be recorded."""
    graphs = [
        event(wall_time=1, debugged_graph={"graph_id": b"g", "graph_name": b"train_step"}),
        event(wall_time=1, debugged_device={"device_name": DEVICE, "device_id": 1}),
    ]
    traces = []
    for number in range(ops):
        told = {"op_name": op_name(number).encode(), "graph_id": b"g", "op_type": b"AddV2"}
        if created:
            graphs.append(event(wall_time=1, graph_op_creation={**told, "num_outputs": 1}))
        vector = GOOD_VECTOR if (number + 1) % EVERY_BAD else BAD_VECTOR
        names: dict[str, Any] = {"op_name": told["op_name"], "device_name": DEVICE}
        traces.append(trace(2 + number * 1e-6, tensor_proto=vector, **names))
    return write_files(directory, metadata=METADATA, graphs=graphs, graph_execution_traces=traces)
