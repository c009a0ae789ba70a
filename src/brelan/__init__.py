"""Brelan: card games with hidden hands, their rules written once, played at a table and at the speed of C."""

__version__ = "0.1.0"
