"""The database: where the tables' events lie, and everything else that the house remembers.

`relations.py` names what there is, `migrations/` how each database gets there, `store.py` writes and reads it,
`index.py` asks about tables without reading their events.
"""

from brelan.server.store.engine import Conflict, Storage, to_visitors
from brelan.server.store.points import crash_point
from brelan.server.store.store import Store

__all__ = ["Conflict", "Storage", "Store", "crash_point", "to_visitors"]
