"""Models that a recorded program exports: the recorder is not in them, or a line says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.record.test_record import events_of, runs_in, started

if TYPE_CHECKING:
    from pathlib import Path

MODEL = """
class Model(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([2])])
    def predict(self, x):
        return tf.math.log(x)

model = Model()
record.enable(logdir)
"""


def exported(program: str, folder: Path) -> tuple[str, bytes]:
    """What a program says on stderr, and the model that it exports."""
    target = folder / "model"
    process = started(MODEL + program, folder / "logdir", str(target))
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return errors, (target / "saved_model.pb").read_bytes()


def test_what_is_traced_for_an_export_is_free_of_the_recorder(tmp_path: Path) -> None:
    program = "model.predict(tf.ones(2))\ntf.saved_model.save(model, sys.argv[2])\ncompute()"
    errors, model = exported(program, tmp_path)
    assert b"Debug" not in model
    assert "tfdbg-tui" not in errors
    (recorded,) = runs_in(tmp_path / "logdir")
    assert all(events_of(recorded)), "what comes behind the export is recorded"


def test_an_exported_function_that_was_recorded_is_told_of(tmp_path: Path) -> None:
    program = """
traced = model.predict.get_concrete_function()
tf.saved_model.save(model, sys.argv[2], signatures=traced)
"""
    errors, model = exported(program, tmp_path)
    assert b"DebugIdentityV" in model
    (told,) = [line for line in errors.splitlines() if line.startswith("tfdbg-tui: ")]
    assert str(tmp_path / "model") in told
