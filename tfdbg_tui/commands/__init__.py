"""What can be typed behind `tfdbg-tui`: one module a command, and what commands have in common.

Each has `run(options) -> Outcome`; what keeps it from its work is a UserError. Knows every room,
but imports Textual only to show the app (`show`), and TensorFlow never.
"""
