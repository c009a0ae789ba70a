"""The house on the network: tables for persons and bots, stored before anything is acknowledged.

`app.py` names its addresses, `house.py` what every request finds. What comes in goes through `web/` to `pages/` (for
people), `api/` (for programs) or a socket, and from there to `tables/`. `people/` says who asks, `matches/` what is
left when a match is over, `store/` keeps it all, `upkeep/` sees that the house stands. `static/` goes out as it is.
"""
