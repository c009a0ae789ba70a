"""The API for programs: its routes, its door, and the document that describes them."""
