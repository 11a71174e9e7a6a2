"""Early warnings: what is no NaN yet, and goes that way; or is wrong in a way that no NaN tells.

Knows causes and all below; nothing of panes. One file a kind, one file for all thresholds.
"""
