"""Completing a half-typed command among very many names against among few.

python -m benchmarks.completion [--small]
"""

from __future__ import annotations

import statistics
import sys
import time

from benchmarks.table import Row, print_table
from tfdbg_tui.command_line.completing import complete
from tfdbg_tui.command_line.definition import Names
from tfdbg_tui.command_line.name_lists import NameLists, SortedNames
from tfdbg_tui.data.search.named_filters import NamedFilters

MANY, FEWER, FEW = 100_000, 10_000, 100
"""Names, those for CI, and those of a small program."""

LINES = ("pt ", "pt layer_7/", "pt layer_77/attention/dense_3/MatMul", "pt gradient", "pt zzz")
"""The last two are found nowhere at the beginning, and the last one nowhere at all."""

ROUNDS = 20


class _Named(NameLists):
    """Names without a run that they are of."""

    def __init__(self, count: int) -> None:
        names = SortedNames()
        for number in range(count):
            op = ("MatMul", "BiasAdd", "Relu", "gradients/Mul")[number % 4]
            names.add(f"layer_{number // 40}/attention/dense_{number % 10}/{op}_{number}:0")
        names.close()
        self._lists = {Names.TENSOR: names}


def completion_rows(small: bool = False) -> list[Row]:
    """The slowest of some lines, at two sizes."""
    many = FEWER if small else MANY
    (what, ours), (_, rival) = _slowest(_Named(many)), _slowest(_Named(FEW))
    return [
        Row(
            f"completing `{what}` among {many:,} names; rival: among {FEW}",
            f"{ours * 1e3:.2f} ms",
            f"{rival * 1e3:.2f} ms",
            f"{ours / rival:.1f}",
            "at most 50 ms",
        )
    ]


def _slowest(names: NameLists) -> tuple[str, float]:
    filters = NamedFilters()
    medians = {}
    for line in LINES:
        times = []
        for _ in range(ROUNDS):
            started = time.perf_counter()
            complete(line, names, filters)
            times.append(time.perf_counter() - started)
        medians[line] = statistics.median(times)
    slowest = max(medians, key=lambda line: medians[line])
    return slowest, medians[slowest]


if __name__ == "__main__":
    print_table(completion_rows("--small" in sys.argv))
