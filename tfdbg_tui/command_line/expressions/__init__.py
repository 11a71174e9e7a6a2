"""Expressions over arrays that strangers may type: an AST of allowed nodes, walked by ourselves.

Python's own `eval` is never asked. What is not listed is refused, and whatever could take very
long or very much memory is bounded before it is computed. Knows numpy, and no recording.
"""
