"""Matches that are over: what they left, and how strong that shows somebody to be."""
