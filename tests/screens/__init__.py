"""The app driven by keys and mouse over real recordings."""
