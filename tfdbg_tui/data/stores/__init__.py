"""What is kept of all records: append-only columns and tables of a host, a run, a logdir.

Knows records and files; only the feed's thread appends. Does not know what events have to do
with each other (that is the index) nor who asks.
"""
