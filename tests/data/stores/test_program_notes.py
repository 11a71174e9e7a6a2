"""Notes beside a recording: what is written is read, and nothing else is believed."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.data.stores.program_notes import MAX_BYTES, Program, read_notes
from tfdbg_tui.record.program_notes import ProgramNotes, facts_of_error

if TYPE_CHECKING:
    from pathlib import Path

FIRST = "tfdbg_program.json"


def error_of(program: str) -> dict[str, Any]:
    """The facts of the error that a program ends with."""
    try:
        exec(compile(program, "/home/me/train.py", "exec"), {})
    except BaseException as error:
        return facts_of_error(error, error.__traceback__)
    raise AssertionError(program)


def noted(tmp_path: Path, **facts: Any) -> Program:
    ProgramNotes.begin(tmp_path, **facts)
    program = read_notes(tmp_path / FIRST)
    assert program is not None
    return program


def test_what_is_noted_is_read(tmp_path: Path) -> None:
    program = noted(
        tmp_path, started_by="run", command=["/x/train.py", "--fast"], run_id="abc",
        op_regex="Log", dtypes=["float32"], keep=5, jit=False, keras_backend="jax",
        other_threads=2, started=1.5, ended=2, exit_code=3, was_stopped=True,
    )  # fmt: skip
    assert program == Program(
        "run", ("/x/train.py", "--fast"), "abc", "Log", ("float32",), 5, False, "jax", 2,
        1.5, 2.0, 3, was_stopped=True,
    )  # fmt: skip
    assert program.name == "train.py"
    assert not program.failed, "somebody stopped it"


def test_more_can_be_noted_by_the_process_that_comes_after(tmp_path: Path) -> None:
    ours = ProgramNotes.begin(tmp_path, command=["train.py"])
    assert ours.path is not None
    ProgramNotes.resume(ours.path).add(run_id="abc")
    ProgramNotes.resume(ours.path).add(exit_code=1)
    program = read_notes(ours.path)
    assert program is not None
    assert (program.command, program.run_id, program.exit_code) == (("train.py",), "abc", 1)
    assert program.failed
    assert [path.name for path in tmp_path.iterdir()] == [FIRST]
    assert (tmp_path / FIRST).stat().st_mode & 0o777 == 0o600


def test_nobodys_file_is_written_to(tmp_path: Path) -> None:
    (tmp_path / FIRST).write_text("mine")
    (tmp_path / "elsewhere").write_text("mine too")
    (tmp_path / "tfdbg_program-2.json").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "tfdbg_program-3.json").symlink_to(tmp_path / "nowhere")
    notes = ProgramNotes.begin(tmp_path, run_id="abc")
    assert notes.path == tmp_path / "tfdbg_program-4.json"
    assert (tmp_path / FIRST).read_text() == "mine"
    assert (tmp_path / "elsewhere").read_text() == "mine too"
    assert not (tmp_path / "nowhere").exists()


def test_a_folder_that_takes_no_notes_costs_nothing(tmp_path: Path) -> None:
    notes = ProgramNotes.begin(tmp_path / "missing", run_id="abc")
    notes.add(exit_code=1)
    assert notes.path is None


def test_a_forked_child_notes_nothing(tmp_path: Path) -> None:
    notes = ProgramNotes.begin(tmp_path, run_id="abc")
    child = os.fork()
    if child == 0:
        notes.add(exit_code=9)
        os._exit(0)
    os.waitpid(child, 0)
    program = read_notes(tmp_path / FIRST)
    assert program is not None
    assert program.exit_code is None


def test_an_error_is_noted_with_the_users_line(tmp_path: Path) -> None:
    text = "import json\n\ndef load():\n    json.loads('{')\n\nload()"
    failure = noted(tmp_path, error=error_of(text)).failure
    assert failure is not None
    assert (failure.name, failure.type) == ("JSONDecodeError", "json.decoder.JSONDecodeError")
    assert "Expecting property name" in failure.message
    assert failure.line is not None
    assert failure.line[:3] == ("/home/me/train.py", 4, "load")
    assert not failure.is_of_recorder
    assert not failure.is_interrupt


def test_the_op_that_tensorflow_blames_is_known(tmp_path: Path) -> None:
    message = "Incompatible shapes\\n\\t [[{{node loss/MatMul_1}}]] [Op:__inference_step_42]"
    failure = noted(tmp_path, error=error_of(f"raise ValueError('{message}')")).failure
    assert failure is not None
    assert failure.blamed.nodes == ("loss/MatMul_1",)
    assert failure.blamed.call == "__inference_step_42"


@pytest.mark.parametrize(
    "program",
    [
        "raise ValueError('cannot compile DebugNumericSummaryV2 for XLA')",
        "raise TypeError('not a Variable: Tensor(\"tfdbg_identity_3:0\")')",
    ],
)
def test_an_error_of_the_recorder_is_told_apart(tmp_path: Path, program: str) -> None:
    failure = noted(tmp_path, error=error_of(program)).failure
    assert failure is not None
    assert failure.is_of_recorder


def test_an_error_that_cannot_be_told_is_named(tmp_path: Path) -> None:
    program = "class Mine(Exception):\n    def __str__(self):\n        raise self\nraise Mine"
    failure = noted(tmp_path, error=error_of(program)).failure
    assert failure is not None
    assert (failure.name, failure.message) == ("Mine", "")


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b" " * (MAX_BYTES + 1) + b"{}",
        b'{"exit_code": ' + b"9" * 5000 + b"}",
    ],
)  # fmt: skip
def test_what_is_no_note_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FIRST).write_bytes(content)
    assert read_notes(tmp_path / FIRST) is None


@pytest.mark.parametrize(
    "value",
    [None, True, "x\ud800", 1e400, float("nan"), 1 << 70, [], [[]], {}, {"type": 3}, [1, "a"]],
)
def test_a_value_of_another_kind_counts_as_not_noted(tmp_path: Path, value: object) -> None:
    facts = dict.fromkeys((*Program._fields, "error"), value)
    (tmp_path / FIRST).write_text(json.dumps(facts))
    program = read_notes(tmp_path / FIRST)
    assert program is not None
    assert read_notes(tmp_path / FIRST) == program, "a NaN would make every snapshot a new one"
    str(program).encode()


def test_frames_of_another_kind_are_left_out(tmp_path: Path) -> None:
    frames = [["a.py", 1, "f", "x"], ["a.py", "1", "f", "x"], [], None, ["b.py", 2, None, 3]]
    failure = noted(tmp_path, error={"type": "E", "frames": frames}).failure
    assert failure is not None
    assert failure.frames == (("a.py", 1, "f", "x"), ("b.py", 2, "", ""))


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / FIRST)
    assert read_notes(tmp_path / FIRST) is None


def test_a_logdir_knows_the_programs_of_its_folders(tmp_path: Path) -> None:
    logdir = Logdir(tmp_path)
    logdir.scan()
    assert logdir.program is None
    notes = ProgramNotes.begin(tmp_path, command=["train.py"], started=1.0)
    ProgramNotes.begin(tmp_path, command=["older.py"], started=0.5)
    logdir.scan()
    assert logdir.program is not None
    assert logdir.program.name == "train.py"
    notes.add(exit_code=1)
    logdir.scan()
    assert logdir.program.failed
    for path in tmp_path.iterdir():
        path.unlink()
    logdir.scan()
    assert logdir.program is None
