"""A match, its record, its shuffle and a live table: no clock, no randomness of its own, no I/O but to read lessons."""
