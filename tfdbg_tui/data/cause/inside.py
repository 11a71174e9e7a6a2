"""The bad tensors inside a call."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tfdbg_tui.data.index.host_index import HostIndex

MAX_IN_CALL = 500
"""Bad tensors of one call that are looked at for its causes."""


def bad_inside(index: HostIndex, execution: int, most: int) -> list[int]:
    """The first bad tensors inside a call; none inside an eager op."""
    site = index.host.executions.site_number(execution)
    is_call = index.sites.execution(site).is_call
    return index.bad_inside(execution)[:most].tolist() if is_call else []
