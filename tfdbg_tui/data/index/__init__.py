"""What nothing records and has to be worked out: steps, joins, lines, totals by site.

Grows in slices beside the stores. Knows stores; does not know searches, selections or panes.
"""
