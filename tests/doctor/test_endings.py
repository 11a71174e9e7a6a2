"""How the program ended is the first thing that the doctor says, where it was noted."""

from __future__ import annotations

import ast
import shlex
from typing import TYPE_CHECKING, Any

import pytest

from tests.doctor.test_findings import is_fit_to_be_read, line_with
from tests.support.examining import examine
from tests.support.noting import COMMAND, SCRIPT, error_of, examine_noted, note
from tfdbg_tui.commands.arguments import parse
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.doctor.finding import Level
from tfdbg_tui.doctor.findings import findings
from tfdbg_tui.doctor.observe import observe

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.doctor.finding import Finding

RAISED = error_of("def load():\n    raise ValueError('no data')\nload()")
INTERRUPTED = error_of("raise KeyboardInterrupt")
NO_TENSORFLOW = error_of("raise ModuleNotFoundError(\"No module named 'tensorflow'\")")


def first_of(logdir: Path, **facts: Any) -> Finding:
    """What is said first of a healthy recording whose program noted something."""
    found = examine_noted(logdir, **facts).found[0]
    assert all(map(is_fit_to_be_read, found))
    return found[0]


# ---------------------------------------------------------------------- the op that failed


@pytest.mark.parametrize(
    ("scenario", "op", "line", "raised"),
    [
        ("op_fails", "MatMul of score", "tf.matmul(tf.exp(x), w)", "step(x, uniform("),
        ("loop_fails", "while/GatherV2 of while_body", "tf.gather(x, i)", "tf.ones([3])"),
        ("data_fails", "StringToNumber of Dataset_map_parse", "to_number(line)", "for value in"),
        ("tf1_fails", "product (MatMul)", 'name="product"', "session.run([update"),
    ],
)
def test_the_op_that_failed_is_named_with_its_line(
    library: Library, scenario: str, op: str, line: str, raised: str
) -> None:
    finding = examine(library.path(scenario)).finding("script-failed")
    name, made = op.split(" of ")[0], line_with(line, "failures.py")
    assert finding.headline == f"train.py ended with InvalidArgumentError at {made} in {name}"
    assert finding.shorter[-1] == f"InvalidArgumentError at {made}"
    text = " ".join(finding.text)
    assert op in text
    assert f"{line_with(raised, 'failures.py')}." in text, "where the program got the error"


def test_an_eager_op_that_failed_is_named_by_its_type(library: Library) -> None:
    finding = examine(library.path("eager_fails")).finding("script-failed")
    where = line_with("tf.matmul(x, uniform", "failures.py")
    assert finding.headline == f"train.py ended with InvalidArgumentError at {where} in MatMul"
    assert finding.text[0].startswith("Matrix size-incompatible")


# ---------------------------------------------------------------------- how it ended


@pytest.mark.parametrize(
    ("facts", "identity", "level", "headline"),
    [
        (
            {"error": RAISED, "exit_code": 1},
            "script-failed",
            Level.PROBLEM,
            "train.py ended with ValueError at train.py:2",
        ),
        ({"exit_code": 3}, "script-failed", Level.PROBLEM, "train.py ended with exit code 3"),
        (
            {"exit_code": 139},
            "script-failed",
            Level.PROBLEM,
            "train.py ended with exit code 139 (SIGSEGV)",
        ),
        (
            {"error": INTERRUPTED, "exit_code": 130},
            "script-interrupted",
            Level.FACT,
            "train.py was interrupted at train.py:1",
        ),
        ({"exit_code": 143}, "script-stopped", Level.FACT, "train.py was stopped by SIGTERM"),
        (
            {"error": INTERRUPTED, "exit_code": 130, "was_stopped": True},
            "script-stopped",
            Level.FACT,
            "train.py was stopped",
        ),
        ({"command": ["-m", "my.train"], "exit_code": 1}, "script-failed", Level.PROBLEM, "my."),
        ({"command": [], "exit_code": 3}, "script-failed", Level.PROBLEM, "The program ended with"),
        ({"exit_code": 0}, "all-well", Level.FACT, "All is well"),
        ({}, "all-well", Level.FACT, "All is well"),
    ],
)
def test_how_it_ended_is_said_first(
    copy_of: Callable[[str], Path],
    facts: dict[str, Any],
    identity: str,
    level: Level,
    headline: str,
) -> None:
    finding = first_of(copy_of("healthy"), **facts)
    assert (finding.id, finding.level) == (identity, level)
    assert finding.headline.startswith(headline)


def test_where_it_failed_the_path_is_whole_and_all_is_not_well(
    copy_of: Callable[[str], Path],
) -> None:
    examined = examine_noted(copy_of("healthy"), error=RAISED, exit_code=1)
    assert examined.finding("script-failed").text == ("no data.", f"See {SCRIPT}:2.")
    assert "all-well" not in examined.ids


