"""Brelan beside the known engines: how fast they are in one run, and their bots at our tables (docs/peers.md).

Installed only for this, in a virtual environment of its own: `make bench-peers`. What this package imports of theirs it
imports where it is used, so that the translations can be tested without them.
"""
