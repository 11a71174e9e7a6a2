"""Draws: panes, bars and lines of text, from rows and frozen values.

Knows Textual and the values of the data engine; never a file, a thread or a store.
"""
