"""What is offered to be run again, from notes that may be anybody's: word for word, or not."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.navigating import browsing
from tests.support.noting import note
from tests.support.reading import load
from tfdbg_tui.commands import arguments
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.program.changed_sources import MAX_BYTES, compared
from tfdbg_tui.program.record_again import MAX_COMMAND, Refusal, Request, request, wanted_of

if TYPE_CHECKING:
    from tfdbg_tui.data.views.navigator import Navigator

LOG = 60
"""The trace of the first -inf in the frozen recording, in step 7."""


@pytest.fixture
def logdir(frozen: Path, tmp_path: Path) -> Path:
    """A recording of one's own, to note something beside it."""
    return Path(shutil.copytree(frozen, tmp_path / "logdir"))


def browsed(logdir: Path) -> Navigator:
    return browsing(load(logdir).runs[-1])


def asked(logdir: Path, kind: EventKind = EventKind.TRACE, event: int = LOG) -> Request | Refusal:
    navigator = browsed(logdir)
    assert navigator.run is not None
    assert navigator.index is not None
    return request(navigator.run.run, navigator.index, EventRef(0, kind, event), str(logdir))


def started(logdir: Path, **facts: Any) -> Path:
    """Notes of a script that is there, with what is other about it."""
    folder = logdir.parent / "my project"
    folder.mkdir()
    (folder / "train.py").write_text("pass\n")
    known = {"folder": str(folder), "python": sys.executable}
    return note(logdir, **{**known, **facts})


def refused(logdir: Path, **facts: Any) -> str:
    answer = asked(started(logdir, **facts))
    assert isinstance(answer, Refusal)
    return answer.sentence


def test_the_command_records_the_tensor_and_its_inputs_up_to_its_step(logdir: Path) -> None:
    answer = asked(started(logdir))
    assert isinstance(answer, Request)
    where = logdir / "values"
    assert answer.words == (
        "run", "--mode", "FULL_TENSOR", "--op-regex", "^(?:Log|Placeholder|Softmax)$",
        "--op-names", "Log,probs,Softmax", "--until-step", "7", "--logdir", str(where),
        "train.py", "--epochs", "3",
    )  # fmt: skip
    cd, run = answer.lines
    assert shlex.split(cd) == ["cd", str(logdir.parent / "my project")]
    assert shlex.split(run) == ["tfdbg-tui", *answer.words]
    options = arguments.parse(list(answer.words))
    assert options.script == ["train.py", "--epochs", "3"]
    assert options.op_names == ("Log", "probs", "Softmax")
    assert (options.until_step, options.command) == (7, "run")


def test_an_eager_op_has_no_name_and_no_function_is_looked_into(logdir: Path) -> None:
    navigator = browsed(logdir)
    assert navigator.index is not None
    executions = navigator.index.host.executions
    types = [executions.site_of(event).op_type for event in range(len(executions))]
    eager = next(event for event, op_type in enumerate(types) if not op_type.startswith("__"))
    wanted = wanted_of(navigator.index, EventRef(0, EventKind.EXECUTION, eager, 0))
    assert wanted is not None
    assert types[eager] in wanted.op_regex
    answer = asked(started(logdir), EventKind.EXECUTION, eager)
    assert isinstance(answer, Request)
    assert arguments.parse(list(answer.words)).op_names == wanted.op_names


def test_a_call_is_found_again_whatever_its_number(logdir: Path) -> None:
    navigator = browsed(logdir)
    assert navigator.index is not None
    executions = navigator.index.host.executions
    types = [executions.site_of(event).op_type for event in range(len(executions))]
    call = next(event for event, op_type in enumerate(types) if op_type.startswith("__inference"))
    wanted = wanted_of(navigator.index, EventRef(0, EventKind.EXECUTION, call, 0))
    assert wanted is not None
    assert "(?:_[0-9]+)+" in wanted.op_regex
    assert types[call] not in wanted.op_regex


