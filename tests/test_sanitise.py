"""Recorded text is hostile: nothing of it may reach the terminal as a command."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import unicodedata
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.recordings.fabricate import frame
from tfdbg_tui.cli import main
from tfdbg_tui.data.records.debug_event_schema import message_class
from tfdbg_tui.sanitise import MAX_LENGTH, sanitise

if TYPE_CHECKING:
    from pathlib import Path

BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
HOSTILE = {
    "escape": b"a\x1b[2J\x1b]0;owned\x07b",
    "eight-bit controls": "a\x9b31mb\x85c".encode(),
    "markup": b"[/x][bold red]a[/]",
    "bidi": f"a{BIDI}b".encode(),
    "newlines": b"a\nb\r\nc\x0bd\x0c",
    "separators": "a\u2028b\u2029c".encode(),
    "tabs": b"a\tb",
    "nul": b"a\0b",
    "long": b"n" * 10_000,
    "invalid": b"a\xff\xfe\xc0\x80b",
    "surrogate": b"a\xed\xa0\x80b",
    "delete": b"a\x7f\x08b",
}
DT_DOUBLE, FULL_HEALTH = 2, 4


def is_unsafe(character: str) -> bool:
    """Whether a terminal may take a character for a command or reorder text at it."""
    return unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") or character in BIDI


@given(st.text(st.characters()))
def test_what_is_left_is_one_safe_line(recorded: str) -> None:
    shown = sanitise(recorded)
    assert not any(map(is_unsafe, shown))
    shown.encode("utf-8")


@pytest.mark.parametrize("code", [*range(0x20), *range(0x7F, 0xA0), *map(ord, BIDI), 0xD800])
def test_every_control_stays_visible(code: int) -> None:
    shown = sanitise(f"a{chr(code)}b")
    assert len(shown) > 2
    assert shown.isprintable()


@given(st.text(st.characters(categories=["L", "N", "P", "S"]), max_size=MAX_LENGTH))
def test_ordinary_text_passes_unchanged(recorded: str) -> None:
    assert sanitise(recorded) == recorded


def test_a_long_name_is_cut_visibly() -> None:
    shown = sanitise("n" * 10_000)
    assert len(shown) == MAX_LENGTH
    assert shown.endswith("…")


# ---------------------------------------------------------------------- end to end


def event(**content: Any) -> bytes:
    return frame(message_class("DebugEvent")(wall_time=1.5, **content).SerializeToString())


def health_vector(nan: int) -> dict[str, Any]:
    numbers = struct.pack("<11d", 7, 0, 1, 2, 6, 0, 0, nan, 1, 2, 6 - 3 - nan)
    shape = {"dim": [{"size": 11}]}
    return {"dtype": DT_DOUBLE, "tensor_shape": shape, "tensor_content": numbers}


def hostile_recording(logdir: Path, name: bytes, eager: bool) -> None:
    """A recording with one bad tensor in which every text is `name`."""
    code_location = {"host_name": name, "stack_frame_ids": [name]}
    op = {"op_type": name, "graph_id": name}
    metadata = {"tensorflow_version": name, "file_version": name, "tfdbg_run_id": name}
    source = {"file_path": name, "host_name": name, "lines": [name]}
    place = {"file_index": 0, "line": 1, "func": name, "code": name}
    bad = health_vector(nan=1)
    files = {
        "metadata": event(debug_metadata=metadata),
        "source_files": event(source_file=source),
        "stack_frames": event(stack_frame_with_id={"id": name, "file_line_col": place}),
        "graphs": event(debugged_device={"device_name": name, "device_id": 0})
        + event(debugged_graph={"graph_id": name, "graph_name": name})
        + event(graph_op_creation={**op, "op_name": name, "code_location": code_location}),
        "execution": event(
            execution={
                **op,
                "num_outputs": 1,
                "tensor_debug_mode": FULL_HEALTH,
                "tensor_protos": [bad],
                "code_location": code_location,
                "output_tensor_device_ids": [0],
            }
        ),
        "graph_execution_traces": event(
            graph_execution_trace={
                "tfdbg_context_id": name,
                "op_name": name,
                "tensor_debug_mode": FULL_HEALTH,
                "tensor_proto": bad,
                "device_name": name,
            }
        ),
    }
    files.pop("graph_execution_traces" if eager else "execution")
    for suffix, data in files.items():
        (logdir / f"tfdbg_events.1.host.{suffix}").write_bytes(data)


def check_in_a_process(*arguments: str | Path | bytes) -> subprocess.CompletedProcess[bytes]:
    line = [sys.executable, "-m", "tfdbg_tui", "check", *arguments]
    return subprocess.run(line, capture_output=True, timeout=60, check=False)


class Checked(NamedTuple):
    """What `check` answered and wrote."""

    code: int
    out: bytes
    err: bytes


class Check:
    """`tfdbg-tui check` in this process."""

    def __init__(self, written: pytest.CaptureFixture[bytes]) -> None:
        self._written = written

    def __call__(self, *arguments: str | Path | bytes) -> Checked:
        code = main(["check", *map(os.fsdecode, arguments)])
        return Checked(code, *self._written.readouterr())


@pytest.fixture
def check(capsysbinary: pytest.CaptureFixture[bytes]) -> Check:
    return Check(capsysbinary)


def assert_harmless(output: bytes) -> None:
    """Every line may be written to a terminal."""
    shown = output.decode("utf-8")
    assert [
        character for line in shown.split("\n") for character in line if is_unsafe(character)
    ] == []
    assert "Traceback" not in shown


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("eager", [True, False], ids=["eager", "graph"])
def test_hostile_names_reach_no_terminal(
    tmp_path: Path, check: Check, kind: str, eager: bool
) -> None:
    hostile_recording(tmp_path, HOSTILE[kind], eager)
    text, machine = check(tmp_path), check(tmp_path, "--json")
    for done in (text, machine):
        assert done.code == 1
        assert done.err == b""
        assert_harmless(done.out)
    assert text.out.count(b"\n") <= 16
    assert b"NaN 1 of 6 elements" in text.out
    (run,) = json.loads(machine.out)["runs"]
    assert run["run_id"] == HOSTILE[kind].decode("utf-8", "replace")
    assert run["first_bad"]["location"]["line"] == 1


@pytest.mark.parametrize("options", [[], ["--json"]], ids=["text", "json"])
def test_a_process_writes_them_harmlessly_too(tmp_path: Path, options: list[str]) -> None:
    for number, name in enumerate(HOSTILE.values()):
        folder = tmp_path / str(number)
        folder.mkdir()
        hostile_recording(folder, name, eager=number % 2 == 0)
    done = check_in_a_process(tmp_path, *options)
    assert done.returncode == 1
    assert done.stderr == b""
    assert_harmless(done.stdout)
    assert done.stdout.count(b"NaN 1 of 6 elements" if not options else b'"bad"') == len(HOSTILE)


@pytest.mark.parametrize("kind", ["escape", "newlines", "bidi", "invalid"])
def test_a_hostile_run_id_is_harmless_in_the_sentence_about_unknown_runs(
    tmp_path: Path, check: Check, kind: str
) -> None:
    hostile_recording(tmp_path, HOSTILE[kind], eager=True)
    done = check(tmp_path, "--run", "none")
    assert done.code == 2
    assert_harmless(done.err)
    assert done.err.count(b"\n") == 1


@pytest.mark.parametrize("kind", ["escape", "markup", "bidi", "invalid", "eight-bit controls"])
def test_hostile_host_and_folder_names_are_harmless(
    tmp_path: Path, check: Check, kind: str
) -> None:
    name = HOSTILE[kind].replace(b"/", b"")
    folder = bytes(tmp_path) + b"/" + name
    os.mkdir(folder)  # noqa: PTH102 - a name that is no text
    metadata = {"tfdbg_run_id": b"00000001", "tensorflow_version": b"2.21.0"}
    path = folder + b"/tfdbg_events.1." + name + b".metadata"
    with open(path, "wb") as file:
        file.write(event(debug_metadata=metadata))
    os.utime(path, (1, 1))  # nobody waits for it to grow
    for arguments in ([folder], [folder, "--json"], [folder, "--run", "none"], [folder + b"/none"]):
        done = check(*arguments)
        assert done.code in (0, 2)
        assert_harmless(done.out)
        assert_harmless(done.err)
    in_a_process = check_in_a_process(folder)
    assert_harmless(in_a_process.stdout)
    assert_harmless(in_a_process.stderr)
