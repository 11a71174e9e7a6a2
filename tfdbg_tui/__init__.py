"""tfdbg-tui: find the line that turned a TensorFlow program's numbers bad, in a terminal."""

__version__ = "0.1.0"