def test_what_looks_like_an_option_is_a_script_still(logdir: Path) -> None:
    odd = started(logdir, command=["--logdir", "--until-bad", "x"])
    (logdir.parent / "my project" / "--logdir").write_text("pass\n")
    answer = asked(odd)
    assert isinstance(answer, Request)
    options = arguments.parse(list(answer.words))
    assert options.script == ["--logdir", "--until-bad", "x"]
    assert (options.logdir, options.until_bad) == (str(logdir / "values"), False)


@pytest.mark.parametrize("hostile", ["\x1b[2J", "a\nrm -rf", "\u202eyp.niart", "\x9b2J"])
def test_a_command_that_cannot_be_shown_is_not_offered(logdir: Path, hostile: str) -> None:
    assert "characters that cannot be shown" in refused(logdir, command=["train.py", hostile])


def test_neither_is_one_that_nobody_would_read(logdir: Path) -> None:
    assert "too long to be read" in refused(logdir, command=["train.py", "x" * MAX_COMMAND])


def test_neither_is_one_whose_script_or_folder_is_gone(logdir: Path) -> None:
    assert refused(logdir, command=["gone.py"]).startswith("There is no script gone.py in ")
    assert asked(note(logdir, folder="/there is none", started=9e9)) == Refusal(
        "The folder in which it was started is not there: /there is none."
    )


def test_a_relative_folder_is_nobodys(logdir: Path) -> None:
    assert "is not there: my project." in refused(logdir, folder="my project")


def test_what_is_other_than_at_the_first_time_is_said(logdir: Path) -> None:
    answer = asked(started(logdir, python="/opt/other/bin/python3"))
    assert isinstance(answer, Request)
    changed, unknown, python = answer.remarks
    assert changed == "train.py is not as recorded: steps may differ."
    assert unknown == "The recording has no source of train.py to compare it with."
    assert python.startswith("It ran with /opt/other/bin/python3; this is ")


def test_an_older_recording_does_not_tell_the_folder(
    logdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = started(logdir, folder=None)
    monkeypatch.chdir(logdir.parent / "my project")
    answer = asked(old)
    assert isinstance(answer, Request)
    assert answer.folder == str(logdir.parent / "my project")
    assert "The recording does not tell where it was started." in answer.remarks


def test_a_program_that_run_did_not_start_is_told_its_line(logdir: Path) -> None:
    answer = asked(logdir)
    assert isinstance(answer, Refusal)
    assert answer.code[0] == "tf.debugging.experimental.enable_dump_debug_info("
    assert '    tensor_debug_mode="FULL_TENSOR",' in answer.code
    answer = asked(note(logdir, started_by="record"))
    assert isinstance(answer, Refusal)
    assert answer.code[0] == "record.enable("
    assert answer.code[-1] == "    op_names=['Log', 'probs', 'Softmax'])"


def test_sources_are_compared_and_nothing_but_files_is_read(logdir: Path) -> None:
    navigator = browsed(logdir)
    assert navigator.index is not None
    sources = navigator.index.host.sources
    (path,) = compared(sources).changed
    number = next(n for n, file in enumerate(sources.files) if file and file.path == path)
    lines = sources.lines(number)
    assert lines is not None

    class Moved:
        """The same sources, in another place."""

        def __init__(self, path: Path) -> None:
            self.files = (sources.files[number]._replace(path=str(path)),)  # type: ignore[union-attr]

        def get(self, index: int) -> Any:
            return self.files[index]

        def lines(self, index: int) -> Any:
            return lines

    here = logdir.parent / "here.py"
    here.write_text("\n".join(lines))
    assert compared(Moved(here)).same == (str(here),)  # type: ignore[arg-type]
    here.write_text("\n".join((*lines, "")))
    assert compared(Moved(here)).changed == (str(here),)  # type: ignore[arg-type]
    here.write_bytes(b"x" * (MAX_BYTES + 1))
    for other in (here, Path("/dev/zero"), logdir, logdir / "none\x00"):
        assert compared(Moved(other)).changed == (str(other),)  # type: ignore[arg-type]
