"""The recorded programs, grouped by what they show. Each function takes the logdir."""
