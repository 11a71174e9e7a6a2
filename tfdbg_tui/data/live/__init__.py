"""Reading while training runs: the feed's thread, its jobs, what wakes it, what it tells.

Knows stores and indexes, threads and the clock. Tells in frozen snapshots; knows no screen.
"""
