"""What is true of a program: written from what TensorFlow's ops mean, before any engine saw it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent

ARITHMETIC = "MatMul Mul Square Sum Mean AddV2 Sub AddN BiasAdd BiasAddGrad SquaredDifference"
"""Which of these overflows first when weights explode, is for the numbers to say."""


@dataclass(frozen=True)
class Judged:
    """One program and what is wrong with it."""

    name: str
    function: str
    """``module.function`` in this package."""
    rule: frozenset[str]
    """The rules that can honestly be given; one of them has to be."""
    op_types: frozenset[str]
    """The op that made the first bad numbers has one of these types. If there are none, any will
    do: numbers that are bad on arrival are made by no op."""
    line_marker: str
    """The guilty line ends in ``# guilty: MARKER``."""
    reach: frozenset[str]
    """How far the bad numbers came; one of these has to be said."""
    note: str
    layer: str | None = None
    """The name of the Keras layer in which it lies, where that is a layer of Keras's own."""
    healthy: bool = False
    """Nothing is wrong: there is no cause, and `check` calls the run clean."""
    on_purpose: bool = False
    """Healthy, though tensors hold infinities or NaN."""

    @property
    def source(self) -> Path:
        """The file that holds the program."""
        return FOLDER / f"{self.function.partition('.')[0]}.py"

    def is_its_layer(self, path: str) -> bool:
        """Whether the name of an op, or of a layer, leads through its layer: `norm` or `norm_1`."""
        return any(re.fullmatch(rf"{self.layer}(_\d+)?", part) for part in path.split("/"))

    def lines(self, word: str = "guilty") -> list[int]:
        """The numbers, from 1, of the lines marked with this word.

        Some lines are marked ``fair``: to name one of them instead is right as well.
        """
        mark = f"# {word}: {self.line_marker}"
        lines = self.source.read_text(encoding="utf-8").splitlines()
        return [number for number, line in enumerate(lines, 1) if line.endswith(mark)]


def broken(
    function: str, rule: str, op_types: str, reach: str, note: str, layer: str | None = None
) -> Judged:
    """A program with a bug. Several words are alternatives."""
    name = function.partition(".")[2]
    return Judged(
        name=name,
        function=function,
        rule=frozenset(rule.split()),
        op_types=frozenset(op_types.split()),
        line_marker=name,
        reach=frozenset(reach.split()),
        note=note,
        layer=layer,
    )


def healthy(function: str, note: str, on_purpose: bool = False) -> Judged:
    """A program without a bug."""
    name = function.partition(".")[2]
    nothing: frozenset[str] = frozenset()
    return Judged(
        name, function, nothing, nothing, name, nothing, note, healthy=True, on_purpose=on_purpose
    )
