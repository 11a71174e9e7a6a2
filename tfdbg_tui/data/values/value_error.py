"""What keeps somebody from a value: one sentence that says what was expected, or what is gone."""

from __future__ import annotations

GONE = "The record cannot be read back: its file was cut, deleted or damaged."


UNDECODABLE = "The recorded tensor cannot be decoded."


class ValueQueryError(ValueError):
    """A sentence for whoever asked; nothing of what was looked at is spoilt."""
