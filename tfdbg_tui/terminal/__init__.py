"""The terminal that is drawn on: how bytes get there, and how nobody has to wait for it.

Knows descriptors and threads only; neither Textual nor what is drawn.
"""
