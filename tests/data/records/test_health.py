"""What health vectors say, and the health of values that are all there."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tfdbg_tui.data.records.debug_event_schema import message_class
from tfdbg_tui.data.records.health import Bad, Health, health_of_tensor, read_health
from tfdbg_tui.data.records.modes import VECTOR_LENGTH, Mode, mode_name
from tfdbg_tui.data.records.tensors import WrittenTensor

DT_FLOAT, DT_DOUBLE, DT_INT32, DT_COMPLEX64, DT_STRING = 1, 2, 3, 8, 7


def proto(dtype: int, shape: tuple[int, ...], **fields: Any) -> Any:
    dims = [{"size": size} for size in shape]
    return message_class("TensorProto")(dtype=dtype, tensor_shape={"dim": dims}, **fields)


def vector(*numbers: float) -> Any:
    content = np.array(numbers, "<f8").tobytes()
    return proto(DT_DOUBLE, (len(numbers),), tensor_content=content)


# ---------------------------------------------------------------------- vectors


@pytest.mark.parametrize(
    ("mode", "numbers", "health"),
    [
        (Mode.CURT_HEALTH, (7, 0), Health(tensor_id=7)),
        (Mode.CURT_HEALTH, (7, 1), Health(bad=Bad.UNTOLD, tensor_id=7)),
        (
            Mode.CONCISE_HEALTH,
            (-1, 12, 0, 2, 1),
            Health(bad=Bad.POS_INF | Bad.NAN, tensor_id=-1, size=12, neg_inf=0, pos_inf=2, nan=1),
        ),
        (
            Mode.FULL_HEALTH,
            (7, 1, 19, 3, 24, 4, 0, 0, 5, 6, 9),
            Health(
                bad=Bad.NEG_INF,
                tensor_id=7,
                device_id=1,
                dtype="float16",
                rank=3,
                size=24,
                neg_inf=4,
                pos_inf=0,
                nan=0,
                negative=5,
                zero=6,
                positive=9,
            ),
        ),
        (
            Mode.SHAPE,
            (7, 9, 2, 6, 2, 3, 0, 0, 0, 0),
            Health(tensor_id=7, dtype="int64", rank=2, size=6, shape=(2, 3)),
        ),
        (
            Mode.SHAPE,
            (7, 1, 0, 1, 0, 0, 0, 0, 0, 0),
            Health(tensor_id=7, dtype="float32", rank=0, size=1, shape=()),
        ),
        (
            Mode.SHAPE,
            (7, 1, 6, 64, 2, 2, 1, 2, 2, 4),
            Health(tensor_id=7, dtype="float32", rank=6, size=64, shape=(2, 2, 1, 2, 2, 4)),
        ),
        (
            Mode.SHAPE,
            (7, 1, 8, 64, 1, 2, 1, 2, 2, 2),
            Health(tensor_id=7, dtype="float32", rank=8, size=64, shape=(None, 1, 2, 1, 2, 2, 2)),
        ),
    ],
)
def test_what_each_mode_tells(mode: Mode, numbers: tuple[float, ...], health: Health) -> None:
    assert read_health(mode, vector(*numbers)) == health


@pytest.mark.parametrize("mode", VECTOR_LENGTH)
def test_a_vector_may_stand_in_the_typed_field(mode: Mode) -> None:
    numbers = [float(number) for number in range(VECTOR_LENGTH[mode])]
    typed = proto(DT_DOUBLE, (len(numbers),), double_val=numbers)
    assert read_health(mode, typed) == read_health(mode, vector(*numbers))


@pytest.mark.parametrize("mode", VECTOR_LENGTH)
@pytest.mark.parametrize("difference", [-1, 1])
def test_a_vector_of_another_length_says_nothing(mode: Mode, difference: int) -> None:
    assert read_health(mode, vector(*range(VECTOR_LENGTH[mode] + difference))) is None


@pytest.mark.parametrize("mode", [Mode.UNSPECIFIED, Mode.NO_TENSOR, Mode.FULL_NUMERICS, 8, 99])
def test_modes_without_health_say_nothing(mode: int) -> None:
    assert read_health(mode, vector(1, 2, 3, 4, 5)) is None


@pytest.mark.parametrize("mode", [*VECTOR_LENGTH, Mode.FULL_TENSOR])
def test_an_empty_proto_says_nothing(mode: Mode) -> None:
    assert read_health(mode, message_class("TensorProto")()) is None


@pytest.mark.parametrize("mode", VECTOR_LENGTH)
@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf, 1e300, -5.0], ids=str)
def test_senseless_numbers_in_a_vector_do_no_harm(mode: Mode, number: float) -> None:
    health = read_health(mode, vector(*[number] * VECTOR_LENGTH[mode]))
    assert health is None or isinstance(health, Health)


@given(st.lists(st.integers(0, 2**40), min_size=3, max_size=3))
def test_the_kinds_of_bad_follow_the_counts(counts: list[int]) -> None:
    concise = read_health(Mode.CONCISE_HEALTH, vector(1, 9, *counts))
    full = read_health(Mode.FULL_HEALTH, vector(1, 0, 1, 1, 9, *counts, 0, 0, 0))
    assert concise is not None
    assert full is not None
    for health in (concise, full):
        assert [health.neg_inf, health.pos_inf, health.nan] == counts
        kinds = (Bad.NEG_INF, Bad.POS_INF, Bad.NAN)
        assert [kind in health.bad for kind in kinds] == [count > 0 for count in counts]


def test_modes_have_the_recorders_names() -> None:
    from tensorflow.core.protobuf.debug_event_pb2 import TensorDebugMode

    for name, number in TensorDebugMode.items():
        assert mode_name(number) == name
    assert mode_name(99) == "MODE_99"


# ---------------------------------------------------------------------- values


def recounted(values: npt.NDArray[Any]) -> dict[str, int]:
    """The counts, one number after the other."""
    counts = dict.fromkeys(("neg_inf", "pos_inf", "nan", "negative", "zero", "positive"), 0)
    for number in values.ravel().tolist():
        if number != number:
            counts["nan"] += 1
        elif number in (float("inf"), float("-inf")):
            counts["pos_inf" if number > 0 else "neg_inf"] += 1
        elif number == 0:
            counts["zero"] += 1
        else:
            counts["positive" if number > 0 else "negative"] += 1
    return counts


@given(
    hnp.arrays(
        st.sampled_from([np.float16, np.float32, np.float64]),
        hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5),
    )
)
def test_the_health_of_floats_equals_a_recount(values: npt.NDArray[Any]) -> None:
    written = WrittenTensor(values.dtype.name, values.shape, values.size, values.reshape(-1))
    health = health_of_tensor(written)
    assert {name: getattr(health, name) for name in recounted(values)} == recounted(values)
    assert (health.rank, health.shape, health.size) == (values.ndim, values.shape, values.size)
    assert health.dtype == values.dtype.name
    assert bool(health.bad) == (not np.isfinite(values).all())


def test_a_full_tensor_has_the_health_of_its_values() -> None:
    numbers = [1.0, -2.0, 0.0, float("inf"), float("-inf"), float("nan")]
    health = read_health(Mode.FULL_TENSOR, proto(DT_FLOAT, (2, 3), float_val=numbers))
    assert health == Health(
        bad=Bad.NEG_INF | Bad.POS_INF | Bad.NAN,
        dtype="float32",
        rank=2,
        shape=(2, 3),
        size=6,
        neg_inf=1,
        pos_inf=1,
        nan=1,
        negative=1,
        zero=1,
        positive=1,
    )


@pytest.mark.parametrize(
    ("number", "bad"),
    [
        (complex(1, 2), Bad.NONE),
        (complex(np.nan, 0), Bad.NAN),
        (complex(0, np.nan), Bad.NAN),
        (complex(np.inf, 0), Bad.POS_INF),
        (complex(0, np.inf), Bad.POS_INF),
        (complex(-np.inf, 0), Bad.NEG_INF),
    ],
    ids=str,
)
def test_a_complex_number_is_bad_if_a_part_is(number: complex, bad: Bad) -> None:
    values = [number.real, number.imag]
    health = read_health(Mode.FULL_TENSOR, proto(DT_COMPLEX64, (1,), scomplex_val=values))
    assert health is not None
    assert health.bad == bad
    assert (health.negative, health.zero, health.positive) == (None, None, None)


@pytest.mark.parametrize(
    ("dtype", "fields"), [(DT_INT32, {"int_val": [1, -1]}), (DT_STRING, {"string_val": [b"nan"]})]
)
def test_what_cannot_be_bad_is_not(dtype: int, fields: dict[str, Any]) -> None:
    health = read_health(Mode.FULL_TENSOR, proto(dtype, (2,), **fields))
    assert health is not None
    assert (health.bad, health.nan, health.size) == (Bad.NONE, None, 2)
