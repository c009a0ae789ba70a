"""What whoever starts the house may choose."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_dir

from brelan.errors import Refusal
from brelan.folders import at_home, make_folder
from brelan.words import LANGUAGES

LINKED = re.compile(r"(https?://|/)[^\s/\\]\S*")
"""Where a link may lead: to another site, or to a path of the house's own host."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Where the house stands, where its data lie, and how fast its bots answer."""

    host: str = "127.0.0.1"
    port: int = 8000
    data: Path | None = None  # the user's own data folder
    database: str | None = None  # a URL, instead of the file in the data folder
    workers: int = 1
    log: str | None = None  # the form of what the house writes down: text or json; without one only what goes wrong
    metrics: int | None = None  # the port on this machine's own address where its figures are
    proxy: str | None = None  # the proxies before it, by address and parted by commas: they say who asks
    notice: str | None = None  # the page that says who keeps it, how to reach them and what becomes of data
    language: str = LANGUAGES[0]  # of whoever names none, such as robots that look for a link's preview
    new_key: bool = False  # whether a database of another key is given the data folder's own
    bots: str = "casual"  # the level of bots where none is chosen
    bot_pause: tuple[float, float] = (0.7, 1.5)  # seconds, drawn at random, whatever the bot holds
    bot_fast: tuple[float, float] = (0.2, 0.4)  # the same at a table that says fast
    bot_slow: tuple[float, float] = (2.5, 4.0)  # and slow
    bot_step: float = 60.0  # seconds after which a bot moves by itself that waits to be told
    bot_claim: tuple[float, float] = (1.2, 2.6)  # where the first to speak wins: people need a chance
    idle: float = 60.0  # seconds after which a table that nobody watches leaves the memory

    def __post_init__(self) -> None:
        for proxy in self.proxy.split(",") if self.proxy is not None else ():
            try:
                ipaddress.ip_network(proxy.strip())
            except ValueError as error:  # such a one would be believed from nowhere, and nobody would notice
                raise Refusal("serve.proxy", given=proxy.strip()) from error
        if self.notice is not None and not LINKED.fullmatch(self.notice):
            raise Refusal("serve.notice", given=self.notice)
        if self.port and self.port == self.metrics:
            raise Refusal("named_twice", given=self.port)

    def data_folder(self) -> Path:
        """The data folder, which may be missing."""
        return self.data or at_home(user_data_dir, "--data")

    def made_folder(self) -> Path:
        """The data folder, made if it is missing."""
        folder = self.data_folder()
        try:
            make_folder(folder, 0o700)
        except OSError as error:
            raise Refusal("storage.folder", path=folder, why=error) from error
        return folder

    def place(self) -> Path | str:
        """Where the database lies: a URL, or a file in the data folder."""
        return self.data_folder() / "brelan.db" if self.database is None else self.database
