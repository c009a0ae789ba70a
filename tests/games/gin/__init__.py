"""Gin: its rules, melds, view and texts."""