def test_a_killed_program_is_said_to_have_been_killed(copy_of: Callable[[str], Path]) -> None:
    examined = examine_noted(copy_of("killed"), exit_code=137)
    assert examined.ids[:2] == ["script-failed", "cut-tail"]
    assert "memory runs out" in examined.finding("script-failed").text[0]
    assert examined.finding("cut-tail").headline.endswith("SIGKILL ended the program")


def test_one_that_noted_no_end_and_is_gone_ended_without_a_word(
    copy_of: Callable[[str], Path],
) -> None:
    logdir = note(copy_of("healthy"), started_by="record")
    assert examine(logdir, writer=True).ids[0] == "all-well", "it runs"
    assert examine(logdir, writer=False).ids[0] == "script-vanished"


def test_hostile_notes_are_cleaned_and_cut(copy_of: Callable[[str], Path]) -> None:
    evil = "\x1b[31m" * 2000
    error = {"type": evil, "message": evil, "frames": [[evil, 1, evil, evil]]}
    examined = examine_noted(
        copy_of("healthy"), error=error, exit_code=1, command=[evil], op_regex=evil,
        dtypes=[evil], keras_backend=evil,
    )  # fmt: skip
    for finding in examined.found[0]:
        assert "\x1b" not in " ".join((finding.headline, *finding.shorter, *finding.text))
        assert len(finding.headline) < 400


# ---------------------------------------------------------------------- the recorder's own errors

XLA = (
    "Detected unsupported operations when trying to compile graph __inference_fused_17 on "
    "XLA_CPU_JIT: DebugNumericSummaryV2 [Op:__inference_fused_17]"
)


@pytest.mark.parametrize(
    ("started_by", "code"),
    [
        ("run", "tfdbg-tui run train.py --epochs 3"),
        ("record", "@tf.function(jit_compile=False)"),
    ],
)
def test_an_error_of_the_recorder_is_not_blamed_on_the_program(
    copy_of: Callable[[str], Path], started_by: str, code: str
) -> None:
    error = error_of(f"raise ValueError({XLA!r})")
    examined = examine_noted(copy_of("compiled"), started_by=started_by, error=error, exit_code=1)
    finding = examined.finding("recorder-failed")
    assert examined.ids[0] == finding.id
    assert finding.headline == "The recorder failed, not train.py: ValueError at train.py:1"
    assert finding.code[-1] == code
    assert "xla" not in examined.ids, "it is said already"


def test_variables_that_cannot_be_recorded_are_told_with_those_that_can(
    copy_of: Callable[[str], Path],
) -> None:
    frames = [
        [SCRIPT, 3, "<module>", "w = get_variable('w', [2])"],
        ["/invented/site-packages/tensorflow/python/ops/variable_scope.py", 903, "_get", ""],
        [
            "/invented/site-packages/tensorflow/python/util/traceback_utils.py",
            167,
            "error_handler",
            "",
        ],
        [
            "/invented/site-packages/tensorflow/python/framework/tensor.py",
            260,
            "__getattr__",
            "",
        ],
    ]
    message = "'SymbolicTensor' object has no attribute 'assign'"
    error = {"type": "builtins.AttributeError", "message": message, "frames": frames}
    examined = examine_noted(copy_of("nothing_computed"), error=error, exit_code=1)
    (finding,) = examined.found[0]
    assert finding.id == "recorder-failed"
    assert finding.code == ("tf.compat.v1.enable_resource_variables()",)


# ---------------------------------------------------------------------- nothing is recorded


@pytest.mark.parametrize(
    ("facts", "identity", "words"),
    [
        ({"error": RAISED, "exit_code": 1}, "script-failed", "ended with ValueError at train.py:2"),
        ({"error": NO_TENSORFLOW, "exit_code": 1}, "script-without-tensorflow", "no TensorFlow"),
        ({"keras_backend": "jax", "exit_code": 0}, "keras-backend", "computes with jax"),
        ({"exit_code": 0}, "script-recorded-nothing", "never imported TensorFlow"),
        ({"exit_code": 130}, "script-recorded-nothing", "was stopped before it computed"),
        ({}, "script-starting", "Nothing is computed yet"),
    ],
)
def test_a_program_without_a_recording_is_told_with_the_reason(
    tmp_path: Path, facts: dict[str, Any], identity: str, words: str
) -> None:
    (finding,) = findings(observe(Logdir(note(tmp_path, **facts))), None)
    assert finding.id == identity
    assert words in finding.headline
    assert is_fit_to_be_read(finding)


