"""Who plays: guests and their keys, what is remembered of them, and how it is forgotten."""
