"""When something is worth a warning: every number that decides it, in one place.

The settings may change each of them, under its name here, in `[alerts]` of the config file.
A false warning is worse than a missed one: the defaults are far from what healthy programs do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.live.run_activity import Stall


class Thresholds(NamedTuple):
    """What has to be there before a kind of warning is given."""

    retraces: int = 5
    """Traces of one function among its last calls."""
    retrace_calls: int = 10
    """Last calls of a function among which so many traced it."""
    zero_invocations: int = 5
    """Invocations in a row, up to the last, in which a tensor is zero in every element."""
    zero_elements: int = 4
    """Elements that a tensor must have before its zeros mean anything."""
    rising_from: float = 0.5
    """Share of zeros below which a tensor began."""
    rising_to: float = 0.9
    """Share of zeros above which it is now."""
    rising_invocations: int = 8
    """Invocations looked at before zeros can be said to rise."""
    sign_share: float = 0.25
    """Share of elements of the rarer sign with which a tensor began."""
    sign_invocations: int = 8
    """Invocations in a row, up to the last, in which all of its elements have one sign."""
    sign_elements: int = 64
    """Elements that a tensor must have before its signs mean anything."""
    drift_steps: int = 8
    """Steps in each of which a shape is larger than in the one before."""
    drift_growth: float = 3.0
    """Times the elements that it began with."""
    changed_steps: int = 5
    """Steps before, and behind, a change of element type or rank."""
    growth: float = 1e4
    """Times the magnitude that a tensor began with; in half precision the fourth root of that."""
    growth_invocations: int = 5
    """Invocations looked at in each of which it is larger than in the one before."""
    growth_from: float = 1e6
    """Magnitude below which growth is no matter; in half precision a tenth of its limit."""
    half_inf_share: float = 0.5
    """Share of invocations with infinity above which loss scaling skips too many steps."""
    half_inf_invocations: int = 10
    """Invocations before that share means anything."""
    stalled_seconds: float = 60.0
    """Seconds of silence of a program that is still there."""
    stalled_times: float = 20.0
    """And times its longest silence before."""

    @property
    def stall(self) -> Stall:
        """From when on silence is worth a warning."""
        from tfdbg_tui.data.live.run_activity import Stall  # `check` has no use for it

        return Stall(self.stalled_seconds, self.stalled_times)
