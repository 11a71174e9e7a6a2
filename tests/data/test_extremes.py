"""Records with good checksums and numbers beyond all bounds: judged, passed over, or left out.

Each was a traceback, or cost seconds and gigabytes. What is asked is that nothing raises, that
what is said is right, and that nothing is made that is only claimed.
"""

from __future__ import annotations

import json
import math
import tracemalloc
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.fuzz.looking import look_at_all, run_commands
from tests.support import damage
from tests.support.damage import BAD_VECTOR, GOOD_VECTOR, trace, write_files
from tests.support.navigating import browsing, index_of
from tests.support.reading import hosts_of, load
from tfdbg_tui.commands.check import check
from tfdbg_tui.data.records import debug_event_schema, health, tensors
from tfdbg_tui.data.records.debug_event_schema import message_class, parse
from tfdbg_tui.data.records.health import Bad, read_health
from tfdbg_tui.data.records.tensor_spans import MAX_TENSORS
from tfdbg_tui.data.views.health_facts import health_facts
from tfdbg_tui.widgets.highlight import HighlightedSource

if TYPE_CHECKING:
    from pathlib import Path

FULL_TENSOR = 7
CLEAN, BAD = 0, 1
MEGABYTE = 1 << 20
DIGITS = b"9" * 4301
"""More than Python makes a number of."""


def tensor(dtype: int, *shape: int, **values: Any) -> dict[str, Any]:
    """A TensorProto of a shape, with whatever values are written."""
    return {"dtype": dtype, "tensor_shape": {"dim": [{"size": n} for n in shape]}, **values}


def execution(*tensors: dict[str, Any], mode: int = FULL_TENSOR, **more: Any) -> bytes:
    """An eager op that put tensors out."""
    told = {"op_type": b"X", "num_outputs": len(tensors), "tensor_debug_mode": mode}
    return damage.event(wall_time=2.0, execution={**told, "tensor_protos": tensors, **more})


def see_all(logdir: Path) -> None:
    """Every command and every pane."""
    run_commands(logdir, (["check"], ["check", "--json"]))
    look_at_all(logdir, seed=0)


# ------------------------------------------------------------------ values that stand for many

CLAIMS = {
    "NaN": (tensor(1, 1 << 26, float_val=[math.nan]), Bad.NAN),
    "one of each": (tensor(1, 1 << 26, float_val=[math.inf, -math.inf, 1]), Bad(3)),
    "zeros": (tensor(1, 1 << 26), Bad.NONE),
    "halves": (tensor(19, 1 << 30, 1 << 30, half_val=[0x7E00]), Bad.NAN),
    "complex": (tensor(18, 1 << 40, dcomplex_val=[0, math.inf]), Bad.POS_INF),
    "bfloat16": (tensor(14, 1 << 40, half_val=[0xFF80]), Bad.NEG_INF),
    "8 bits": (tensor(24, 1 << 40, float8_val=b"\x7f"), Bad.NAN),
    "strings": (tensor(7, 1 << 26, string_val=[b"x" * 1000]), Bad.NONE),
    "whole numbers": (tensor(9, 1 << 40, int64_val=[1]), Bad.NONE),
    "nothing at all": (tensor(1, 0, 1 << 62, 1 << 62), Bad.NONE),
}
"""Tensors of which hardly anything is written."""


@pytest.mark.parametrize("claim", CLAIMS)
def test_what_few_values_stand_for_is_not_made(tmp_path: Path, claim: str) -> None:
    proto, bad = CLAIMS[claim]
    write_files(
        tmp_path,
        graph_execution_traces=[trace(mode=FULL_TENSOR, tensor_proto=proto)] * 3,
        execution=[execution(proto, proto)] * 3,
    )
    see_all(tmp_path)
    tracemalloc.start()
    try:
        see_all(tmp_path)
        assert tracemalloc.get_traced_memory()[1] < 20 * MEGABYTE
    finally:
        tracemalloc.stop()
    assert check(str(tmp_path)).code == (BAD if bad else CLEAN)
    [host] = hosts_of(load(tmp_path))
    assert {host.traces.bad(row) for row in range(3)} == {bad}
    size = math.prod(dim["size"] for dim in proto["tensor_shape"]["dim"])
    told = host.traces.health(0)
    assert told is not None
    assert (told.bad, told.size) == (bad, size)
    if told.nan is not None and told.zero is not None:
        counts = (told.neg_inf, told.pos_inf, told.nan, told.negative, told.zero, told.positive)
        assert sum(count or 0 for count in counts) == size