@pytest.mark.parametrize(
    ("facts", "identity"),
    [
        ({"error": RAISED, "exit_code": 1}, "script-failed"),
        ({"exit_code": 0}, "nothing-computed"),
        ({"keras_backend": "torch", "exit_code": 0}, "keras-backend"),
        ({"started_by": "record"}, "script-vanished"),
    ],
)
def test_one_that_computed_nothing_is_not_told_to_do_what_we_did(
    copy_of: Callable[[str], Path], facts: dict[str, Any], identity: str
) -> None:
    (finding,) = examine_noted(copy_of("nothing_computed"), **facts).found[0]
    assert finding.id == identity
    assert "enable_dump_debug_info" not in "".join(finding.code)


def test_nothing_is_held_back_where_we_flush(copy_of: Callable[[str], Path]) -> None:
    assert examine_noted(copy_of("circular"), writer=True).ids == ["begun"]


# ---------------------------------------------------------------------- what was left out


def test_what_was_left_out_on_purpose_is_told(copy_of: Callable[[str], Path]) -> None:
    examined = examine_noted(
        copy_of("healthy"), op_regex="^Log$", dtypes=["float16"], keep=500, keras_backend="jax"
    )
    assert examined.ids[:3] == ["keras-backend", "sample", "recorded"]
    assert {"op-regex", "dtypes"} < set(examined.ids)
    assert "^Log$" in examined.finding("op-regex").headline
    assert "float16" in examined.finding("dtypes").headline
    assert "500 events" in examined.finding("sample").headline
    (command,) = examined.finding("keras-backend").code
    assert command.startswith("KERAS_BACKEND=tensorflow tfdbg-tui run --op-regex '^Log$' ")


def test_exactly_a_thousand_events_are_no_buffer_where_there_is_none(
    copy_of: Callable[[str], Path],
) -> None:
    assert "newest-only" not in examine_noted(copy_of("newest_only")).ids


def test_threads_that_are_not_recorded_are_told(library: Library) -> None:
    examined = examine(library.path("threads"))
    assert examined.finding("other-threads").level is Level.WARNING
    early = examined.finding("traced-early")
    assert early.headline == "Inside gram nothing is recorded"
    assert line_with("        gram(x)", "failures.py").split(":")[0] in " ".join(early.text)
    assert early.code[-1].startswith("record.enable(")


# ---------------------------------------------------------------------- what to change


def test_what_xla_was_allowed_to_compile_is_told_of(copy_of: Callable[[str], Path]) -> None:
    logdir = copy_of("full_health")
    assert "jit" in examine_noted(logdir, jit=True).ids
    for notes in logdir.glob("tfdbg_program*"):
        notes.unlink()
    assert "jit" not in examine_noted(logdir, jit=False).ids


def test_under_run_a_mode_is_changed_by_an_option(copy_of: Callable[[str], Path]) -> None:
    logdir = copy_of("no_tensor")
    finding = examine_noted(logdir, op_regex="a b", jit=True).finding("no-tensor")
    (command,) = finding.code
    assert command == "tfdbg-tui run --op-regex 'a b' --jit train.py --epochs 3"
    words = shlex.split(command)[1:]
    options = parse(words)
    assert (options.op_regex, options.jit) == ("a b", True)
    assert tuple(options.script) == COMMAND


def test_a_program_that_calls_record_gets_another_call(copy_of: Callable[[str], Path]) -> None:
    logdir = copy_of("no_tensor")
    finding = examine_noted(logdir, started_by="record", keep=5, dtypes=["float32"]).finding(
        "no-tensor"
    )
    (call,) = ast.parse("\n".join(finding.code)).body
    assert isinstance(call, ast.Expr)
    assert isinstance(call.value, ast.Call)
    named = {word.arg: ast.literal_eval(word.value) for word in call.value.keywords}
    assert named == {"mode": "FULL_HEALTH", "keep": 5, "dtypes": ["float32"]}
    assert ast.literal_eval(call.value.args[0]) == str(logdir)


def test_a_failed_call_is_not_blamed_on_xla_without_a_reason(library: Library) -> None:
    finding = examine(library.path("first_call_fails")).finding("call-unfinished")
    assert "XLA" not in " ".join((finding.headline, *finding.text))
    assert finding.code == ()


def test_a_call_whose_error_the_program_caught_is_told_so(copy_of: Callable[[str], Path]) -> None:
    examined = examine_noted(copy_of("first_call_fails"), exit_code=0)
    assert "the program went on" in " ".join(examined.finding("call-unfinished").text)


def test_xla_is_switched_off_by_an_option_where_run_did_not(copy_of: Callable[[str], Path]) -> None:
    logdir = copy_of("compiled")
    (command,) = examine_noted(logdir, exit_code=0).finding("xla").code
    assert command == "tfdbg-tui run train.py --epochs 3"
    for notes in logdir.glob("tfdbg_program*"):
        notes.unlink()
    assert "xla" not in examine_noted(logdir, exit_code=0, jit=False).ids, "it was off"
