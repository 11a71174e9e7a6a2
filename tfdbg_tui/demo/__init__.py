"""A real training run that meets its NaN, shipped with the package and played again live.

Writes what a recorder would; knows nothing of who reads it, neither Textual nor TensorFlow.
"""
