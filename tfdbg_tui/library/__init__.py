"""Recordings for programs and notebooks: `from tfdbg_tui import open_logdir`, see docs/api.md.

Knows the data and the verdict, and neither commands nor screens; it prints nothing. What is told
here by a name without an underscore stays what it is from version to version.
"""
