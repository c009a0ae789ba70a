"""Who plays: guests and their keys, and what is remembered of them."""
