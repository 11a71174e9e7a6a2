"""Thousands of causes: put in order as they are found, and not all of them again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.data.cause.test_known_walks import indexed, write_graph
from tfdbg_tui.data.cause import run_causes
from tfdbg_tui.data.cause.causes import Causes
from tfdbg_tui.data.cause.ranking import Ranking
from tfdbg_tui.data.cause.reach import Reach
from tfdbg_tui.data.cause.run_causes import RunCauses

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pytest

    from tfdbg_tui.data.cause.found_cause import FoundCause
    from tfdbg_tui.data.index.run_index import RunIndex

CAUSES = 3000


def test_causes_are_put_in_order_a_few_times_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ranked: list[int] = []

    def noted(run: RunIndex, found: Sequence[FoundCause]) -> Ranking:
        ranked.append(len(found))
        return Ranking(run, found)

    monkeypatch.setattr(run_causes, "Ranking", noted)
    write_graph(tmp_path, [[]] * CAUSES)
    index = indexed(tmp_path)
    job = RunCauses(index, Causes(index))
    assert job.extend()
    assert len(job.ranking.causes) == run_causes.SITES_AT_ONCE, "the first ones are told at once"
    while job.extend():
        pass
    assert len(job.ranking.causes) + len(job.ranking.meant) == CAUSES
    assert len(ranked) > 10, "and more of them on the way"
    assert sum(ranked) < 9 * CAUSES


def test_what_came_to_most_is_the_worst() -> None:
    assert [reach.rank for reach in Reach] == [0, 1, 2, 3]
