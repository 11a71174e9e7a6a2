"""Widgets draw rows and frozen values; they never see a file, a thread or a store."""
