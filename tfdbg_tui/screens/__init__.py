"""Wires: what a pane reports becomes a selection, a selection moves the panes.

Knows widgets, the data engine, the doctor and the state of a script. Opens no file, starts no
thread: whatever takes time is a job of the feed.
"""
