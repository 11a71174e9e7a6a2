"""Tensors that claim much and write little, or write what does not fit what they claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.fuzz.hostile_values import hostile
from tfdbg_tui.data.records.debug_event_schema import parse
from tfdbg_tui.data.records.modes import VECTOR_LENGTH, Mode
from tfdbg_tui.data.records.tensors import DTYPES

if TYPE_CHECKING:
    from random import Random

SIZES = (0, 1, 2, 3, 7, 100, 1 << 16, 1 << 26, 1 << 31, 1 << 40, 1 << 62, (1 << 63) - 1, -1)
KINDS = {
    "float_val": "TYPE_FLOAT",
    "double_val": "TYPE_DOUBLE",
    "int_val": "TYPE_INT32",
    "string_val": "TYPE_BYTES",
    "scomplex_val": "TYPE_FLOAT",
    "int64_val": "TYPE_INT64",
    "bool_val": "TYPE_BOOL",
    "dcomplex_val": "TYPE_DOUBLE",
    "half_val": "TYPE_INT32",
    "uint32_val": "TYPE_UINT32",
    "uint64_val": "TYPE_UINT64",
}
"""The fields that hold values one by one, and of which type they are."""

MANY_TENSORS = (1, 1, 1, 2, 5, 300)


def with_hostile_tensors(payload: bytes, chance: Random) -> bytes:
    """A record of an event with other tensors in another mode."""
    event = parse(payload)
    if event is None:
        return payload
    mode = chance.choice((*[int(Mode.FULL_TENSOR)] * 6, *range(9), 99, -1))
    if event.HasField("execution"):
        record = event.execution
        del record.tensor_protos[:]
        for _ in range(chance.choice(MANY_TENSORS)):
            _fill(record.tensor_protos.add(), mode, chance)
        if chance.random() < 0.5:
            record.num_outputs = len(record.tensor_protos)
    elif event.HasField("graph_execution_trace"):
        record = event.graph_execution_trace
        record.ClearField("tensor_proto")
        _fill(record.tensor_proto, mode, chance)
    else:
        return payload
    record.tensor_debug_mode = mode
    changed: bytes = event.SerializeToString()
    return changed


def _fill(proto: Any, mode: int, chance: Random) -> None:
    number = chance.choice((*DTYPES, 1, 1, 2, 2, 14, 19, 0, 99, 101))
    shape = [chance.choice(SIZES) for _ in range(chance.choice((0, 1, 1, 1, 2, 3, 40)))]
    if mode in VECTOR_LENGTH and chance.random() < 0.8:
        number, shape = 2, [VECTOR_LENGTH[Mode(mode)]]
    proto.dtype = number
    for size in shape:
        proto.tensor_shape.dim.add(size=size)
    dtype = DTYPES.get(number % 100)
    if chance.random() < 0.3:
        proto.tensor_content = chance.randbytes(chance.choice((1, 3, 8, 16, 88, 4000)))
    if dtype is not None and dtype.field in KINDS:
        count = chance.choice((0, 1, 1, 2, 3, 7, VECTOR_LENGTH.get(Mode.FULL_HEALTH, 0)))
        values = [hostile(KINDS[dtype.field], chance, []) for _ in range(count)]
        getattr(proto, dtype.field).extend(values)
    elif dtype is not None and dtype.field == "float8_val":
        proto.float8_val = chance.randbytes(chance.randrange(5))
