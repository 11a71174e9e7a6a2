"""The cause of a run's bad numbers as frozen values, and as the JSON that `check --json` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.cause.explanation import ToldTensor
    from tfdbg_tui.data.stores.alert_log import Alert
    from tfdbg_tui.verdict.bad_tensor import BadTensor, Json
    from tfdbg_tui.verdict.warnings import WarningVerdict


class CauseVerdict(NamedTuple):
    """One cause."""

    rule: str
    sentence: str
    """What broke, with its evidence, and what it came to."""
    origin: BadTensor
    layer: str
    inputs: tuple[ToldTensor, ...]
    chain: tuple[str, ...]
    reach: str
    variables: tuple[str, ...]
    """Those that were poisoned."""
    step: int | None
    cures: tuple[str, ...]

    def to_json(self) -> Json:
        """All that is known of it."""
        return {
            "rule": self.rule,
            "verdict": self.sentence,
            "origin": self.origin.to_json(),
            # What made a layer is not noted in a recording, nor its class.
            "layer": {"name": self.layer, "class": None, "file": None, "line": None}
            if self.layer
            else None,
            "inputs": [_input_json(told) for told in self.inputs],
            "chain": list(self.chain),
            "reach": self.reach,
            "poisoned_variables": list(self.variables),
            "step": self.step,
            "suggestion": self.cures[0] if self.cures else None,
        }

    def to_short_json(self) -> Json:
        """The same, shorter: for the causes behind the first."""
        whole = self.to_json()
        return {key: whole[key] for key in ("rule", "verdict", "origin", "layer", "reach", "step")}


class Meant(NamedTuple):
    """Numbers that are bad on purpose, from one place."""

    sentence: str
    origin: BadTensor


class MutedVerdict(NamedTuple):
    """What the user has muted of a run."""

    tensors: int = 0
    rules: tuple[tuple[str, int], ...] = ()
    """The rules that mute something, and how many tensors, most first."""
    unused_lines: tuple[int, ...] = ()
    """The lines of their file whose rule mutes nothing."""


class Causes(NamedTuple):
    """The causes of one run, the worst first, and what is no cause."""

    ranked: tuple[CauseVerdict, ...] = ()
    meant: tuple[Meant, ...] = ()
    on_purpose: int = 0
    """Tensors that hold numbers that are meant."""
    steps: int | None = None
    """Steps of the training loop; None while none is known."""
    muted: MutedVerdict | None = None
    """None where nothing was to be muted."""
    first: Alert | None = None
    """The first bad tensor in time that is not muted."""
    has_nan: bool = False
    """Whether what is not muted holds a NaN, or what may be one."""
    warnings: tuple[WarningVerdict, ...] = ()
    """What goes wrong without being bad yet, in time."""


def _input_json(told: ToldTensor) -> Json:
    health = told.health
    numbers = ("size", "zero", "negative", "neg_inf", "pos_inf", "nan")
    return {
        "tensor": told.name,
        "op_type": told.op_type,
        **{name: None if health is None else getattr(health, name) for name in numbers},
        "min": told.lowest,
        "max": told.highest,
    }
