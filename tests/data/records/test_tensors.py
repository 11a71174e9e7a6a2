"""Every encoding of a TensorProto, against TensorFlow's own reading of the same bytes."""

from __future__ import annotations

import tracemalloc
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.support.encoding import FIELD_OF, FLOAT8, encoded, sample, typed_values, varint
from tfdbg_tui.data.records.debug_event_schema import message_class
from tfdbg_tui.data.records.tensors import (
    DTYPES,
    MAX_FILLED,
    dtype_name,
    may_be_bad,
    to_array,
    written_tensor,
)

Array = npt.NDArray[Any]


def ours(data: bytes) -> Array | None:
    return to_array(message_class("TensorProto").FromString(data))


def theirs(data: bytes) -> Array:
    """TensorFlow's reading, with the types that numpy does not have as float32."""
    import tensorflow as tf
    from tensorflow.core.framework import tensor_pb2

    values: Array = tf.make_ndarray(tensor_pb2.TensorProto.FromString(data))
    if values.dtype.names:  # quantised types come as records of one field
        values = values[values.dtype.names[0]]
    name = values.dtype.name
    if "float" in name and not hasattr(np, name):
        return values.astype(np.float32)
    return values.astype(np.int8) if name in ("int4", "int2") else values


def assert_same(data: bytes) -> None:
    found, expected = ours(data), theirs(data)
    assert found is not None
    assert found.shape == expected.shape
    np.testing.assert_array_equal(found, expected.astype(found.dtype))
    if expected.dtype.kind in "fc":
        numbers = ~np.isnan(expected.real)  # the sign of zero counts, that of NaN does not
        signs = np.signbit(found.real[numbers]), np.signbit(expected.real[numbers])
        np.testing.assert_array_equal(*signs)


# ---------------------------------------------------------------------- against TensorFlow


@pytest.mark.parametrize("dtype", sorted(FIELD_OF))
@pytest.mark.parametrize("shape", [(6,), (2, 3), (1, 6, 1)], ids=str)
def test_typed_fields(dtype: str, shape: tuple[int, ...]) -> None:
    values = typed_values(dtype, sample(dtype))
    assert_same(encoded(dtype, shape, **{FIELD_OF[dtype]: values}))


@pytest.mark.parametrize("dtype", sorted(FIELD_OF))
def test_the_last_value_fills_what_is_left_out(dtype: str) -> None:
    for given_values in range(7):
        values = typed_values(dtype, sample(dtype)[:given_values])
        assert_same(encoded(dtype, (2, 3), **{FIELD_OF[dtype]: values}))


@pytest.mark.parametrize("dtype", sorted({*FIELD_OF, *FLOAT8} - {"int4", "uint4", "int2", "uint2"}))
@pytest.mark.parametrize("shape", [(6,), (3, 2)], ids=str)
def test_tensor_content(dtype: str, shape: tuple[int, ...]) -> None:
    assert_same(encoded(dtype, shape, tensor_content=sample(dtype).tobytes()))


@pytest.mark.parametrize("dtype", ["qint8", "quint8", "qint16", "quint16", "qint32"])
def test_quantised_types(dtype: str) -> None:
    values = sample(dtype.removeprefix("q"))
    assert_same(encoded(dtype, (6,), tensor_content=values.tobytes()))
    assert_same(encoded(dtype, (6,), int_val=values.astype(np.int64).tolist()))


@pytest.mark.parametrize("dtype", sorted(FIELD_OF))
@pytest.mark.parametrize("shape", [(0,), (3, 0), ()], ids=str)
def test_empty_tensors_and_scalars(dtype: str, shape: tuple[int, ...]) -> None:
    assert_same(encoded(dtype, shape))
    if not shape:
        values = sample(dtype)[4:5]
        assert_same(encoded(dtype, shape, **{FIELD_OF[dtype]: typed_values(dtype, values)}))


@given(hnp.arrays(np.float32, hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)))
def test_any_float_array_both_ways(values: Array) -> None:
    for fields in ({"tensor_content": values.tobytes()}, {"float_val": values.ravel().tolist()}):
        found = ours(encoded("float32", values.shape, **fields))
        np.testing.assert_array_equal(found, values)


@pytest.mark.parametrize("values", [[b"a", b"", b"\xff\0", b"d"], [b"a", b"b"], []], ids=str)
def test_strings_in_their_own_field(values: list[bytes]) -> None:
    found = ours(encoded("string", (2, 2), string_val=values))
    filler = values[-1] if values else b""
    assert found is not None
    assert found.tolist() == np.array([*values, *[filler] * 4][:4], object).reshape(2, 2).tolist()


def test_a_scalar_string() -> None:
    found = ours(encoded("string", (), string_val=[b"once"]))
    assert found is not None
    assert found.item() == b"once"


@pytest.mark.parametrize("values", [["a", "", "long" * 100, "\xff"], ["one"], []], ids=len)
def test_strings_in_tensor_content_as_graph_traces_hold_them(values: list[str]) -> None:
    raw = [value.encode("latin-1") for value in values]
    content = b"".join(varint(len(value)) for value in raw) + b"".join(raw)
    data = encoded("string", (len(raw),), tensor_content=content)
    import tensorflow as tf

    expected = tf.io.parse_tensor(data, tf.string).numpy()
    found = ours(data)
    assert found is not None
    assert found.tolist() == expected.tolist() == raw


