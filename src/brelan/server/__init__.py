"""The house on the network: tables for persons and bots, stored before anything is acknowledged.

`app.py` names its addresses, `house.py` what every request finds, `lines.py` what every line has in common; `life.py`
begins and ends a process, `workers.py` several. What comes in goes through `web/` to `pages/` (for people), `api/`
(for programs) or `sockets.py`, and from there to `tables/`. `people/` says who asks, `matches/` what is left when a
match is over, `store/` keeps it all, `upkeep/` sees that the house stands; whatever they have to tell, they tell the
`ledger/`. `static/` goes out as it is. Imports run downwards only, in the order that stands in `pyproject.toml`.
"""
