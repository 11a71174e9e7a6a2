"""Programs that show an early warning, and healthy ones beside them that show none."""
