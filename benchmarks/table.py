"""The table that the benchmarks print."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import NamedTuple


class Row(NamedTuple):
    """One line of the table."""

    what: str
    ours: str
    rival: str
    ratio: str
    goal: str


def print_table(rows: list[Row]) -> None:
    """The table as Markdown, with the machine it was measured on."""
    print(f"{cpu_name()}, {os.cpu_count()} cores, Python {platform.python_version()}\n")
    print("| what | tfdbg-tui | rival | ratio | goal |")
    print("|---|---|---|---|---|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


def cpu_name() -> str:
    """The processor, as the kernel calls it."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
