"""A match, its record, its shuffle and a live table: no I/O, no clock, no randomness of its own."""
