"""How much of our own code everyday actions run: `python -m benchmarks.walks [LOGDIR]`.

Counts the calls of this package's functions in the screen's thread, from an action until all is
at rest, at 160x48. Counts do not depend on how busy the machine is, and show work done twice. How
many snapshots come meanwhile does depend on it: the rounds with the fewest are the ones told.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import tfdbg_tui
from tests.recordings.freeze import FROZEN
from tests.support.app_under_test import WIDE, Driven, opened
from tests.support.growing import Growing

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from types import FrameType

PACKAGE = str(Path(tfdbg_tui.__file__).parent)

ROUNDS = 5

NAMED = 6
"""Functions that are named with their calls."""

SNAPSHOT = "_show_snapshot"
"""The function that hands a snapshot to the screen."""


class Walk:
    """The calls of the screen's thread, by module and function."""

    def __init__(self) -> None:
        self.calls: Counter[tuple[str, str]] = Counter()

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count what this thread calls."""
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _argument: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(PACKAGE):
            self.calls[file[len(PACKAGE) + 1 : -3], frame.f_code.co_name] += 1

    @property
    def snapshots(self) -> int:
        """Snapshots that came meanwhile."""
        return self.calls["app", SNAPSHOT]

    def __str__(self) -> str:
        calls = self.calls
        modules = len({module for module, _ in calls})
        most = ", ".join(f"{name} {n}" for (_, name), n in calls.most_common(NAMED))
        return (
            f"{len(calls)} functions / {modules} modules / {calls.total():,} calls, "
            f"{self.snapshots} snapshots\n    {most}"
        )


async def _walked(driven: Driven, act: Callable[[], Awaitable[object]]) -> Walk:
    await driven.until(lambda: driven.is_loaded)
    walk = Walk()
    with walk.counted():
        await act()
        await driven.settle()
        await driven.until(lambda: driven.is_loaded)
    return walk


async def _still(logdir: Path) -> Iterator[tuple[str, Walk]]:
    """Walks through a recording that does not grow."""
    async with opened(logdir, WIDE) as driven:
        await driven.press("3", "G")
        first = await _walked(driven, lambda: driven.press("!"))
        await driven.press("3", "g")
        down = await _walked(driven, lambda: driven.press("down"))
        page = await _walked(driven, lambda: driven.press("pagedown"))
        search = await _walked(driven, lambda: driven.write("/op:Log", "enter"))
        await driven.press("escape", "!")
        x, y = driven.region("source").offset
        line = next(n for n in range(1, 9) if driven.lines()[y + n][x + 12 :].strip())
        click = await _walked(driven, lambda: driven.click(x + 12, y + line))
    names = ("!", "down", "page down", "/op:Log", "a click on a source line")
    return iter(zip(names, (first, down, page, search, click), strict=True))


async def _followed(logdir: Path, folder: Path) -> Walk:
    """The walk of 4 KiB that are appended while the newest events are followed."""
    growing = Growing(logdir, folder)
    async with opened(growing.path, WIDE) as driven:
        await driven.press("3", "f")

        async def grow() -> None:
            before = driven.main.session.snapshot
            growing.grow()
            await driven.until(lambda: driven.main.session.snapshot is not before)

        return await _walked(driven, grow)


async def counted(logdir: Path) -> dict[str, Walk]:
    """Every walk, in the round with the fewest snapshots and then the fewest calls."""
    found: dict[str, list[Walk]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(ROUNDS):
            for name, walk in await _still(logdir):
                found.setdefault(name, []).append(walk)
            appended = await _followed(logdir, Path(folder) / str(number))
            found.setdefault("4 KiB appended while following", []).append(appended)
    return {
        name: min(rounds, key=lambda walk: (walk.snapshots, walk.calls.total()))
        for name, rounds in found.items()
    }


def main() -> None:
    """Print the figures."""
    logdir = Path(sys.argv[1]) if len(sys.argv) > 1 else FROZEN
    for name, walk in asyncio.run(counted(logdir)).items():
        print(f"{name}: {walk}")


if __name__ == "__main__":
    main()
