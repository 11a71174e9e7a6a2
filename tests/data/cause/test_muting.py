"""What rules mute in real recordings: what they name, and what follows from nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.support.navigating import finish
from tests.support.reading import load
from tfdbg_tui.data.cause.causes import Causes
from tfdbg_tui.data.cause.mutes import Mutes, read_mutes
from tfdbg_tui.data.cause.muting import Muting
from tfdbg_tui.data.cause.naming_mutes import RecordedLines, proposals
from tfdbg_tui.data.cause.run_causes import RunCauses
from tfdbg_tui.data.index.run_index import RunIndex

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.cause.muted import Muted

METRIC_FIRST = "cause_metric_before_the_loss"
"""A recall is NaN from step 1, and goes nowhere; in step 5 the real bug spoils a variable."""


class Judged(NamedTuple):
    """A run with its causes."""

    run: RunIndex
    causes: Causes
    found: RunCauses

    def muted(self, *rules: str, before: Muted | None = None) -> Muted:
        mutes = read_mutes("\n".join(rules))
        muting = Muting(self.run, self.causes, self.found, mutes, before)
        finish(muting)
        return muting.muted

    def ranked(self, muted: Muted) -> list[str]:
        """The op types of the causes that are left."""
        left = [cause for cause in self.found.ranking.causes if cause.key not in muted.by]
        stores = self.run.hosts
        return [
            stores[cause.tensor.host]
            .sites.of(
                cause.tensor.kind,
                stores[cause.tensor.host]
                .host.store_of(cause.tensor.kind)
                .site_number(cause.tensor.event),
            )
            .op_type
            or ""
            for cause in left
        ]


def judged(path: Path) -> Judged:
    index = RunIndex(load(path).runs[-1])
    finish(index)
    causes = Causes(index)
    found = RunCauses(index, causes)
    finish(found)
    return Judged(index, causes, found)


@pytest.fixture
def metric_first(library: Library) -> Judged:
    return judged(library.path(METRIC_FIRST))


def test_nothing_is_muted_without_rules(frozen: Path) -> None:
    run = judged(frozen)
    muted = run.muted()
    assert (muted.tensors, dict(muted.by), muted.working) == (0, {}, ())
    assert run.ranked(muted) == ["Log"]


def test_what_follows_from_nothing_else_is_muted_with_its_cause(frozen: Path) -> None:
    run = judged(frozen)
    muted = run.muted("op=Nothing", "op=Log")
    assert muted.counts == (0, 117)
    assert muted.tensors == len(run.run.log) == 117
    assert muted.first is None
    assert muted.unused_lines == (1,)
    assert run.ranked(muted) == []


def test_a_follower_that_is_muted_takes_nothing_with_it(frozen: Path) -> None:
    run = judged(frozen)
    muted = run.muted("op=Mean")
    assert muted.tensors == 6
    assert run.ranked(muted) == ["Log"]
    assert muted.first == run.found.ranking.causes[0].tensor


def test_a_muted_metric_leaves_the_real_cause(metric_first: Judged) -> None:
    muted = metric_first.muted("fn=_sensitivity")
    assert muted.tensors == 12
    assert metric_first.ranked(muted) == ["Sqrt"]
    other = metric_first.muted("op=Sqrt")
    assert metric_first.ranked(other) == ["RealDiv"]
    assert other.tensors + muted.tensors == len(metric_first.run.log)
    both = metric_first.muted("fn=_sensitivity", "op=Sqrt")
    assert both.counts == (12, other.tensors)
    assert metric_first.ranked(both) == []


def test_a_line_is_muted_by_its_text(metric_first: Judged) -> None:
    line = 'code="return hits / tf.reduce_sum(labels)"'
    assert metric_first.muted(f"file=stories.py {line}").tensors == 12
    assert metric_first.muted(line).tensors == 12
    assert metric_first.muted(f"file=other.py {line}").unused_lines == (1,)


def test_of_two_bugs_in_one_call_the_other_stays(library: Library) -> None:
    run = judged(library.path("cause_two_bugs_in_one_call"))
    assert run.ranked(run.muted("op=Log")) == ["Sqrt"]
    assert run.ranked(run.muted("op=Sqrt")) == ["Log"]


def test_what_went_through_a_loop_is_muted_with_what_entered_it(library: Library) -> None:
    run = judged(library.path("while_loop"))
    muted = run.muted("op=Mul")
    assert muted.tensors == len(run.run.log)


def test_what_is_meant_keeps_nothing_from_being_muted(library: Library) -> None:
    run = judged(library.path("cause_no_way_to_a_state"))
    muted = run.muted("op=Sub")
    assert run.ranked(muted) == []
    meant = run.found.alerts_of({cause.key for cause in run.found.ranking.meant}, muted.by)
    assert muted.tensors + meant == len(run.run.log)


def test_what_is_meant_can_be_muted_too(library: Library) -> None:
    run = judged(library.path("masked"))
    muted = run.muted("op=Log")
    left = [cause for cause in run.found.ranking.meant if cause.key not in muted.by]
    assert len(left) == len(run.found.ranking.meant) - 1
    assert muted.tensors == 12


def test_a_variable_is_muted_with_what_went_into_it_though_nobody_tells_who_wrote_it(
    library: Library,
) -> None:
    run = judged(library.path("keras_fit"))
    assert run.muted("op=MatMul").tensors == len(run.run.log)


def test_what_breaks_by_itself_later_is_not_lost_with_what_it_followed_first(
    library: Library,
) -> None:
    run = judged(library.path("cause_births_by_year"))
    assert run.ranked(run.muted()) == ["Exp", "Reciprocal"]
    muted = run.muted("op=Exp")
    assert run.ranked(muted) == ["Reciprocal", "Log"]
    assert run.ranked(run.muted()) == ["Exp", "Reciprocal"], "and it follows again"


def test_other_rules_take_the_place_of_those_before(frozen: Path) -> None:
    run = judged(frozen)
    before = run.muted("op=Log")
    muted = run.muted("op=Mean", before=before)
    assert muted.tensors == 6
    assert run.muted(before=muted).tensors == 0
    assert run.ranked(run.muted()) == ["Log"]


def test_each_proposal_for_a_cause_mutes_it(library: Library, metric_first: Judged) -> None:
    for run in (metric_first, judged(library.path("full_health"))):
        host = run.run.hosts[0]
        files = [file.path for file in host.host.sources.files if file]
        sources = RecordedLines(files, host.host.sources.lines)
        for cause in run.found.ranking.causes:
            store = host.host.store_of(cause.tensor.kind)
            facts = host.sites.of(cause.tensor.kind, store.site_number(cause.tensor.event))
            found = proposals(facts, sources)
            assert {"this tensor", "this line"} <= {one.what for one in found}
            for proposal in found:
                assert cause.key in run.muted(Mutes().adding(proposal.text).to_text()).by
