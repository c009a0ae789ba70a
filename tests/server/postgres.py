"""A real PostgreSQL for the tests: Debian's package, its own port and folder, synced to disk as in earnest."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg

PASSWORD = "not-to-be-shown"
WAIT = 60.0  # seconds for a loaded machine

CHOICES = {
    "listen_addresses": "127.0.0.1",
    "fsync": "on",
    "recovery_init_sync_method": "syncfs",  # after a crash, not each of thousands of files by itself
    "shared_buffers": "16MB",
    "max_connections": "80",
    "max_wal_size": "64MB",
    "log_min_messages": "warning",
}


def programs():
    """The newest server's folder of programs, None if there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4]))
    return found[-1].parent if found else None


class Server:
    """A server that ends with `stop`; as root it runs as the package's own user, for it refuses root."""

    def __init__(self):
        self.bin = programs()
        self.folder = Path(tempfile.mkdtemp(prefix="brelan-postgres-"))
        self.who = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
        if self.who:
            shutil.chown(self.folder, "postgres", "postgres")
        self.port = free_port()
        self.made = 0
        self._init()
        self.start()

    def _init(self):
        secret = self.folder / "password"
        secret.write_text(PASSWORD)
        options = ["-U", "brelan", "-A", "scram-sha-256", "--pwfile", secret, "-E", "UTF8", "--no-locale", "--no-sync"]
        if self.who:
            shutil.chown(secret, "postgres")
        self._run(self.bin / "initdb", "-D", self.folder / "data", *options)

    def _run(self, *command):
        subprocess.run(command, check=True, capture_output=True, cwd=self.folder, timeout=WAIT, **self.who)

    def start(self):
        choices = CHOICES | {"port": str(self.port), "unix_socket_directories": str(self.folder)}
        settings = [part for name, value in choices.items() for part in ("-c", f"{name}={value}")]
        self.log = (self.folder / "log").open("ab")
        self.process = subprocess.Popen(
            [self.bin / "postgres", "-D", self.folder / "data", *settings],
            stdout=self.log,
            stderr=self.log,
            cwd=self.folder,
            **self.who,
        )
        end = time.monotonic() + WAIT
        while True:
            try:
                psycopg.connect(self.url("postgres")).close()
                return
            except psycopg.OperationalError:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise RuntimeError((self.folder / "log").read_text()) from None
                time.sleep(0.05)

    def url(self, database):
        return f"postgresql://brelan:{PASSWORD}@127.0.0.1:{self.port}/{database}"

    def fresh(self, encoding="UTF8"):
        """The URL of a database of one's own."""
        self.made += 1
        name = f"house_{self.made}_{secrets.token_hex(3)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} ENCODING '{encoding}' TEMPLATE template0")
        return self.url(name)

    @contextmanager
    def silent(self):
        """Meanwhile it answers nothing: none of its processes goes on."""
        with psycopg.connect(self.url("postgres")) as connection:
            found = connection.execute("SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()").fetchall()
        pids = [self.process.pid, *(pid for (pid,) in found)]
        try:
            _signal(pids, signal.SIGSTOP)
            yield
        finally:
            _signal(pids, signal.SIGCONT)

    def halt(self):
        """End at once, as by a power cut of the server's machine."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(WAIT)
        self.log.close()

    def stop(self):
        if self.process.poll() is None:
            self.halt()
        clear = 'rm -rf "$0" &'  # many thousands of files: nobody waits
        subprocess.run(["sh", "-c", clear, self.folder], check=False)


def _signal(pids, number):
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
