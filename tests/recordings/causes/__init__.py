"""Programs that go numerically wrong, each with the truth beside it: what went wrong, and where."""
