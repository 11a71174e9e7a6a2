"""The user's script while we run it: its process, what it prints, how it is started.

Knows pseudo-terminals, signals and `record`, most of it inside the script's process. Does not
know the app: it calls back when something has changed.
"""