@pytest.mark.parametrize("written", range(1, 6))
@pytest.mark.parametrize("dtype", [1, 2, 8, 14, 19, 24])
def test_the_last_value_weighs_as_many_as_are_left_out(dtype: int, written: int) -> None:
    codes = {14: [0x7FC0, 0x3F80, 0, 0xFF80, 0xBF80], 19: [0x7E00, 0x3C00, 0, 0xFC00, 0xBC00]}
    numbers = [math.nan, 1.0, 0.0, -math.inf, -1.0]
    field = tensors.DTYPES[dtype].field
    values: Any = codes.get(dtype, numbers)[:written]
    if field == "scomplex_val":
        values = [part for number in values for part in (number, 0.0)]
    elif field == "float8_val":
        values = bytes([0x7F, 0x3C, 0, 0xFC, 0xBC])[:written]
    repeated = message_class("TensorProto")(**tensor(dtype, 3, 4, **{field: values}))
    whole = tensors.to_array(repeated)
    assert whole is not None
    content = whole if dtype in (1, 2, 8) else whole.astype(np.float32)
    exact = tensors.WrittenTensor("float32", (3, 4), 12, content.reshape(-1))
    found, counted = read_health(FULL_TENSOR, repeated), health.health_of_tensor(exact)
    assert found is not None
    assert found._replace(dtype="") == counted._replace(dtype="")


def test_dimensions_beyond_all_counting_are_damage(tmp_path: Path) -> None:
    proto = tensor(1, 1 << 62, 1 << 62, float_val=[math.nan])
    write_files(tmp_path, execution=[execution({**proto, "float_val": [math.nan, 1.0]})])
    see_all(tmp_path)
    [host] = hosts_of(load(tmp_path))
    assert host.executions.health(0, 0) is None


# ------------------------------------------------------------------ more than is read


def test_values_beyond_the_budget_are_left_out_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (health, tensors):
        monkeypatch.setattr(module, "MAX_DECODED", 100)
    clean, late = [0x3C00] * 150, [*[0x3C00] * 149, 0x7E00]
    early = [0x7E00, *clean[1:]]
    for name, values in {"clean": clean, "late": late, "early": early}.items():
        proto = tensor(19, 150, half_val=values)
        write_files(tmp_path / name, graph_execution_traces=[trace(mode=7, tensor_proto=proto)])
        see_all(tmp_path / name)
    for name in ("clean", "late"):
        code, text = check(str(tmp_path / name))
        assert code == CLEAN
        assert "INCOMPLETE: no NaN or Inf in what could be read;" in text
        assert "too large to be read whole" in text
        assert "note: 1 tensor not read whole" in text
        printed = json.loads(check(str(tmp_path / name), as_json=True).text)
        assert printed["runs"][0]["verdict"] == "incomplete"
        assert printed["runs"][0]["damage"]["unjudged_tensors"] == 1
    code, text = check(str(tmp_path / "early"))
    assert code == BAD
    assert "NaN 1 among the first 100 of 150 elements" in text
    navigator = browsing(load(tmp_path / "early").runs[0])
    navigator.select_trace(0)
    facts = health_facts(index_of(navigator), navigator.selection)
    assert facts is not None
    assert facts.note == "Only 100 of 150 elements were read: they are written one by one."


