"""Widgets by the text of their lines."""
