"""Keeps the recorder out of models that a program exports while it is recorded.

A SavedModel with the recorder's ops in it would go on recording, wherever it is loaded. Functions
that are traced for the export are traced without them. Those that were recorded before hold them;
that is said.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tfdbg_tui.record import tf_internals

if TYPE_CHECKING:
    from collections.abc import Iterator

MODEL_FILE = "saved_model.pb"
"""The file of an export that holds its graphs."""

RECORDERS_OP = b"DebugIdentityV"
"""Part of the type of the op that every recorded tensor has."""


def keep_out_of_exports() -> None:
    """Have what is exported from now on traced without the recorder."""
    from tensorflow.python.saved_model import save

    export = save.save_and_return_nodes
    if getattr(export, "is_unrecorded", False):
        return  # for an earlier recording

    @functools.wraps(export)
    def export_unrecorded(
        model: object, folder: str | os.PathLike[str], *arguments: object, **options: object
    ) -> object:
        with unrecorded() as was_recorded:
            exported = export(model, folder, *arguments, **options)
        if was_recorded and holds_recorder(folder):
            _tell(folder)
        return exported

    export_unrecorded.is_unrecorded = True  # type: ignore[attr-defined]
    save.save_and_return_nodes = export_unrecorded


@contextlib.contextmanager
def unrecorded() -> Iterator[bool]:
    """Switch the recorder of this thread off for a block; tells whether it was on."""
    recorder = tf_internals.running_recorder()
    if recorder is not None:
        tf_internals.detach(recorder)
    try:
        yield recorder is not None
    finally:
        if recorder is not None:
            tf_internals.attach(recorder)


def holds_recorder(folder: str | os.PathLike[str]) -> bool:
    """Whether a model that was exported to a folder holds ops of the recorder."""
    with contextlib.suppress(OSError, TypeError):
        return RECORDERS_OP in Path(folder, MODEL_FILE).read_bytes()
    return False


def _tell(folder: str | os.PathLike[str]) -> None:
    with contextlib.suppress(AttributeError, OSError, ValueError):  # there may be no stderr
        sys.stderr.write(
            f"tfdbg-tui: the model in {os.fspath(folder)} holds functions that were recorded, and "
            "records wherever it is loaded; export it from a program that is not recorded.\n"
        )
