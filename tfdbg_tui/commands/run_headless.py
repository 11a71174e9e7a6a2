"""`tfdbg-tui run --headless`: the script keeps the terminal, and the verdict comes last.

The first NaN or Inf is reported as soon as it is on disk; the script goes on or, with
--until-bad, is stopped.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

from tfdbg_tui.commands.closing import doctors_words, nothing_recorded
from tfdbg_tui.commands.outcome import BAD, Outcome
from tfdbg_tui.commands.run import check_script, prepare
from tfdbg_tui.data.live.feed import Feed
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.doctor.endings import SCRIPT_FAILED
from tfdbg_tui.doctor.finding import Level
from tfdbg_tui.doctor.findings import findings
from tfdbg_tui.doctor.observe import observe
from tfdbg_tui.program.process import GRACE, end_by_signals, shell_code
from tfdbg_tui.verdict import judgement, text
from tfdbg_tui.verdict.verdict import Conclusion

if TYPE_CHECKING:
    from argparse import Namespace
    from types import FrameType

    from tfdbg_tui.commands.run import Launch
    from tfdbg_tui.data.live.snapshot import Snapshot

SETTLING = 0.5
"""Seconds to wait for an even earlier bad tensor: the files are written one after another."""


def run(options: Namespace) -> Outcome:
    """Run the script to its end; everything is said by then."""
    check_script(options)
    return Outcome(HeadlessRun(prepare(options), options.until_bad).run(), "")


class HeadlessRun:
    """Runs a script in our own terminal, and watches its recording for the first bad tensor."""

    def __init__(self, launch: Launch, until_bad: bool) -> None:
        self._launch = launch
        self._logdir = launch.logdir
        self._until_bad = until_bad
        self._process: subprocess.Popen[bytes] | None = None
        self._bad_since: float | None = None
        self._was_reported = self._stopped = self._is_bad = False

    def run(self) -> int:
        """Run the script to its end; its exit code or, if it was to stop at bad numbers, theirs."""
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) is not signal.SIG_IGN:  # which the script inherits
                signal.signal(number, self._pass_on)
        start = self._launch.start
        self._process = subprocess.Popen(
            start.command, env=start.environment(), pass_fds=start.inherited
        )
        feed = Feed(Logdir(self._logdir), self._report_first_bad)
        feed.start()
        code = self._process.wait()
        feed.stop()
        self._launch.note_end(shell_code(code), self._stopped)
        self._say(self._verdict())
        bad = self._stopped or (self._until_bad and self._is_bad)
        return BAD if bad else shell_code(code)

    def _pass_on(self, number: int, frame: FrameType | None) -> None:
        """Pass a signal on to the script; ctrl-c at a terminal has reached it already."""
        if number == signal.SIGINT and sys.stdin is not None and sys.stdin.isatty():
            return
        if self._process is not None:
            self._process.send_signal(number)

    def _report_first_bad(self, snapshot: Snapshot) -> None:
        """Report the first bad tensor; called in the feed's thread."""
        if self._was_reported or not any(state.alerts for state in snapshot.runs):
            return
        self._bad_since = self._bad_since or time.monotonic()
        if time.monotonic() < self._bad_since + SETTLING:
            return
        for state in snapshot.runs:
            first = judgement.verdict_on_run(state.run).first_bad if state.alerts else None
            if first is not None and first.location is not None:
                self._was_reported = True
                self._say(f"tfdbg-tui: {text.first_bad(first)}\n")
                if self._until_bad:
                    self._stop()
                return

    def _stop(self) -> None:
        self._stopped = True
        self._say(f"tfdbg-tui: stopping {self._launch.name}.\n")
        threading.Thread(target=self._end_by_signals, daemon=True).start()

    def _end_by_signals(self) -> None:
        process = self._process
        assert process is not None
        end_by_signals(process.send_signal, lambda seconds: _has_ended(process, seconds), GRACE)

    def _verdict(self) -> str:
        logdir = Logdir(self._logdir)
        logdir.load()
        if not logdir.runs:
            self._launch.tidy_up()
            return nothing_recorded(logdir)
        verdict = judgement.verdict_on(logdir, logdir.runs)
        conclusions = {run.conclusion for run in verdict.runs}
        self._is_bad = Conclusion.BAD in conclusions
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


def _has_ended(process: subprocess.Popen[bytes], seconds: float) -> bool:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True
