"""The parts of the README that are made from the program itself.

    python -m tests.readme

writes them anew: the tables of keys and of commands, the kept screen of a small terminal, and the
picture of the app at the first NaN. Tests hold that all say what the program says now.
"""

from __future__ import annotations

import asyncio
import html
import os
import re
import shutil
import tempfile
from pathlib import Path

from tests.recordings.freeze import FROZEN
from tests.recordings.neutral import FIRST_TIME
from tests.support.app_under_test import Driven, opened
from tfdbg_tui.app import TfdbgApp
from tfdbg_tui.command_line.table import COMMANDS
from tfdbg_tui.config import Config
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.screens.keys import BINDINGS
from tfdbg_tui.screens.pane_names import NUMBERS

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PICTURE = ROOT / "tests" / "snapshots" / "first-nan.svg"
PICTURE_SIZE = (132, 38)
"""Columns and rows: small enough to read on a page, large enough for all panes."""

SCREEN = ROOT / "tests" / "snapshots" / "first-bad-80x24.txt"
SCREEN_BEGIN, SCREEN_END = "```\n tfdbg  logdir", "```\n"

KEYS_BEGIN, KEYS_END = "<!-- keys: python -m tests.readme -->\n", "<!-- end of keys -->\n"

COMMANDS_BEGIN = "<!-- commands: python -m tests.readme -->\n"
COMMANDS_END = "<!-- end of commands -->\n"

USUAL_FONTS = "DejaVu Sans Mono, Menlo, Consolas, monospace"

_FONTS = re.compile(r"\s*@font-face \{.*?\}\n", re.DOTALL)
_TEXT = re.compile(
    r'<text class="[\w-]+-r\d+"[^>]*? x="(?P<x>[\d.]+)" y="(?P<y>[\d.]+)"[^>]*>(?P<text>[^<]*)<'
)
_CELL = 12.2
"""Width of a cell in such pictures."""


def key_table() -> str:
    """Every key of the main screen and what it does, two in a row."""
    app = TfdbgApp(Logdir("logdir"), Config())
    panes = {f"pane.{name}" for name in NUMBERS}
    keys = [
        (app.key_text(binding), binding.tooltip or binding.description)
        for binding in BINDINGS
        if binding.id not in panes
    ]
    keys.append((f"1 … {len(panes)}", "Go to a pane by its number"))
    cells = [f"| `{key}` | {does} " for key, does in keys]
    half = (len(cells) + 1) // 2
    cells += ["| | "] * (2 * half - len(cells))
    rows = [f"{left}{right}|" for left, right in zip(cells[:half], cells[half:], strict=True)]
    return "\n".join(["| key | | key | |", "|---|---|---|---|", *rows]) + "\n"


def command_table() -> str:
    """Every command of the command line, as it is defined."""
    rows = [
        f"| `{one.usage}` | {one.summary}{' (app only)' if one.is_of_app else ''} |".replace(
            "on|off", "on\\|off"
        )
        for one in COMMANDS
    ]
    return "\n".join(["| command | does |", "|---|---|", *rows]) + "\n"


async def at_first_nan(folder: Path) -> tuple[list[str], str]:
    """The app at the first NaN of the frozen recording: its lines, and the picture."""
    logdir = Path(shutil.copytree(FROZEN, folder / "logdir"))
    for path in logdir.iterdir():
        os.utime(path, (FIRST_TIME, FIRST_TIME))
    before = Path.cwd()
    os.chdir(folder)  # the path on the screen is the same on every machine
    try:
        async with opened(Path("logdir"), PICTURE_SIZE) as driven:
            await driven.until(lambda: "ENDED" in driven.status)
            await driven.press("!")
            return lines_of(driven), with_usual_fonts(
                driven.app.export_screenshot(title="tfdbg-tui")
            )
    finally:
        os.chdir(before)


def lines_of(driven: Driven) -> list[str]:
    """The screen, without blanks at the ends of lines."""
    return [line.rstrip() for line in driven.lines()]


def with_usual_fonts(picture: str) -> str:
    """The picture without fonts from elsewhere: whoever looks at it has one of these."""
    return _FONTS.sub("", picture).replace("Fira Code, monospace", USUAL_FONTS)


def lines_in(picture: str) -> list[str]:
    """The text that a picture shows, line by line."""
    rows: dict[float, str] = {}
    for match in _TEXT.finditer(picture):
        text = html.unescape(match["text"]).replace("\xa0", " ")
        y, column = float(match["y"]), round(float(match["x"]) / _CELL)
        rows[y] = rows.get(y, "").ljust(column) + text
    return [rows[y].rstrip() for y in sorted(rows)]


def with_keys(readme: str) -> str:
    """The README with the keys as they are."""
    start, _, rest = readme.partition(KEYS_BEGIN)
    return start + KEYS_BEGIN + key_table() + KEYS_END + rest.partition(KEYS_END)[2]


def with_commands(readme: str) -> str:
    """The README with the commands as they are."""
    start, _, rest = readme.partition(COMMANDS_BEGIN)
    end = COMMANDS_END + rest.partition(COMMANDS_END)[2]
    return start + COMMANDS_BEGIN + command_table() + end


def with_screen(readme: str) -> str:
    """The README with the screen as it is."""
    start, begin, rest = readme.partition(SCREEN_BEGIN)
    if not begin:
        return readme
    kept = SCREEN.read_text(encoding="utf-8")
    return f"{start}```\n{kept}{SCREEN_END}{rest.partition(SCREEN_END)[2]}"


def main() -> None:
    """Write the table, the screen and the picture anew."""
    readme = with_commands(with_screen(with_keys(README.read_text(encoding="utf-8"))))
    README.write_text(readme, encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        _, picture = asyncio.run(at_first_nan(Path(folder)))
    PICTURE.write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
