"""Screens compose widgets and wire one pane to another; they open no files and start no threads."""
