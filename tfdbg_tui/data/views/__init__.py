"""The answers that panes show, as frozen values and rows: what is chosen, what belongs to it.

Knows every storey below. Does not know how anything is drawn, nor on which keys.
"""
