"""What start screens show: `python -m benchmarks.start_screens RECORDINGS [LOGDIR ...]`.

Opens every recording of a folder (kept by `TFDBG_TUI_RECORDINGS`, made if it is missing), the
frozen one, the demo's and any other logdir at four sizes, presses nothing, and counts from the
drawn text: whether the chosen line of code is whole, whether the sentence of the verdict stands
there, which part of the panes' rows is blank, and whether names are cut beside a column that says
the same in every row.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.recordings.freeze import FROZEN
from tests.recordings.programs import SCENARIOS
from tests.recordings.record import record
from tests.support.app_under_test import Driven, opened

if TYPE_CHECKING:
    from collections.abc import Iterable

SIZES = ((80, 24), (120, 36), (160, 48), (200, 60))

TOP_ROWS = 5
"""Rows of the screen in which the answer has to stand."""

BORDERS = "│┃╭╮╰╯─━┏┓┗┛▌|+-=# "
"""What may stand in a row of a pane that says nothing."""

ELLIPSIS = "…"


class Screen(NamedTuple):
    """What one start screen shows; None where that does not apply."""

    line_is_whole: bool | None
    verdict_is_told: bool | None
    pane_rows: int
    blank_rows: int
    names_cut: bool | None
    """Whether a name is cut beside a column that says the same in every row."""


async def look(logdir: Path, size: tuple[int, int]) -> Screen | None:
    """The start screen of a logdir; None where there are no panes."""
    try:
        async with opened(logdir, size) as driven:
            return _seen(driven)
    except (AssertionError, TimeoutError):
        return None  # nothing was recorded there


def _seen(driven: Driven) -> Screen:
    lines = driven.lines()
    rows = [row for name in driven.panes.names for row in _rows_of(driven, name, lines)]
    blank = sum(not row.strip(BORDERS) for row in rows)
    return Screen(
        _line_is_whole(driven, lines),
        _verdict_is_told(driven, lines),
        len(rows),
        blank,
        _names_cut(driven),
    )


def _rows_of(driven: Driven, name: str, lines: list[str]) -> list[str]:
    """What is drawn in a pane, without its border; nothing if it is not on the screen."""
    if not driven.panes.is_shown(name):
        return []
    pane = driven.panes.pane(name)
    region = pane.region.shrink(pane.styles.gutter)
    return [line[region.x : region.right] for line in lines[region.y : region.bottom]]


def _line_is_whole(driven: Driven, lines: list[str]) -> bool | None:
    """Whether the code of the chosen line can be read to its end, wrapped or not."""
    index, chosen = driven.navigator.index, driven.chosen
    if index is None or chosen.file is None or chosen.line is None:
        return None
    text = index.host.sources.lines(chosen.file)
    if text is None or not 0 < chosen.line <= len(text):
        return None
    code = re.sub(r"\s+", "", text[chosen.line - 1])
    drawn = [*map(_squeezed, lines)]
    source = "".join(map(_squeezed, _rows_of(driven, "source", lines)))
    return any(code in line for line in drawn) or code in source


def _squeezed(line: str) -> str:
    return re.sub(r"[\s▌│┃▐]+", "", line)


def _verdict_is_told(driven: Driven, lines: list[str]) -> bool | None:
    """Whether tensor, numbers and line of the first bad tensor stand at the top."""
    run = driven.navigator.run
    if run is None or not run.alerts.count or not driven.navigator.first_alert():
        return None
    facts = driven.main.view.details.name.rpartition("/")[2].rpartition(":")[0]
    top = "\n".join(lines[:TOP_ROWS])
    line = driven.chosen.line
    says_what = bool(re.search(r"NaN|inf", top)) and (facts or "").strip() in top
    return says_what and (line is None or f":{line}" in top or f" {line} " in top)


def _names_cut(driven: Driven) -> bool | None:
    lines = driven.lines()
    rows = _rows_of(driven, "traces", lines)
    if len(rows) < 3 or not driven.panes.traces.row_count:
        return None
    titles = [(found[0], found.start()) for found in re.finditer(r"\S+", rows[0])]
    starts = dict(titles)
    ends = {name: after for (name, _), (_, after) in pairwise(titles)}
    if "tensor" not in starts or "tensor" not in ends:
        return None
    cells = {
        name: {row[starts[name] : ends[name]].strip() for row in rows[1:] if row.strip()}
        for name in ("function", "op", "dtype", "dev")
        if name in starts and name in ends
    }
    is_constant = any(len(values) == 1 for values in cells.values())
    names = [row[starts["tensor"] : ends["tensor"]] for row in rows[1:]]
    return is_constant and any(ELLIPSIS in name for name in names)


def share(answers: Iterable[bool | None]) -> str:
    """How many of those that apply are so."""
    known = [answer for answer in answers if answer is not None]
    return f"{sum(known)} of {len(known)}" if known else "-"


async def main(folder: Path, others: list[Path]) -> None:
    """Look at all of them and print the table."""
    logdirs = [record(scenario, folder) for scenario in SCENARIOS]
    seen: dict[tuple[int, int], list[Screen]] = defaultdict(list)
    for logdir in (*logdirs, FROZEN, *others):
        for size in SIZES:
            screen = await look(logdir, size)
            if screen is not None:
                seen[size].append(screen)
                if "-v" in sys.argv:
                    print(logdir.name, size, screen)
    print("| size | screens | line whole | verdict told | blank rows of panes | names cut |")
    print("|---|---|---|---|---|---|")
    for (width, height), screens in seen.items():
        blank = sum(s.blank_rows for s in screens) / max(1, sum(s.pane_rows for s in screens))
        print(
            f"| {width}x{height} | {len(screens)} | {share(s.line_is_whole for s in screens)} "
            f"| {share(s.verdict_is_told for s in screens)} | {blank:.0%} "
            f"| {share(s.names_cut for s in screens)} |"
        )


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "-v"]
    kept = Path(arguments[0] if arguments else tempfile.mkdtemp(prefix="tfdbg-recordings-"))
    asyncio.run(main(kept, [Path(other) for other in arguments[1:]]))
