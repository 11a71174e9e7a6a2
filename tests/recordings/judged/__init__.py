"""Programs with the truth beside them, by which the engine that names causes is judged."""
