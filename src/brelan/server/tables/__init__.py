"""The tables in memory: rooms, who is there, how each stands, and how it forgets a person."""
