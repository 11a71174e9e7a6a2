"""What the tests have in common: recordings opened and damaged, the app and the command driven."""
