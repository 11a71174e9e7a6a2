"""Groups divide the timeline: eager ops of one line together, every call by itself."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import pytest

from tests.support.navigating import Stages, finish, indexed
from tests.support.reading import hosts_of
from tfdbg_tui.data.index import line_groups
from tfdbg_tui.data.index.line_groups import LineGroups
from tfdbg_tui.data.index.site_facts import SiteIndex

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.index.host_index import HostIndex

RECORDED = ("full_health", "eager_only", "keras_fit", "mirrored", "killed", "lstm")


def expected(index: HostIndex) -> list[int]:
    """The first executions of runs of the same line, calls apart."""
    host = index.host

    def line(execution: int) -> object:
        facts = index.sites.execution(int(host.executions.events["site"][execution]))
        if facts.is_call:
            return execution
        return facts.line or host.executions.site_of(execution).stack

    return [next(group) for _, group in groupby(range(len(host.executions)), line)]


@pytest.mark.parametrize("scenario", RECORDED)
def test_groups_are_runs_of_eager_ops_of_one_line(library: Library, scenario: str) -> None:
    index = indexed(library.path(scenario))
    starts = index.groups.rows.tolist()
    assert starts == expected(index)
    assert index.groups.so_far.scanned == len(index.host.executions)
    assert len(starts) < len(index.host.executions)


def test_slices_of_any_size_give_the_same_groups(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = indexed(library.path("full_health"))
    for rows in (1, 7, 64):
        monkeypatch.setattr(line_groups, "ROWS_PER_SLICE", rows)
        groups = LineGroups(index.host, index.sites)
        slices = 1
        while groups.extend():
            slices += 1
            assert groups.so_far.scanned == rows * (slices - 1)
        assert groups.rows.tolist() == index.groups.rows.tolist()
        assert slices == -(-len(index.host.executions) // rows)


def test_a_call_is_a_group_of_its_own(library: Library) -> None:
    index = indexed(library.path("full_health"))
    starts = set(index.groups.rows.tolist())
    sites = index.host.executions.events["site"].tolist()
    calls = [row for row, site in enumerate(sites) if index.sites.execution(site).is_call]
    assert calls
    assert starts.issuperset(calls)
    assert starts.issuperset(call + 1 for call in calls if call + 1 < len(sites))


def test_while_lines_are_not_on_disk_stacks_stand_for_them(
    library: Library, tmp_path: Path
) -> None:
    stages = Stages(library.path("eager_only"), tmp_path / "stages")
    stages.come("metadata", "execution")
    (host,) = hosts_of(stages.logdir)
    groups = LineGroups(host, SiteIndex(host))
    finish(groups)
    stacks = [host.executions.site_of(row).stack for row in range(len(host.executions))]
    wanted = [next(g)[0] for _, g in groupby(enumerate(stacks), lambda numbered: numbered[1])]
    assert groups.rows.tolist() == wanted
    before = len(groups.rows)
    stages.come("stack_frames", "source_files")
    assert not groups.extend()
    assert len(groups.rows) == before, "rows do not move under the user"


def test_nothing_has_no_groups(library: Library) -> None:
    groups = indexed(library.path("circular")).groups
    assert not groups.extend()
    assert (groups.rows.tolist(), groups.so_far.scanned) == ([], 0)
