"""The tables in memory: rooms, the lines to those who look on, and how each stands."""
