"""What the user keeps from one session to the next, in a folder of their own.

Knows the data. Does not know who asks, and never writes into a logdir.
"""