def test_a_record_too_large_for_a_key_is_not_counted_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = np.ones(2_000_000, "<f4")
    numbers[-1] = np.nan
    proto = tensor(1, numbers.size, tensor_content=numbers.tobytes())
    small = trace(tensor_proto=GOOD_VECTOR)
    payloads = [trace(mode=7, tensor_proto=proto), small]
    write_files(tmp_path, graph_execution_traces=payloads, execution=[execution(proto)] * 2)
    monkeypatch.setattr("tfdbg_tui.data.views.health_facts.LARGEST_COUNTED", 7_000_000)
    see_all(tmp_path)
    navigator = browsing(load(tmp_path).runs[0])
    rows = navigator.trace_rows()
    assert rows is not None
    shown = rows.rows(0, 2)
    assert [(row.bad, row.health is None) for row in shown] == [(Bad.NAN, True), (0, False)]
    for select in (navigator.select_trace, navigator.select_execution):
        select(0)
        facts = health_facts(index_of(navigator), navigator.selection)
        assert facts is not None
        assert (facts.bad, facts.health) == (Bad.NAN, None)
        assert facts.note.startswith("A record of 8 MB: its numbers are not counted here.")
    assert "NaN 1 of 2,000,000 elements" in check(str(tmp_path)).text


def test_of_very_many_tensors_the_first_are_judged_and_the_rest_is_counted(
    tmp_path: Path,
) -> None:
    empty: dict[str, Any] = {}
    many = [BAD_VECTOR, *[empty] * 99_998, BAD_VECTOR]
    write_files(tmp_path, execution=[execution(*many, mode=4), execution(*many[1:], mode=4)])
    look_at_all(tmp_path, seed=0)
    code, text = check(str(tmp_path))
    assert code == BAD
    assert "BAD: 1 tensor with NaN or Inf" in text
    left_out = 100_000 + 99_999 - 2 * MAX_TENSORS
    assert f"note: {left_out:,} tensors not read whole" in text
    navigator = browsing(load(tmp_path).runs[0])
    navigator.select_execution(0, output=99_999)
    facts = health_facts(index_of(navigator), navigator.selection)
    assert facts is not None
    assert facts.note == "Of one record 65,536 tensors are judged, and this one has 100,000."


def test_all_tensors_that_can_be_judged_have_their_place(tmp_path: Path) -> None:
    small = damage.vector(1, 0)
    bad = damage.vector(1, 1)
    protos = [small] * MAX_TENSORS
    protos[1], protos[-1] = bad, bad
    write_files(tmp_path, execution=[execution(*protos, mode=2)])
    [host] = hosts_of(load(tmp_path))
    assert list(host.executions.bad_outputs(0)) == [1, MAX_TENSORS - 1]
    assert host.executions.unjudged_tensors == 0


def test_tensors_that_are_decoded_by_themselves_are_so_once_a_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    protos = [tensor(19, 2, half_val=[0x3C00, 0x7E00 if n == 77 else 0]) for n in range(100)]
    write_files(tmp_path, execution=[execution(*protos)] * 2)
    calls = []

    def counting(payload: bytes) -> Any:
        calls.append(payload)
        return parse(payload)

    monkeypatch.setattr("tfdbg_tui.data.stores.executions.parse", counting)
    [host] = hosts_of(load(tmp_path))
    assert [list(host.executions.bad_outputs(row)) for row in (0, 1)] == [[77], [77]]
    assert len(calls) <= 2 * 2


