"""Pictures of every page at telling moments, always the same ones, and what is amiss in them: `make gallery`."""
