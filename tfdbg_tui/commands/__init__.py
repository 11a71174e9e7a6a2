"""What can be typed behind `tfdbg-tui`: one module a command, and what commands have in common.

Knows every room; imports Textual only to show the app (`show`), TensorFlow never. Whatever
keeps a command from its work ends as one sentence and an exit code.
"""
