"""The flow of numbers: what a tensor is computed from and what takes it, across graphs and calls.

Knows the index and the stores. Does not know what is bad about numbers, nor who asks.
"""
