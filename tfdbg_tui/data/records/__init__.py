"""What one record says: the DebugEvent messages, their layouts, tensors and health.

Knows protobuf and bytes. Does not know which run a record belongs to, nor keeps any.
"""
