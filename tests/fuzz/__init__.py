"""Hostile recordings by the thousand: real ones, changed at random, read and looked at in full.

A case is a number: the same one always makes the same recording. `python -m tests.fuzz` runs as
many as are asked for and measures them, `test_fuzz` a few hundred without measuring.
"""
