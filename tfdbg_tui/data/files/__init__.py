"""The ground floor: bytes of files that grow, as whole records whose checksums hold.

Knows files, TFRecord framing and CRC-32C. Does not know what a record says.
"""
