"""How much of a logdir the reader looks at while it loads."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.feeding import Bench
from tfdbg_tui.data.files.tfrecord import RecordFile
from tfdbg_tui.data.live import reader
from tfdbg_tui.data.stores.logdir import Logdir

if TYPE_CHECKING:
    import pytest

    from tests.recordings.record import Library
    from tfdbg_tui.data.files.growing_file import FileState

READ_AT_ONCE = 4 << 10


def looks(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the files of each folder are looked at, from now on."""
    counted: Counter[str] = Counter()
    look = RecordFile.look

    def noted(file: RecordFile) -> FileState:
        counted[Path(file.path).parent.name] += 1
        return look(file)

    monkeypatch.setattr(RecordFile, "look", noted)
    return counted


def small_and_large(library: Library, folder: Path) -> Path:
    shutil.copytree(library.path("nothing_computed"), folder / "small")
    shutil.copytree(library.path("full_health"), folder / "large")
    return folder


def test_a_large_run_is_read_without_looking_at_small_ones_each_time(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "BYTES_PER_SLICE", READ_AT_ONCE)
    bench = Bench(small_and_large(library, tmp_path))
    counted = looks(monkeypatch)
    bench.work()
    assert len(bench.told[-1].runs) == 2
    assert counted["large"] > 20 * counted["small"]


def test_the_same_without_a_feed(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logdir = Logdir(small_and_large(library, tmp_path))
    logdir.scan()
    counted = looks(monkeypatch)
    progressed = logdir.refresh(READ_AT_ONCE)
    while progressed:
        progressed = logdir.read_on(READ_AT_ONCE)
    read, total = logdir.progress()
    assert read == total
    assert counted["large"] > 20 * counted["small"]
