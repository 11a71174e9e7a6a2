"""Executions in encodings that the recorder does not use but the format allows."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.recordings.fabricate import frame
from tfdbg_tui.data.files.tfrecord import RecordFile
from tfdbg_tui.data.records.debug_event_schema import message_class
from tfdbg_tui.data.stores.executions import ExecutionStore
from tfdbg_tui.data.stores.logdir import Logdir


def varint(number: int) -> bytes:
    octets = bytearray()
    while number >= 0x80:
        octets.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*octets, number])


def execution(ids: list[int], packed: bool, op_type: bytes = b"Mul") -> bytes:
    """An encoded execution with these output ids, in either of the two legal encodings."""
    inner = b"\x0a" + varint(len(op_type)) + op_type + b"\x10" + varint(len(ids))
    if packed:
        body = b"".join(map(varint, ids))
        inner += b"\x2a" + varint(len(body)) + body
    else:
        inner += b"".join(b"\x28" + varint(number) for number in ids)
    return b"\x09" + np.float64(1.5).tobytes() + b"\x4a" + varint(len(inner)) + inner


def loaded(path: Path, payloads: list[bytes]) -> ExecutionStore:
    path.write_bytes(b"".join(map(frame, payloads)))
    store = ExecutionStore(RecordFile(path))
    store.file.look()
    while (block := store.file.read()) is not None:
        store.extend(block)
    return store


@settings(deadline=None, max_examples=40, derandomize=True)
@given(
    st.lists(
        st.tuples(st.lists(st.integers(0, 2**40), max_size=3), st.booleans()),
        min_size=1,
        max_size=60,
    )
)
def test_ids_are_read_from_both_encodings(records: list[tuple[list[int], bool]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        payloads = [execution(ids, packed) for ids, packed in records]
        store = loaded(Path(folder) / "execution", payloads)
        assert store.events["first_output_id"].tolist() == [
            ids[0] if ids else -1 for ids, _ in records
        ]
        for row, (ids, _) in enumerate(records):
            found = store.read(row)
            assert found is not None
            assert (found.output_tensor_ids, found.site.num_outputs) == (tuple(ids), len(ids))


def test_only_bytes_that_cannot_change_the_structure_are_variable(tmp_path: Path) -> None:
    """With other bytes a varint could end elsewhere, and what follows would mean something else."""
    store = loaded(tmp_path / "execution", [])
    unpacked, packed = execution([133], packed=False), execution([133], packed=True)
    for payload, is_variable in ((unpacked, False), (packed, True)):
        learned = store.learn(payload)
        assert learned is not None
        start = payload.index(b"\x85\x01")
        assert ((start, start + 2) in learned.layout.variable) == is_variable


def test_the_oldest_and_newest_versions_are_read_as_far_as_the_fields_go(tmp_path: Path) -> None:
    for version in (b"", b"debug.Event:0", b"debug.Event:99"):
        folder = tmp_path / (version.decode() or "none")
        folder.mkdir()
        stated = message_class("DebugEvent")(
            wall_time=1.0, debug_metadata={"file_version": version, "tfdbg_run_id": b"r"}
        )
        unknown = stated.SerializeToString() + b"\xf2\x07\x03new"  # field 126, of tomorrow
        (folder / "tfdbg_events.1.h.metadata").write_bytes(frame(unknown))
        newer = execution([7], packed=True) + b"\xf2\x07\x03new"
        (folder / "tfdbg_events.1.h.execution").write_bytes(frame(newer) * 3)
        logdir = Logdir(folder)
        logdir.load()
        (run,) = logdir.runs
        assert (run.run_id, run.file_version) == ("r", version.decode() or None)
        assert run.counts()["executions"] == 3
