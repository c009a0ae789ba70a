"""The pages: their templates, and the handlers that fill them in."""
