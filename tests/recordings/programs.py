"""The recorded programs by name: ``python -m tests.recordings.programs SCENARIO LOGDIR``.

This module does not import TensorFlow, so that tests can list the scenarios cheaply.
"""

from __future__ import annotations

import argparse
import importlib
import os
from pathlib import Path

from tests.recordings.causes.table import CAUSES
from tests.recordings.early import table as early
from tests.recordings.judged.table import BY_NAME

#: Scenario -> module under ``tests.recordings.scenarios`` with a function of the scenario's name.
SCENARIOS: dict[str, str] = {
    "no_tensor": "training",
    "curt_health": "training",
    "concise_health": "training",
    "full_health": "training",
    "shape": "training",
    "full_tensor": "training",
    "filter_op_regex": "training",
    "filter_dtypes": "training",
    "eager_only": "training",
    "keras_fit": "keras_models",
    "lstm": "keras_models",
    "keras_shapes": "keras_models",
    "keras_plots": "keras_steps",
    "keras_batches": "keras_steps",
    "keras_evaluation": "keras_steps",
    "keras_several": "keras_steps",
    "keras_eagerly": "keras_steps",
    "keras_own_loop": "keras_steps",
    "while_loop": "graphs",
    "branches": "graphs",
    "retraced": "graphs",
    "always_retraced": "graphs",
    "mirrored": "graphs",
    "tf1_session": "graphs",
    "gradient_ops": "gradients",
    "composed_gradients": "gradients",
    "traced_early": "functions",
    "half_types": "dtypes",
    "half_types_full": "dtypes",
    "healthy": "data",
    "masked": "data",
    "nan_input": "data",
    "tf_data": "data",
    "compiled": "functions",
    "compiled_by_keras": "functions",
    "first_call_fails": "functions",
    "gradient_inside": "functions",
    "only_traced": "functions",
    "no_functions": "functions",
    "nothing_computed": "functions",
    "newest_only": "functions",
    "killed": "processes",
    "circular": "processes",
    "tf1_training": "sessions",
    "tf1_loops": "sessions",
    "tf1_functions": "sessions",
    "tf1_graphs": "sessions",
    "tf1_monitored": "sessions",
    "tf1_two_players": "sessions",
    "tf1_by_hand": "sessions",
    "two_runs": "processes",
    "same_second": "processes",
    "op_fails": "failures",
    "loop_fails": "failures",
    "data_fails": "failures",
    "eager_fails": "failures",
    "tf1_fails": "failures",
    "threads": "failures",
}

JUDGED = "judged_"
"""What the names of judged programs begin with; a mode may follow, as in ``judged_vae.SHAPE``."""

#: Scenarios whose program ends by killing itself.
SIGKILLED = frozenset({"killed", "circular"})

#: Environment of every program: quiet, on the CPU, the same numbers on every machine.
ENVIRONMENT: dict[str, str] = {
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "CUDA_VISIBLE_DEVICES": "",
    "TF_ENABLE_ONEDNN_OPTS": "0",
    "KERAS_BACKEND": "tensorflow",
}


def is_known(scenario: str) -> bool:
    """Whether there is such a program."""
    if scenario.startswith(JUDGED):
        return scenario.removeprefix(JUDGED).partition(".")[0] in BY_NAME
    if scenario.startswith(early.EARLY):
        return early.is_known(scenario.removeprefix(early.EARLY))
    return scenario in SCENARIOS or scenario in CAUSES


def run(scenario: str, logdir: Path) -> None:
    """Run one program in this process."""
    if scenario.startswith(JUDGED):
        judged = importlib.import_module("tests.recordings.judged.run")
        judged.run(scenario.removeprefix(JUDGED), logdir)
    elif scenario.startswith(early.EARLY):
        module = importlib.import_module("tests.recordings.early.run")
        module.run(scenario.removeprefix(early.EARLY), logdir)
    elif scenario in CAUSES:
        run_cause(scenario, logdir)
    else:
        module = importlib.import_module(f"tests.recordings.scenarios.{SCENARIOS[scenario]}")
        getattr(module, scenario)(logdir)


def run_cause(scenario: str, logdir: Path) -> None:
    """Run a program that knows nothing of recorders."""
    program = CAUSES[scenario]
    name, function = program.module_function.split(".")
    module = importlib.import_module(f"tests.recordings.causes.{name}")
    recorder = importlib.import_module("tests.recordings.scenarios.recorder")
    recorder.start(logdir, program.mode)
    getattr(module, function)()


def main() -> None:
    """Run the program that the command line names."""
    parser = argparse.ArgumentParser(description="Record one small TensorFlow program.")
    parser.add_argument("scenario")
    parser.add_argument("logdir", type=Path)
    arguments = parser.parse_args()
    if not is_known(arguments.scenario):
        parser.error(f"there is no program {arguments.scenario}")
    # TensorFlow reads these when it is imported.
    os.environ.update(ENVIRONMENT)
    arguments.logdir.mkdir(parents=True, exist_ok=True)
    run(arguments.scenario, arguments.logdir)


if __name__ == "__main__":
    main()
