"""What a recorded tensor says by TensorFlow's own decoding: the truth ours is held against."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tests.recordings import reference
from tfdbg_tui.data.records.health import Bad, Health

if TYPE_CHECKING:
    import numpy.typing as npt

    Fingerprint = dict[str, Any]


def expected_health(mode: str, tensor_proto: Any) -> Health | None:
    """What a recorded tensor says by TensorFlow's own decoding; None fields are not told."""
    import tensorflow as tf

    # An empty proto stands for an output that the mode or a filter leaves out.
    if mode in ("UNSPECIFIED", "NO_TENSOR") or not tensor_proto.dtype:
        return None
    values = reference.tensor_values(tensor_proto)
    if mode == "FULL_TENSOR":
        return _health_of_values(values, tf.as_dtype(tensor_proto.dtype))
    numbers = [int(number) for number in values]
    if mode == "CURT_HEALTH":
        return Health(bad=Bad.UNTOLD if numbers[1] else Bad.NONE, tensor_id=numbers[0])
    if mode == "CONCISE_HEALTH":
        counted = ("tensor_id", "size", "neg_inf", "pos_inf", "nan")
        return _with_flags(dict(zip(counted, numbers, strict=True)))
    if mode == "SHAPE":
        tensor_id, dtype, rank, size, *last = numbers
        shape = tuple(last[:rank]) if rank <= len(last) else (None, *last)
        name = tf.as_dtype(dtype).name
        return Health(tensor_id=tensor_id, dtype=name, rank=rank, size=size, shape=shape)
    assert mode == "FULL_HEALTH"
    names = (
        "tensor_id", "device_id", "dtype", "rank", "size",
        "neg_inf", "pos_inf", "nan", "negative", "zero", "positive",
    )  # fmt: skip
    told: dict[str, Any] = dict(zip(names, numbers, strict=True))
    return _with_flags({**told, "dtype": tf.as_dtype(told["dtype"]).name})


def _with_flags(told: dict[str, Any]) -> Health:
    bad = Bad.NONE
    for name, kind in (("neg_inf", Bad.NEG_INF), ("pos_inf", Bad.POS_INF), ("nan", Bad.NAN)):
        if told.get(name):
            bad |= kind
    return Health(bad=bad, **told)


def _health_of_values(values: npt.NDArray[Any], dtype: Any) -> Health:
    told: dict[str, Any] = {
        "dtype": dtype.base_dtype.name,
        "rank": values.ndim,
        "shape": values.shape,
        "size": values.size,
    }
    if not (dtype.is_floating or dtype.is_complex):
        return Health(**told)
    names: tuple[str, ...] = ("neg_inf", "pos_inf", "nan")
    if dtype.is_floating:
        names += ("negative", "zero", "positive")
    kinds = [_kind(complex(element)) for element in values.ravel().tolist()]
    return _with_flags({**told, **{name: kinds.count(name) for name in names}})


def _kind(element: complex) -> str:
    """One element counts once: NaN if a part is, -inf if its real part is."""
    real, imaginary = element.real, element.imag
    if math.isnan(real) or math.isnan(imaginary):
        return "nan"
    if math.isinf(real) or math.isinf(imaginary):
        return "neg_inf" if real == -math.inf else "pos_inf"
    return "zero" if not element else "negative" if real < 0 else "positive"
