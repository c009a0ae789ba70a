"""Matches that are over: what they left, how strong that shows somebody to be, and what the house has promised."""
