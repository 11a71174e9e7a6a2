"""Values that no recorder writes and every checksum allows, by the type of their field."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tests.recordings.hostile import HOSTILE

if TYPE_CHECKING:
    from random import Random

WHOLE = (0, 1, -1, 2, 7, 14, 19, 99, 101, 255, 256, 65_535, 65_536, 1 << 20, (1 << 31) - 1)
LARGE = (1 << 26, 1 << 31, 1 << 32, 1 << 40, 1 << 62, (1 << 63) - 1)
REAL = (
    0.0, -0.0, 1.0, -1.0, 0.5, math.nan, math.inf, -math.inf, 1e18, -1e18, 1e300, -1e300, 5e-324,
    1e9, 253402300800.0, 2.0**53, 65_536.0,
)  # fmt: skip
TEXTS = (
    b"",
    b"x",
    b":",
    b"x:",
    b":0",
    b"x:" + b"9" * 4301,
    b"x:-1",
    "x:٣".encode(),
    b"x" * 5000,
    b"9" * 4301,
    b"__inference_f_" + b"9" * 4301,
    b"__forward_" + b"_1" * 3000,
    b"__inference___backward_f_1_2",
    b"gradient_tape/" * 400 + b"mul/Mul_1",
    b"while/body/" * 400,
    b"StatefulPartitionedCall/" * 200,
    b"(" * 2000,
    b"/" * 2000,
    b"../../../../etc/passwd",
    b"\xff\xfe\x00\x80",
    b"scratch_graph",
    b"Dataset_map_f",
    b"multi_step_on_iterator",
    b"Session.run",
    *HOSTILE.values(),
)
SLOTS = (b"", b"", b":0", b":1", b":" + b"9" * 4301, b":99999999999", b":-1", b":x")
"""What may stand behind the name of an op."""

RANGES = {
    "TYPE_INT32": (-(1 << 31), (1 << 31) - 1),
    "TYPE_INT64": (-(1 << 63), (1 << 63) - 1),
    "TYPE_UINT32": (0, (1 << 32) - 1),
    "TYPE_UINT64": (0, (1 << 64) - 1),
    "TYPE_BOOL": (0, 1),
}


def hostile(kind: str, chance: Random, names: list[bytes]) -> Any:
    """A value for a field of a type of protobuf; texts may be names that are used elsewhere."""
    if kind in ("TYPE_DOUBLE", "TYPE_FLOAT"):
        value = chance.choice(REAL)
        return value if kind == "TYPE_DOUBLE" or abs(value) < 1e38 else math.copysign(3e38, value)
    if kind == "TYPE_BYTES":
        if names and chance.random() < 0.5:
            return chance.choice(names) + chance.choice(SLOTS)
        return chance.choice(TEXTS)
    low, high = RANGES[kind]
    value = chance.choice((*WHOLE, *LARGE, low, high, chance.randint(low, high)))
    return max(low, min(high, value if chance.random() < 0.8 else -value))
