"""The values of one recorded tensor: parts of it, what they hold, what differs, as text and files.

Knows the index, the stores and how records hold tensors, and reads only the bytes of what is asked
for. Does not know what is bad about numbers, nor who looks at them.
"""
