"""Works the verdict on a logdir out of what is loaded of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.files.growing_file import FileState
from tfdbg_tui.data.records.modes import tells_bad
from tfdbg_tui.verdict.cause import Causes
from tfdbg_tui.verdict.describing import bad_tensor, finite
from tfdbg_tui.verdict.verdict import Conclusion, Counts, Damage, RunVerdict, Verdict

if TYPE_CHECKING:
    from tfdbg_tui.data.cause.mutes import Mutes
    from tfdbg_tui.data.search.named_filters import NamedFilters
    from tfdbg_tui.data.stores.logdir import Logdir
    from tfdbg_tui.data.stores.run import Run
    from tfdbg_tui.verdict.bad_tensor import BadTensor
    from tfdbg_tui.verdict.ending import Ending


def verdict_on(
    logdir: Logdir, runs: tuple[Run, ...], is_strict: bool = False, mutes: Mutes | None = None
) -> Verdict:
    """The verdict on some runs of a logdir; a strict one calls bad what is so on purpose."""
    growing = _still_growing([run for run in runs if is_unfinished(run) and not run.alerts])
    verdicts = (verdict_on_run(run, run in growing, is_strict, mutes) for run in runs)
    return Verdict(logdir.path, tuple(verdicts))


def with_filter(
    verdict: Verdict, runs: tuple[Run, ...], filters: NamedFilters, name: str
) -> Verdict:
    """The same verdict, with what a filter of the user's own holds for in each run."""
    # Most runs are judged without, and `check` starts sooner.
    from tfdbg_tui.verdict.filtered import filtered_in

    pairs = zip(verdict.runs, runs, strict=True)
    told = (one._replace(filtered=filtered_in(run, filters, name)) for one, run in pairs)
    return verdict._replace(runs=tuple(told))


def _still_growing(runs: list[Run]) -> list[Run]:
    if not runs:
        return []
    # Most runs are whole, and `check` starts sooner without.
    from tfdbg_tui.data.live.growth import still_growing

    return still_growing(runs)


def verdict_on_run(
    run: Run, may_grow: bool = True, is_strict: bool = False, mutes: Mutes | None = None
) -> RunVerdict:
    """The verdict on one run; `may_grow` tells whether its program may still write to it."""
    view = run.view
    causes = _causes(run, mutes)
    first = causes.first
    muted = 0 if causes.muted is None else causes.muted.tensors
    counts, modes = Counts(**run.counts()), tuple(run.mode_names())
    can_tell = bool(counts.events) and any(map(tells_bad, run.modes()))
    is_bad = first is not None and (is_strict or bool(causes.ranked))
    return RunVerdict(
        conclusion=Conclusion.BAD if is_bad else _without_alerts(run, can_tell, may_grow),
        run_id=run.run_id,
        directory=run.directory,
        tensorflow_version=run.tensorflow_version,
        file_version=run.file_version,
        started=finite(run.started),
        hosts=tuple(run.host_names),
        counts=counts,
        modes=modes,
        alerts=len(view.alerts) - muted,
        first_bad=None if first is None else bad_tensor(view, first),
        damage=_damage(run),
        can_tell=can_tell,
        ending=_ending(run),
        causes=causes,
    )


def _causes(run: Run, mutes: Mutes | None) -> Causes:
    """The causes of what is bad in a run, what warns of more, and its steps."""
    is_empty = not any(len(host.traces) or len(host.executions) for host in run.hosts)
    if is_empty and mutes is None:
        return Causes()
    # Most runs are clean, and `check` starts sooner without.
    if not run.alerts and mutes is None:
        from tfdbg_tui.verdict.finding_warnings import without_causes

        return without_causes(run)
    from tfdbg_tui.verdict.finding_causes import causes_of

    return causes_of(run, mutes)


def first_bad_of(run: Run) -> BadTensor | None:
    """The first bad tensor of a run; costs the same however long the run is."""
    view = run.view
    first = view.alerts.first()
    return None if first is None else bad_tensor(view, first)


def _ending(run: Run) -> Ending | None:
    if run.program is None:
        return None
    # Most runs have no notes, and `check` starts sooner without.
    from tfdbg_tui.verdict.ending import ending_of

    return ending_of(run.program, run.hosts)


def _without_alerts(run: Run, can_tell: bool, may_grow: bool) -> Conclusion:
    """What to conclude where no bad tensor was found."""
    if lost_events(run) or (is_unfinished(run) and not may_grow):
        return Conclusion.INCOMPLETE
    if run.program is not None and run.program.failed:
        return Conclusion.FAILED
    return Conclusion.CLEAN if can_tell else Conclusion.NOT_JUDGED


def lost_events(run: Run) -> bool:
    """Whether numbers are missing whatever its program does: of events, or of large tensors."""
    return run.lacks_events or bool(_unjudged_tensors(run))


def is_unfinished(run: Run) -> bool:
    """Whether something is half written: normal while its program runs, and lost when it is gone.

    A program that ends by itself leaves whole records in all of its files. One that keeps its
    events in a buffer leaves empty files of them: there is nothing to be lost on disk.
    """
    files, event_files = [f for host in run.hosts for f in host.files()], run.event_files
    if any(file.state is FileState.ABSENT for file in event_files):
        return True
    if any(file.size for file in event_files):
        return any(file.cut_bytes for file in files)
    is_without_records = run.run_id is None and not any(run.counts().values())
    return is_without_records and any(file.size for file in files)


def _unjudged_tensors(run: Run) -> int:
    stores = [store for host in run.hosts for store in (host.executions, host.traces)]
    return sum(store.unjudged_tensors for store in stores)


def _damage(run: Run) -> Damage:
    parts = [host.damage() for host in run.hosts]
    return Damage(
        corrupt_records=sum(part.corrupt_records for part in parts),
        cut_bytes=sum(part.cut_bytes for part in parts),
        missing_files=tuple(
            name
            for part in parts
            for name in (*part.missing_files, *(name for name, _ in part.unreadable_files))
        ),
        open_references=sum(part.open_references for part in parts),
        unjudged_tensors=_unjudged_tensors(run),
    )


def fails(verdict: RunVerdict, fail_on: str) -> bool:
    """Whether a run counts as bad: any ∞ or NaN, only NaN (or what may be one), or nothing.

    Where a filter was asked for, whatever it holds for counts, and nothing else.
    """
    if verdict.filtered is not None:
        return bool(verdict.filtered.events)
    if fail_on == "never" or verdict.conclusion is not Conclusion.BAD:
        return False
    return fail_on == "bad" or verdict.causes.has_nan