# ---------------------------------------------------------------------- small floats


@pytest.mark.parametrize("dtype", FLOAT8)
def test_every_code_of_the_8_bit_floats(dtype: str) -> None:
    codes = np.arange(256, dtype=np.uint8)
    expected = codes.view(getattr(ml_dtypes, dtype)).astype(np.float32)
    for field in ("tensor_content", "float8_val"):
        found = ours(encoded(dtype, (256,), **{field: codes.tobytes()}))
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("dtype", "kind"), [("float16", np.float16), ("bfloat16", ml_dtypes.bfloat16)]
)
def test_every_code_of_the_16_bit_floats(dtype: str, kind: Any) -> None:
    codes = np.arange(1 << 16, dtype=np.uint16)
    expected = codes.view(kind).astype(np.float32)
    for fields in ({"tensor_content": codes.tobytes()}, {"half_val": codes.tolist()}):
        found = ours(encoded(dtype, codes.shape, **fields))
        assert found is not None
        np.testing.assert_array_equal(found.astype(np.float32), expected)


# ---------------------------------------------------------------------- what does not fit


@pytest.mark.parametrize(
    "fields",
    [
        {"tensor_content": bytes(4)},
        {"tensor_content": bytes(15)},
        {"tensor_content": bytes(20)},
        {"tensor_content": bytes(17)},
        {"float_val": [1.0] * 5},
    ],
    ids=str,
)
def test_wrong_sizes_are_no_tensor(fields: dict[str, Any]) -> None:
    assert ours(encoded("float32", (2, 2), **fields)) is None


@pytest.mark.parametrize("shape", [(-1,), (-2, -2), (-1, -1), (2, -1, -2), (-1, 0)], ids=str)
def test_negative_dimensions_are_no_tensor(shape: tuple[int, ...]) -> None:
    for values in ([], [1.0], [1.0] * 4):
        assert ours(encoded("float32", shape, float_val=values)) is None


@pytest.mark.parametrize("shape", [(1 << 45,), (1 << 62,), (1 << 31, 1 << 31, 1 << 31)], ids=str)
@pytest.mark.parametrize("dtype", ["float32", "string"])
def test_a_shape_that_no_memory_holds_is_no_tensor(dtype: str, shape: tuple[int, ...]) -> None:
    assert ours(encoded(dtype, shape)) is None


@pytest.mark.parametrize("shape", [(0, 1 << 62, 1 << 62), (1 << 62, 0, 1 << 40)], ids=str)
@pytest.mark.parametrize("dtype", ["float32", "string", "bfloat16"])
def test_nothing_at_all_of_dimensions_beyond_counting_is_no_array(
    dtype: str, shape: tuple[int, ...]
) -> None:
    proto = message_class("TensorProto").FromString(encoded(dtype, shape))
    assert to_array(proto) is None
    written = written_tensor(proto)
    assert written is not None
    assert (written.shape, written.size, len(written.codes)) == (shape, 0, 0)


@pytest.mark.parametrize("dtype", ["float32", "complex128", "bool"])
def test_few_values_are_made_many_only_where_these_take_little_memory(dtype: str) -> None:
    (number,) = (number for number, known in DTYPES.items() if known.name == dtype)
    most = MAX_FILLED // np.dtype(DTYPES[number].storage).itemsize
    tracemalloc.start()
    try:
        assert ours(encoded(dtype, (most + 1,))) is None
        assert tracemalloc.get_traced_memory()[1] < MAX_FILLED // 100
    finally:
        tracemalloc.stop()
    made = ours(encoded(dtype, (most // 1000,)))
    assert made is not None
    assert made.size == most // 1000


@pytest.mark.parametrize("dtype", [0, 20, 21, 99, 10_000, -1])
def test_types_without_values_are_no_tensor(dtype: int) -> None:
    proto = message_class("TensorProto")(dtype=dtype, tensor_content=b"12345678")
    assert to_array(proto) is None


@given(st.binary(max_size=60))
def test_any_message_is_read_or_refused(data: bytes) -> None:
    from google.protobuf.message import DecodeError

    try:
        proto = message_class("TensorProto").FromString(b"\x08\x01" + data)
    except DecodeError:
        return
    found = to_array(proto)
    assert found is None or found.size >= 0


# ---------------------------------------------------------------------- names


def test_every_type_of_tensorflow_has_its_name() -> None:
    import tensorflow as tf
    from tensorflow.core.framework import types_pb2

    numbers = [number for number in types_pb2.DataType.values() if 0 < number < 100]
    assert {n: dtype_name(n) for n in numbers} == {n: tf.as_dtype(n).name for n in numbers}
    assert dtype_name(101) == "float32"  # a reference to a float32


def test_only_floats_and_complex_numbers_may_be_bad() -> None:
    import tensorflow as tf

    for number in DTYPES:
        dtype = tf.as_dtype(number)
        assert may_be_bad(number) == (dtype.is_floating or dtype.is_complex)
