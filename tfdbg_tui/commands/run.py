"""`tfdbg-tui run`: records a script in a process of its own and shows it in the app."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.commands.closing import closing_words
from tfdbg_tui.commands.filters import filters_with
from tfdbg_tui.commands.launching import OUTPUT_FILE, QUIT_GRACE, check_script, prepare
from tfdbg_tui.commands.outcome import Outcome
from tfdbg_tui.commands.show import check_terminal, keep_rest, show
from tfdbg_tui.data.live.stopping import AnyOf, WatchedSteps
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.kept.mute_files import read_mutes_of
from tfdbg_tui.kept.of_session import kept_of
from tfdbg_tui.program.process import Script
from tfdbg_tui.verdict.watching import WatchedCauses

if TYPE_CHECKING:
    from types import SimpleNamespace

    from tfdbg_tui.data.cause.mutes import Mutes
    from tfdbg_tui.data.live.stopping import Watch
    from tfdbg_tui.data.search.named_filters import NamedFilters
    from tfdbg_tui.verdict.watching_filter import WatchedFilter


def run(options: SimpleNamespace) -> Outcome:
    """Run the script under the app, and end it when the app is left."""
    check_script(options)
    if options.mute is not None:
        read_mutes_of(options.mute)  # before the script is run
    filters = wanted_filters(options)  # the same
    check_terminal("`tfdbg-tui run --headless` needs none.")
    launch = prepare(options)
    script = Script(launch.start, launch.name, launch.logdir / OUTPUT_FILE, launch.note_end)
    watched = Logdir(launch.logdir)
    kept = kept_of(launch.logdir, options.mute)
    assert kept.mutes is not None
    try:
        until = until_when(options, watched, kept.mutes.kept, filters)
        options.first_nan |= options.until_bad
        (code, text), why = show(
            options,
            watched,
            follow=True,
            script=script,
            until=until,
            kept=kept,
            filters=filters,
        )
    finally:
        keep_rest(kept)
        script.end(QUIT_GRACE)
        launch.tidy_up()
    exit_code, was_stopped = script.outcome()
    how = "was stopped" if was_stopped else f"ended with exit code {exit_code}"
    ended = f"{launch.name} {how}."
    return Outcome(code, text or closing_words(watched, ended, script.output_file, why))


def wanted_filters(options: SimpleNamespace) -> NamedFilters | None:
    """The filters one of which --until waits for; raises a UserError if it is not there."""
    return None if options.until is None else filters_with(options, options.until, "--until")


def watched_filter(watched: Logdir, filters: NamedFilters, name: str) -> WatchedFilter:
    """A job that waits for a filter."""
    from tfdbg_tui.verdict.watching_filter import WatchedFilter  # most runs wait for none

    return WatchedFilter(watched, filters, name)


def until_when(
    options: SimpleNamespace,
    watched: Logdir,
    mutes: Mutes,
    filters: NamedFilters | None = None,
) -> AnyOf | None:
    """What tells when the script is to be stopped; None if nothing does."""
    watches: list[Watch] = []
    if options.until_bad:
        watches.append(WatchedCauses(watched, mutes=mutes))
    if filters is not None:
        watches.append(watched_filter(watched, filters, options.until))
    if options.until_step is not None:
        watches.append(WatchedSteps(watched, options.until_step))
    return AnyOf(tuple(watches)) if watches else None