@pytest.mark.parametrize("what", ["tensors", "dimensions"])
def test_a_record_of_millions_of_empty_messages_is_damage(
    tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two bytes each on disk, and a hundred in memory."""
    many = 5000
    monkeypatch.setattr(debug_event_schema, "MAX_FIELDS", many - 1)
    if what == "tensors":
        inner = b"\x3a\x00" * many
        record = b"\x4a" + varint(len(inner)) + inner
    else:
        shape = b"\x12\x00" * many
        proto = b"\x12" + varint(len(shape)) + shape
        inner = b"\x3a" + varint(len(proto)) + proto
        record = b"\x4a" + varint(len(inner)) + inner
    write_files(tmp_path, execution=[record, execution(BAD_VECTOR, mode=4)])
    [host] = hosts_of(load(tmp_path))
    assert (len(host.executions), host.damage().corrupt_records) == (1, 1)
    assert check(str(tmp_path)).code == BAD


def varint(number: int) -> bytes:
    """A number as protobuf writes it."""
    octets = []
    while number >= 0x80:
        octets.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*octets, number])


# ------------------------------------------------------------------ slots, lines, times


def test_a_slot_of_thousands_of_digits_names_no_output(tmp_path: Path) -> None:
    ops = [
        {"op_type": b"SqrtGrad", "op_name": b"g/SqrtGrad", "input_names": [b"nobody:" + DIGITS]},
        {"op_type": b"Sqrt", "op_name": b"x", "input_names": [b"y:" + DIGITS, b"z:" + b"8" * 10]},
    ]
    write_files(
        tmp_path,
        graphs=[damage.event(graph_op_creation={**op, "graph_id": b"g"}) for op in ops],
        graph_execution_traces=[
            trace(op_name=op["op_name"], tensor_proto=BAD_VECTOR) for op in ops
        ],
    )
    see_all(tmp_path)
    assert check(str(tmp_path)).code == BAD


@pytest.mark.parametrize("line", [-(1 << 31), -100, -2, -1, 0, 3, (1 << 31) - 1])
def test_a_line_that_a_file_does_not_have_shows_no_other(tmp_path: Path, line: int) -> None:
    code = [b"first", b"second"]
    creation = {"op_type": b"Log", "op_name": b"x", "graph_id": b"g", "num_outputs": 1}
    located = {**creation, "code_location": {"stack_frame_ids": [b"f"]}}
    place = {"file_index": 0, "line": line, "func": b"f"}
    write_files(
        tmp_path,
        source_files=[damage.event(source_file={"file_path": b"/home/me/t.py", "lines": code})],
        stack_frames=[damage.event(stack_frame_with_id={"id": b"f", "file_line_col": place})],
        graphs=[damage.event(graph_op_creation=located)],
        graph_execution_traces=[trace(tensor_proto=BAD_VECTOR)],
    )
    see_all(tmp_path)
    text = check(str(tmp_path)).text
    assert "first" not in text.replace("first:", "").replace("The first", "")
    assert "second" not in text
    assert HighlightedSource(["first", "second"]).code_at(line) is None


@pytest.mark.parametrize("started", [1e18, -1e18, 1e300, -1e300, math.nan, math.inf, 1e11])
def test_a_run_that_began_in_no_year_can_be_chosen(tmp_path: Path, started: float) -> None:
    write_files(
        tmp_path,
        metadata=[damage.event(wall_time=started, debug_metadata={"tfdbg_run_id": b"r"})],
        execution=[execution(BAD_VECTOR, mode=4)],
        graph_execution_traces=[trace(wall_time=started, tensor_proto=BAD_VECTOR)],
    )
    see_all(tmp_path)
    assert check(str(tmp_path)).code == BAD


@pytest.mark.parametrize("number", [-1.0, -1e300, 1e300, 2.0**63, math.nan, math.inf])
def test_what_is_no_count_is_not_told(tmp_path: Path, number: float) -> None:
    vectors = [damage.vector(1, 0, 1, 1, 4, 0, 0, number, 0, number, 3), BAD_VECTOR]
    write_files(
        tmp_path,
        graph_execution_traces=[trace(tensor_proto=proto) for proto in vectors],
        execution=[execution(*vectors, mode=4)],
    )
    see_all(tmp_path)
    [host] = hosts_of(load(tmp_path))
    told = host.traces.health(0)
    assert told is not None
    assert (told.bad, told.nan, told.zero, told.positive) == (Bad.NAN, None, None, 3)


@pytest.mark.parametrize(
    ("dtype", "content"),
    [(1, b"\x01\x00\xa0\x7f"), (19, b"\x01\x7d"), (14, b"\x81\x7f")],
    ids=["float32", "float16", "bfloat16"],
)
def test_a_signalling_nan_is_a_nan(tmp_path: Path, dtype: int, content: bytes) -> None:
    proto = tensor(dtype, 3, tensor_content=content * 3)
    write_files(
        tmp_path,
        graph_execution_traces=[trace(mode=FULL_TENSOR, tensor_proto=proto)],
        execution=[execution(proto)],
    )
    see_all(tmp_path)
    assert "NaN 3 of 3 elements" in check(str(tmp_path)).text
