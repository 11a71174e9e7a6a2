"""What came of a key, a click or a snapshot: one frozen value, which the view shows."""

from __future__ import annotations

from dataclasses import dataclass, fields

from tfdbg_tui.frozen.named_tuple import NamedTuple


class Sentence(NamedTuple):
    """Something to say in place of the keys; an empty text takes back what was said."""

    text: str
    role: str = ""


class Reveal(NamedTuple):
    """A pane to bring to the screen, and whether it gets the keys."""

    pane: str
    focus: bool = True


@dataclass(frozen=True)
class Change:
    """What is other than before; everything else may stay as it is drawn."""

    rows: bool = False
    """The lists show other rows: of another run or host, filtered, collapsed."""
    appends: bool = False
    """The lists may have the rows that have come."""
    reloads: bool = False
    """What rows say may have become known: names, lines, steps."""
    history: bool = False
    """More is known of the past of the chosen tensor."""
    selection: bool = False
    """The panes have to follow the selection."""
    scroll: bool = False
    """Lists scroll to the selection; not where only more has become known about it."""
    ends: bool = False
    """Lists without a cursor show their newest rows."""
    watched: bool = False
    """Something is watched that was not, or the other way round."""
    in_front: bool = False
    """Of the two lists of events, the one that holds the selection comes to the front."""
    reveal: tuple[Reveal, ...] = ()
    said: Sentence | None = None

    def __or__(self, later: Change) -> Change:
        """Both changes, shown at once; what is said later counts."""
        switches = {
            field.name: getattr(self, field.name) or getattr(later, field.name)
            for field in fields(self)
            if field.name not in ("reveal", "said")
        }
        return Change(**switches, reveal=self.reveal + later.reveal, said=later.said or self.said)


UNCHANGED = Change()

MOVED = Change(selection=True, scroll=True)
"""Something else is selected."""

OTHER_ROWS = MOVED | Change(rows=True)
"""The lists show other rows, and have to find the selection among them."""


def say(text: str, role: str = "") -> Change:
    """Nothing but a sentence."""
    return Change(said=Sentence(text, role))
