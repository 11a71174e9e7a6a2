"""A folder that stands in PYTHONPATH of one process: the script's, when Python starts it.

Python imports a module called `sitecustomize` before it runs anything; here it is ours. Knows
nothing but `os` and `sys` at that time, and `recorded_main` later. Nothing else may lie here, for
it would hide the script's own modules.
"""
