"""Finding events: what people type, as conditions that run over columns in bulk.

Knows the index and the stores. Does not know where the user is, nor how rows look.
"""
