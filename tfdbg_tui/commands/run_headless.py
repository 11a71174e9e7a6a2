"""`tfdbg-tui run --headless`: the script keeps the terminal, and the verdict comes last.

A cause of NaN or Inf is reported as soon as it is certain; the script goes on or, with
--until-bad, is stopped. With --until, a filter of the user's own says where to stop instead.
What is bad on purpose is told at the end only.
"""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

from tfdbg_tui.commands.closing import doctors_words, nothing_recorded
from tfdbg_tui.commands.launching import check_script, prepare
from tfdbg_tui.commands.outcome import BAD, CLEAN, Outcome
from tfdbg_tui.commands.run import wanted_filters, watched_filter
from tfdbg_tui.data.live.feed import Feed
from tfdbg_tui.data.live.stopping import WatchedSteps
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.doctor.endings import SCRIPT_FAILED
from tfdbg_tui.doctor.finding import Level
from tfdbg_tui.doctor.findings import findings
from tfdbg_tui.doctor.observe import observe
from tfdbg_tui.kept.mute_files import read_mutes_of
from tfdbg_tui.program.process import GRACE, end_by_signals, shell_code
from tfdbg_tui.verdict import judgement, text
from tfdbg_tui.verdict.verdict import Conclusion
from tfdbg_tui.verdict.watching import WatchedCauses

if TYPE_CHECKING:
    from types import FrameType, SimpleNamespace

    from tfdbg_tui.commands.launching import Launch
    from tfdbg_tui.data.cause.mutes import Mutes
    from tfdbg_tui.data.search.named_filters import NamedFilters
    from tfdbg_tui.verdict.watching_filter import WatchedFilter

LOOK_INTERVAL = 0.1
"""Seconds between two questions whether a cause is certain."""


def run(options: SimpleNamespace) -> Outcome:
    """Run the script to its end; everything is said by then."""
    check_script(options)
    mutes = None if options.mute is None else read_mutes_of(options.mute)
    filters = wanted_filters(options)
    return Outcome(HeadlessRun(options, prepare(options), mutes, filters).run(), "")


class HeadlessRun:
    """Runs a script in our own terminal, and watches its recording for a cause of bad numbers."""

    def __init__(
        self,
        options: SimpleNamespace,
        launch: Launch,
        mutes: Mutes | None = None,
        filters: NamedFilters | None = None,
    ) -> None:
        self._launch = launch
        self._mutes = mutes
        self._logdir = launch.logdir
        self._filters = filters
        """Where it waits for one of them."""
        self._filter: str = options.until or ""
        self._stops = bool(options.until_bad or options.until)
        self._until_step: int | None = options.until_step
        self._process: subprocess.Popen[bytes] | None = None
        self._was_reported = self._stopped = self._is_bad = self._is_enough = False

    def run(self) -> int:
        """Run the script to its end; its exit code or, if it was to stop at bad numbers, theirs."""
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) is not signal.SIG_IGN:  # which the script inherits
                signal.signal(number, self._pass_on)
        start = self._launch.start
        self._process = subprocess.Popen(
            start.command, env=start.environment(), pass_fds=start.inherited, cwd=start.folder
        )
        watched = Logdir(self._logdir)
        causes: WatchedCauses | WatchedFilter = WatchedCauses(watched, mutes=self._mutes)
        if self._filters is not None:
            causes = watched_filter(watched, self._filters, self._filter)
        feed = Feed(watched, lambda snapshot: None)
        feed.add(causes)
        steps = WatchedSteps(watched, self._until_step)
        feed.add(steps)
        feed.start()
        while (code := _code_within(self._process, LOOK_INTERVAL)) is None:
            self._report(causes)
            self._stop_behind(steps)
        feed.stop()
        self._launch.note_end(shell_code(code), self._stopped)
        self._say(self._verdict())
        if self._is_enough:
            return BAD if self._stops and self._is_bad else CLEAN
        bad = self._stopped or (self._stops and self._is_bad)
        return BAD if bad else shell_code(code)

    def _pass_on(self, number: int, frame: FrameType | None) -> None:
        """Pass a signal on to the script; ctrl-c at a terminal has reached it already."""
        if number == signal.SIGINT and sys.stdin is not None and sys.stdin.isatty():
            return
        if self._process is not None:
            self._process.send_signal(number)

    def _report(self, causes: WatchedCauses | WatchedFilter) -> None:
        """Report what is certain first, once, and stop the script if that is wanted."""
        if self._was_reported:
            return
        cause = None
        with contextlib.suppress(Exception):  # the script goes on; the verdict at its end tells
            cause = causes.sentence()
        if cause is None:
            return
        self._was_reported = True
        self._say(f"tfdbg-tui: {cause}\n")
        if self._stops:
            self._stop()

    def _stop_behind(self, steps: WatchedSteps) -> None:
        """Stop the script if it has done as many steps as are wanted."""
        why = None if self._stopped else steps.reason()
        if why is not None:
            self._is_enough = True
            self._say(f"tfdbg-tui: {why}.\n")
            self._stop()

    def _stop(self) -> None:
        process = self._process
        assert process is not None
        self._stopped = True
        self._say(f"tfdbg-tui: stopping {self._launch.name}.\n")
        end_by_signals(
            process.send_signal, lambda grace: _code_within(process, grace) is not None, GRACE
        )

    def _verdict(self) -> str:
        logdir = Logdir(self._logdir)
        logdir.load()
        if not logdir.runs:
            self._launch.tidy_up()
            return nothing_recorded(logdir)
        verdict = judgement.verdict_on(logdir, logdir.runs, mutes=self._mutes)
        conclusions = {run.conclusion for run in verdict.runs}
        if self._filters is not None:
            verdict = judgement.with_filter(verdict, logdir.runs, self._filters, self._filter)
            for wrong in self._filters.take_complaints():
                self._say(f"tfdbg-tui: {wrong}\n")
        self._is_bad = any(judgement.fails(run, "bad") for run in verdict.runs)
        unsure = {Conclusion.NOT_JUDGED, Conclusion.INCOMPLETE, Conclusion.FAILED}
        is_unsure = bool(conclusions & unsure)
        why = self._problems() if is_unsure else ""
        return f"{text.as_text(verdict)}{why}  look at it: tfdbg-tui {self._logdir}\n"

    def _problems(self) -> str:
        """What kept something out of the recording, in the words of the doctor.

        How the script ended is said already.
        """
        snapshot = observe(Logdir(self._logdir))
        found = [
            finding
            for state in snapshot.runs
            for finding in findings(snapshot, state)
            if finding.level is Level.PROBLEM and finding.id != SCRIPT_FAILED
        ]
        return doctors_words(found)

    def _say(self, text: str) -> None:
        """Write to stderr, for stdout is the script's own."""
        if sys.stderr is not None:
            sys.stderr.write(text)
            sys.stderr.flush()


def _code_within(process: subprocess.Popen[bytes], seconds: float) -> int | None:
    """The return code of a process that ends within some seconds; None if it does not."""
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
