"""Why numbers went bad: where they began, what made them, how far they came, and what to do.

Knows the flow and what is below it. Does not know who asks, nor how it is shown.
"""
