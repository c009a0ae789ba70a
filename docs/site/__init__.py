"""The documentation site: pages gathered from where they are written, or made from what the code declares."""
