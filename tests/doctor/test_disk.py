"""How fast a recording grows, when the disk is full, and what would save room."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.doctor.test_findings import is_fit_to_be_read
from tests.support.examining import Examined, examine
from tests.support.noting import error_of, examine_noted
from tfdbg_tui.data.index.call_counts import CallCount
from tfdbg_tui.doctor import disk
from tfdbg_tui.doctor.disk import FAST, PROBLEM_BELOW, SECONDS_PER_HOUR, WARNING_BELOW
from tfdbg_tui.doctor.finding import Level
from tfdbg_tui.doctor.findings import findings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.doctor.finding import Finding

LARGE_DISK = 1e15


def growing(examined: Examined, rate: float, free: float = LARGE_DISK) -> tuple[Finding, ...]:
    """What is said of a recording while it grows by so many bytes a second."""
    state = examined.states[0]._replace(growing=True, bytes_per_second=rate, free_bytes=free)
    return findings(examined.snapshot, state)


def only(found: tuple[Finding, ...], wanted: str) -> Finding:
    (finding,) = (finding for finding in found if finding.id == wanted)
    assert is_fit_to_be_read(finding)
    return finding


@pytest.mark.parametrize(
    ("hours", "level", "words"),
    [
        (PROBLEM_BELOW / 2, Level.PROBLEM, "8 minutes"),
        (WARNING_BELOW / 2, Level.WARNING, "1.0 hours"),
        (WARNING_BELOW * 2, Level.FACT, "4.0 hours"),
        (240.0, Level.FACT, "10 days"),
    ],
)
def test_a_disk_that_fills_is_told_by_the_hours_left(
    library: Library, hours: float, level: Level, words: str
) -> None:
    rate = 2e6
    examined = examine(library.path("healthy"), writer=True)
    finding = only(growing(examined, rate, hours * SECONDS_PER_HOUR * rate), "disk")
    assert finding.level is level
    assert finding.headline == f"The disk is full in {words} at this rate"
    assert "2.0 MB a second" in finding.text[0]
    names_an_option = "op_regex=" in " ".join(finding.text)
    assert names_an_option is (level is not Level.FACT)


def test_a_recording_that_rests_says_nothing_of_the_disk(library: Library) -> None:
    assert "disk" not in examine(library.path("healthy"), writer=True).ids


# ---------------------------------------------------------------------- full


def test_a_full_disk_is_told_as_long_as_its_recording_is_looked_at(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tfdbg_tui.data.live.run_activity._free_bytes", lambda directory: 0.0)
    for writer in (True, False):
        examined = examine(library.path("killed"), writer=writer)
        assert "disk-full" in examined.ids
        assert "all-well" not in examined.ids
    cut = examined.finding("cut-tail")
    assert cut.headline == "The last record is cut: the disk is full", "it is known why"


def test_a_program_that_found_no_room_says_so(copy_of: Callable[[str], Path]) -> None:
    error = error_of("raise OSError(28, 'No space left on device', '/data/checkpoint')")
    examined = examine_noted(copy_of("healthy"), error=error, exit_code=1)
    assert examined.ids[:2] == ["script-failed", "disk-full"]
    finding = examined.finding("disk-full")
    assert finding.headline == "A disk was full when the program ended"
    assert "If the recording lies there" in " ".join(finding.text), "which disk is not known"


# ---------------------------------------------------------------------- fast


@pytest.fixture
def any_size_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small recordings stand for large ones."""
    monkeypatch.setattr(disk, "FAST_FROM", 1.0)


@pytest.mark.usefixtures("any_size_counts")
@pytest.mark.parametrize(
    ("started_by", "words"),
    [
        ("run", "`--op-regex '^(Log|MatMul)$'` records some ops only, `--keep 1000` a sample"),
        ("record", 'In record.enable, op_regex="^(Log|MatMul)$" records some ops only, keep=1000'),
        (None, "In the call that switches the recorder on, op_regex="),
    ],
)
def test_one_that_grows_fast_is_told_with_the_options_that_help(
    copy_of: Callable[[str], Path], started_by: str | None, words: str
) -> None:
    logdir = copy_of("full_health")
    examined = (
        examine_noted(logdir, writer=True, started_by=started_by)
        if started_by
        else examine(logdir, writer=True)
    )
    finding = only(growing(examined, 2 * FAST / SECONDS_PER_HOUR), "grows-fast")
    assert finding.level is Level.WARNING
    assert finding.headline == "It grows fast: by 20 GB an hour"
    assert words in finding.text[-1]
    assert "CONCISE_HEALTH" in finding.text[-1]


@pytest.mark.usefixtures("any_size_counts")
def test_what_a_call_of_the_busiest_function_takes_is_told(library: Library) -> None:
    examined = examine(library.path("keras_fit"), writer=True)
    calls = CallCount("multi_step_on_iterator", 8)
    assert examined.states[0].most_called == calls
    text = " ".join(only(growing(examined, FAST), "grows-fast").text)
    assert "for 8 calls of multi_step_on_iterator: " in text


@pytest.mark.usefixtures("any_size_counts")
def test_one_that_grows_slowly_is_not_told_of(library: Library) -> None:
    examined = examine(library.path("full_health"), writer=True)
    ids = [finding.id for finding in growing(examined, FAST / SECONDS_PER_HOUR / 2)]
    assert "grows-fast" not in ids


def test_the_first_megabytes_say_nothing_about_the_hours_to_come(library: Library) -> None:
    ids = [finding.id for finding in growing(examine(library.path("full_health")), FAST)]
    assert "grows-fast" not in ids


@pytest.mark.usefixtures("any_size_counts")
def test_one_that_grew_fast_is_told_of_when_it_has_ended(
    frozen: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "grows-fast" not in examine(frozen).ids, "it lasted a fraction of a second"
    monkeypatch.setattr(disk, "MIN_SECONDS", 0.1)
    monkeypatch.setattr(disk, "FAST", 1e6)
    finding = only(examine(frozen).found[0], "grows-fast")
    assert finding.level is Level.FACT, "nothing is to be done about it any more"
    assert finding.headline.startswith("It grew fast: by ")
    assert "for 12 calls of " in finding.text[0]
