"""Keys that act at once, in the order in which they arrive.

Textual hands a key from widget to widget up to the app before it looks for a binding, unless the
binding has priority. Over SSH several keys arrive together, and the second would overtake the
first on that way.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from textual.binding import Binding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.binding import BindingType


def at_once(bindings: Iterable[BindingType]) -> list[BindingType]:
    """The same bindings, with priority."""
    return [replace(each, priority=True) for each in bindings if isinstance(each, Binding)]
