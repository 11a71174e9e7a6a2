"""What was typed is kept: for its owner alone, bounded, shared by sessions, never dangerous."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tfdbg_tui.kept.typed_lines import LONGEST, MAX_LINES, LineKeeper

if TYPE_CHECKING:
    from pathlib import Path


def keep(keeper: LineKeeper, *lines: str) -> list[str]:
    complaints: list[str] = []
    for line in lines:
        asyncio.run(keeper.keep(line, complaints.append))
    return complaints


def test_lines_are_there_in_the_next_session_and_for_their_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "state" / "lines.txt"
    keeper = LineKeeper(path)
    assert keeper.lines == ()
    assert not keep(keeper, "lt -n Log", "pt Log:0", "lt -n Log")
    assert LineKeeper(path).lines == ("pt Log:0", "lt -n Log"), "each once, where it was last"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_two_sessions_keep_what_both_typed(tmp_path: Path) -> None:
    one, other = LineKeeper(tmp_path / "lines"), LineKeeper(tmp_path / "lines")
    keep(one, "ri")
    keep(other, "steps")
    keep(one, "alerts")
    assert LineKeeper(tmp_path / "lines").lines == ("ri", "steps", "alerts")


def test_what_is_kept_is_bounded_and_harmless(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"good\n\x1b[31mbad\n\xff\xfe\n" + b"x" * (LONGEST + 1) + b"\n")
    assert "good" in LineKeeper(path).lines
    assert all(line.isprintable() and len(line) <= LONGEST for line in LineKeeper(path).lines)
    path.write_text("".join(f"lt {number}\n" for number in range(MAX_LINES + 7)), encoding="utf-8")
    lines = LineKeeper(path).lines
    assert (len(lines), lines[0], lines[-1]) == (MAX_LINES, "lt 7", f"lt {MAX_LINES + 6}")


def test_what_cannot_be_kept_is_said_and_nothing_else_happens(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    keeper = LineKeeper(tmp_path / "file" / "lines")
    (sentence,) = keep(keeper, "ri")
    assert sentence.startswith("What you type is not kept: ")
    assert keeper.lines == ()
    assert len(keep(LineKeeper(tmp_path), "ri")) == 1, "a folder is no file"
