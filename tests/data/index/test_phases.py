"""What an execution is for stands in its stack: the innermost of Keras's own methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.damage import event, write_files
from tests.support.reading import hosts_of, load
from tfdbg_tui.data.index.phases import FoundPhase, Phase, Phases
from tfdbg_tui.data.index.site_facts import SiteIndex
from tfdbg_tui.data.index.steps import Steps

if TYPE_CHECKING:
    from pathlib import Path

    from tfdbg_tui.data.stores.host import Host

KERAS_3 = "/lib/keras/src/backend/tensorflow/trainer.py"
TRAINERS = [
    KERAS_3,
    "/lib/tf_keras/src/engine/training.py",
    "/lib/keras/src/engine/training.py",
    "/lib/keras/engine/training.py",
    "/lib/tensorflow/python/keras/engine/training_v1.py",
    "C:\\lib\\keras\\src\\backend\\tensorflow\\trainer.py",
]
USER = "/home/me/train.py"


def recorded(
    directory: Path, frames: list[tuple[str, str]], *executions: dict[str, object]
) -> Host:
    """A recording with these frames, each a file and a function, numbered by their ids."""
    paths = list(dict.fromkeys(path for path, _ in frames))
    payloads = {
        "metadata": [event(wall_time=0.0, debug_metadata={"tfdbg_run_id": b"run"})],
        "source_files": [event(source_file={"file_path": path.encode()}) for path in paths],
        "stack_frames": [
            event(
                stack_frame_with_id={
                    "id": str(number).encode(),
                    "file_line_col": {
                        "file_index": paths.index(path), "line": 7, "func": function.encode(),
                    },
                }
            )
            for number, (path, function) in enumerate(frames)
        ],
        "execution": [
            event(wall_time=1000.0 + number, execution=fields)
            for number, fields in enumerate(executions)
        ],
    }  # fmt: skip
    return hosts_of(load(write_files(directory, **payloads)))[0]


@pytest.mark.parametrize("trainer", TRAINERS)
@pytest.mark.parametrize(
    ("methods", "phase"),
    [
        (["fit"], Phase.TRAIN),
        (["train_on_batch"], Phase.TRAIN),
        (["fit", "evaluate"], Phase.VALIDATION),
        (["fit", "predict"], Phase.PREDICT),  # in a callback
        (["predict", "fit"], Phase.TRAIN),
        (["test_on_batch"], Phase.VALIDATION),
        (["predict_on_batch"], Phase.PREDICT),
        (["compile"], None),
        ([], None),
    ],
)
def test_the_innermost_method_of_keras_tells(
    tmp_path: Path, trainer: str, methods: list[str], phase: Phase | None
) -> None:
    frames = [(USER, "fit"), *((trainer, method) for method in methods), (USER, "predict")]
    host = recorded(tmp_path, frames)
    stack = tuple(map(str, range(len(frames))))
    assert Phases(host).of(stack) == FoundPhase(phase, is_open=False)


@pytest.mark.parametrize("path", ["/home/me/keras/trainer.py", "/home/me/engine/training.py"])
def test_files_of_others_tell_nothing(tmp_path: Path, path: str) -> None:
    assert Phases(recorded(tmp_path, [(path, "fit")])).of(("0",)) == FoundPhase(None, False)


def test_a_frame_that_is_not_on_disk_leaves_it_open(tmp_path: Path) -> None:
    phases = Phases(recorded(tmp_path, [(KERAS_3, "fit"), (USER, "helper")]))
    assert phases.of(("0", "later")) == FoundPhase(None, is_open=True)
    assert phases.of(("later", "0", "1")) == FoundPhase(Phase.TRAIN, is_open=False)


def test_steps_of_keras_2(tmp_path: Path) -> None:
    trainer = "/lib/tf_keras/src/engine/training.py"
    frames = [(USER, "<module>"), (trainer, "fit"), (trainer, "evaluate"), (trainer, "predict")]

    def call(name: str, *stack: str) -> dict[str, object]:
        location = {"stack_frame_ids": [frame.encode() for frame in stack]}
        return {"op_type": f"__inference_{name}".encode(), "code_location": location}

    train, test = call("train_function_81", "0", "1"), call("test_function_97", "0", "1", "2")
    plot = call("predict_function_99", "0", "3")
    helper = call("helper_12", "0", "1")
    host = recorded(
        tmp_path, frames, train, helper, train, test, test, train, *[plot] * 50, train, test
    )
    site_index = SiteIndex(host)
    steps = Steps(host, site_index)
    while steps.extend():
        pass
    assert len(steps) == 4
    facts = {own.tensor: own for own in map(site_index.execution, range(4))}
    assert [name for name, own in facts.items() if own.is_step] == ["train_function"]
    assert {name: own.phase for name, own in facts.items()} == {
        "train_function": Phase.TRAIN,
        "helper": Phase.TRAIN,
        "test_function": Phase.VALIDATION,
        "predict_function": Phase.PREDICT,
    }
