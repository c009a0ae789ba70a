"""What comes over the wire while a page opens, as the browser's own network counts it."""

PATIENT = """AbortSignal.timeout = (wait) => {
    const given = new AbortController();
    setTimeout(() => given.abort(), wait);
    return given.signal;
}"""
"""What is waited for no longer goes by the clock that a test sets."""

PORTAL = {"content_type": "text/html", "body": "<!doctype html><title>Hotel</title><h1>Please sign in</h1>"}
"""What a network says to everything before one has signed in there."""


class Wire:
    """Counts each answer's bytes, its head included, packed as it came; nothing is kept from an earlier page."""

    def __init__(self, page):
        self.asked, self.bytes = {}, {}
        session = page.context.new_cdp_session(page)
        session.on(
            "Network.requestWillBeSent", lambda told: self.asked.update({told["requestId"]: told["request"]["url"]})
        )
        session.on(
            "Network.loadingFinished", lambda told: self.bytes.update({told["requestId"]: told["encodedDataLength"]})
        )
        session.send("Network.enable")
        session.send("Network.setCacheDisabled", {"cacheDisabled": True})

    @property
    def total(self):
        """Each address at its largest: while bots move, a drawing is asked after again, since no cache keeps it."""
        largest: dict[str, int] = {}
        for one, size in self.bytes.items():
            largest[self.asked[one]] = max(size, largest.get(self.asked[one], 0))
        return sum(largest.values())

    def __str__(self):
        return f"{len(self.asked)} requests, {self.total} bytes on their way"
