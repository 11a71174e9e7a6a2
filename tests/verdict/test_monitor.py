"""The same events and alerts as TensorFlow's own reader with its InfNanMonitor finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.__main__ import measure
from tests.support.tensorflow_server import tensorflow_python

if TYPE_CHECKING:
    from tests.recordings.record import Library


@pytest.mark.parametrize("scenario", ["keras_fit", "while_loop", "curt_health", "eager_only"])
def test_as_many_events_and_alerts_as_tensorflow_finds(library: Library, scenario: str) -> None:
    logdir = library.path(scenario)
    ours = measure("ours", logdir)
    theirs = measure("tensorflow", logdir, tensorflow_python())
    assert (ours["events"], ours["alerts"]) == (theirs["events"], theirs["alerts"])
    assert ours["alerts"] > 0
