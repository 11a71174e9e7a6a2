"""What is known of a program that goes wrong: written by whoever wrote the program."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
GUILTY, ALSO = "guilty", "also"
"""Comments that mark a line: ``# guilty: name`` and ``# also: name, other_name``."""

Words = str | frozenset[str]
"""One word, or several of which any will do."""

RULES = frozenset(
    {
        "log_of_zero",
        "log_of_negative",
        "sqrt_of_negative",
        "rsqrt_of_zero",
        "division_by_zero",
        "zero_over_zero",
        "pow_domain",
        "domain",
        "overflow",
        "half_overflow",
        "inf_minus_inf",
        "zero_times_inf",
        "softmax_of_inf",
        "gradient_at_singularity",
        "mean_of_empty",
        "data",
        "constant",
        "variable",
        "optimizer_update",
        "explosion",
        "unknown",
    }
)
REACHES = frozenset({"variable", "loss", "output", "absorbed"})

GRADIENT_OF = "gradient_of"
"""The recorded op computes a gradient, and the guilty line is that of its forward op."""


def any_of(*words: str) -> frozenset[str]:
    """Several answers, each of which is right."""
    return frozenset(words)


@dataclass(frozen=True)
class Program:
    """A program and the truth about it."""

    name: str
    module_function: str
    """The module in this package and the function in it, with a dot between."""
    rule: Words
    op_types: frozenset[str]
    """Types that the op of the origin may have; patterns of the shell."""
    line_marker: str
    reach: Words
    """The loss, too, where the op of the gradient that spoils the variable goes wrong by itself."""
    note: str
    """What happens, as one would tell a colleague."""
    via: str | None = None
    """What JSON says where the line is the guilty one; None is not asked for."""
    layer: str | None = None
    step: int | None = None
    """The round of the program's own loop, from 1, in which the truth happens."""
    mode: str = "FULL_HEALTH"

    @property
    def rules(self) -> frozenset[str]:
        """The rules that may be named."""
        return _set_of(self.rule)

    @property
    def reaches(self) -> frozenset[str]:
        """What may be named as its reach."""
        return _set_of(self.reach)

    @property
    def file(self) -> Path:
        """Where its source is."""
        return HERE / f"{self.module_function.split('.')[0]}.py"

    @property
    def line(self) -> int:
        """The line that is to blame."""
        (line,) = lines_marked(self.file, GUILTY, self.line_marker)
        return line

    @property
    def lines(self) -> frozenset[int]:
        """That line, and another that would be no lie: where an eager tape is asked, say."""
        return frozenset({self.line, *lines_marked(self.file, ALSO, self.line_marker)})

    def may_be_of(self, op_type: str) -> bool:
        """Whether the origin may be an op of a type."""
        return any(fnmatchcase(op_type, pattern) for pattern in self.op_types)


def lines_marked(file: Path, kind: str, marker: str) -> list[int]:
    """The lines, from 1, that have a marker."""
    return [line for line, markers in marked_lines(file, kind) if marker in markers]


def marked_lines(file: Path, kind: str) -> Iterator[tuple[int, list[str]]]:
    """All marked lines, from 1, with their markers."""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        _, comment, markers = line.partition(f"  # {kind}: ")
        if comment:
            yield number, markers.split(", ")


def _set_of(words: Words) -> frozenset[str]:
    return frozenset({words}) if isinstance(words, str) else words
