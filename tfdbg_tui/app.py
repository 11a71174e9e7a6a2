"""The full-screen App comes here: theme, keymap, palette, start and stop of the feed."""
