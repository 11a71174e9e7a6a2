"""Records of large tensors: the same is known of them, and their bytes are held in memory once."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.recordings.fabricate import frame
from tests.support.damage import SENSELESS, write_files
from tests.support.encoding import encoded, execution_of, trace_of
from tests.support.reading import assert_same, hosts_of, load
from tfdbg_tui.data.records import layouts
from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.records.large_records import LARGE, described

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library


@pytest.mark.parametrize("scenario", ["full_tensor", "half_types_full", "full_health"])
def test_as_much_is_known_of_them_as_of_others(
    scenario: str, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = load(library.path(scenario))
    monkeypatch.setattr(layouts, "LARGE", 100)
    assert_same(load(library.path(scenario)), usual)


def test_what_is_no_record_is_none(tmp_path: Path) -> None:
    for payload in SENSELESS.values():
        whole, apart = described(payload), described(memoryview(payload))
        assert (whole is None) == (apart is None)
        assert whole is None or whole == apart
    cut = trace_of(encoded("float32", (2,), float_val=[1, 2]))[:-1]
    assert described(memoryview(cut)) is None


def test_its_bytes_are_held_once(tmp_path: Path) -> None:
    values = np.zeros(LARGE // 4 + 1000, np.float32)
    values[-1] = np.nan
    tensor = encoded("float32", values.shape, tensor_content=values.tobytes())
    records = {"graph_execution_traces": [trace_of(tensor)], "execution": [execution_of(tensor)]}
    path = write_files(tmp_path, **records)
    size = len(frame(records["execution"][0]))
    del records, tensor
    tracemalloc.start()
    (host,) = hosts_of(load(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (host.traces.bad(0), host.executions.bad(0)) == (Bad.NAN, Bad.NAN)
    assert peak < 2.6 * size  # two files are read at a time
