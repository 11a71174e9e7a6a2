"""The one error that a user gets to read.

Imports nothing, so that every room may raise it.
"""

from __future__ import annotations


class UserError(Exception):
    """What keeps a command from its work: one sentence that says what is wrong and what to do."""

    def __init__(self, sentence: str, exit_code: int = 2) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code
        """How the command ends; 2 is what Python and argparse use for a wrong command line."""
