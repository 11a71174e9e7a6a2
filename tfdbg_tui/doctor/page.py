"""Findings as lines of a given width, each with its kind: for the app and for plain text."""

from __future__ import annotations

from enum import Enum
from textwrap import wrap
from typing import TYPE_CHECKING

from tfdbg_tui.doctor.finding import Level
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tfdbg_tui.doctor.finding import Finding

MARKS = {Level.PROBLEM: "!", Level.WARNING: "*", Level.FACT: "-"}
"""What stands before the word for a level: neither is told by colour alone."""

MARGIN = 12
"""Cells of the column with mark and word."""

NARROWEST = 20
"""Cells of text at least, however narrow the page is."""

CODE_INDENT = 2
"""Cells before code."""


class Part(Enum):
    """What a line of the page holds behind its margin."""

    HEADLINE = "headline"
    TEXT = "text"
    CODE = "code"
    NOTHING = "nothing"


class PageLine(NamedTuple):
    """One line: the level where a finding begins, and what stands behind it."""

    part: Part
    text: str = ""
    level: Level | None = None
    indent: int = MARGIN
    """Cells before the text where no level stands there."""

    @property
    def margin(self) -> str:
        """Mark and word, or blanks."""
        if self.level is None:
            return " " * self.indent
        return f"{MARKS[self.level]} {self.level.value}".ljust(MARGIN)


def page(findings: Iterable[Finding], width: int) -> list[PageLine]:
    """The findings, one below the other."""
    lines: list[PageLine] = []
    for finding in findings:
        if lines:
            lines.append(PageLine(Part.NOTHING))
        lines += _lines(finding, max(NARROWEST, width - MARGIN))
    return lines


def _lines(finding: Finding, width: int) -> Iterator[PageLine]:
    first, *more = wrap(finding.headline, width) or [""]
    yield PageLine(Part.HEADLINE, first, finding.level)
    for line in more:
        yield PageLine(Part.HEADLINE, line)
    for line in wrap(" ".join(finding.text), width):
        yield PageLine(Part.TEXT, line)
    fits = max(map(len, finding.code), default=0) <= width - CODE_INDENT
    for line in finding.code:  # it is to be copied: moved to the left rather than cut
        yield PageLine(Part.CODE, line, indent=CODE_INDENT + (MARGIN if fits else 0))
