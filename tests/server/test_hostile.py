"""Slow and hostile lines: they are let go, and nobody else waits for them."""

import asyncio
import contextlib
import socket
import threading
import time
from functools import partial
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed

from brelan.server.web.patience import PIPELINED
from tests.server.clients import act, over, repeat


def test_who_dribbles_a_request_is_let_go(running, monkeypatch):
    monkeypatch.setattr("brelan.server.web.patience.REQUEST_WAIT", 0.3)
    for head in (
        b"",
        b"G",
        b"GET / HTTP/1.1\r\nx: y\r\n",
        b"POST /tables HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\na",
    ):
        began = time.monotonic()
        with raw(running) as line:
            line.sendall(head)
            while line.recv(65536):
                pass
        assert time.monotonic() - began < 3


def test_who_says_nothing_but_a_line_s_end_between_two_requests_is_let_go(running, monkeypatch):
    monkeypatch.setattr("brelan.server.web.patience.REQUEST_WAIT", 0.3)
    began = time.monotonic()
    with raw(running) as line:
        line.sendall(b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n")
        assert b" 200 OK" in line.recv(65536)
        line.sendall(b"\r\n")
        while line.recv(65536):
            pass
    assert time.monotonic() - began < 3


@pytest.mark.parametrize(
    ("path", "kind"), [("/name", "application/x-www-form-urlencoded"), ("/api/v1/tokens", "application/json")]
)
def test_who_goes_away_in_the_middle_of_a_body_is_no_fault_of_ours(running, path, kind, caplog):
    coming = iter([{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}])
    head = {"host": "x", "origin": "http://x", "content-type": kind, "content-length": "9"}
    headers = [(name.encode(), value.encode()) for name, value in head.items()]
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": headers}
    sent = []

    async def receive():
        return next(coming)

    async def send(message):
        sent.append(message)

    asyncio.run(running.server.config.app(scope, receive, send))
    assert (sent, list(coming), caplog.records) == ([], [], [])


def test_headers_without_end_are_cut_off(running):
    with raw(running) as line:
        line.sendall(b"GET / HTTP/1.1\r\n")
        with pytest.raises((ConnectionError, BrokenPipeError)):
            repeat(100, lambda: (line.sendall(b"x: " + b"y" * 16000 + b"\r\n"), time.sleep(0.005)))


def test_requests_without_end_behind_one_another_are_cut_off(running):
    request = b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n"
    for times, is_cut in ((PIPELINED, False), (1000, True)):
        with raw(running) as line:
            line.sendall(request * times + request.replace(b"\r\n\r\n", b"\r\nconnection: close\r\n\r\n"))
            told = b"".join(iter(partial(line.recv, 65536), b""))
        assert (b" 400 Bad Request" in told) == is_cut
        assert is_cut or told.count(b" 200 OK") == times + 1


def test_a_line_that_does_not_say_hello_is_closed(running, guests, monkeypatch):
    monkeypatch.setattr("brelan.server.sockets.HELLO_WAIT", 0.3)
    anna = guests()
    line = anna.line(anna.make(), hello=False)
    with pytest.raises(ConnectionClosed) as closed:
        repeat(100, lambda: (line.send("ping", key=None), time.sleep(0.05)))
    assert closed.value.rcvd.code == 1008


def test_hostile_lines_do_not_slow_a_table(running, guests):
    """One byte at a time, long frames, thousands of small ones, and one who never reads: the others play on."""
    anna, eve = guests(), guests()
    eve.make()
    code = anna.make(**{"option.target": "200"})
    line = anna.line(code)
    calm = waits(line, 60)
    hostile = [threading.Thread(target=attack, args=(eve, code)) for attack in (dribble, flood, long_frames)]
    for thread in hostile:
        thread.start()
    loaded = waits(line, 60)
    for thread in hostile:
        thread.join(10)
        assert not thread.is_alive()
    calm_ms, loaded_ms, worst_ms = (1000 * wait for wait in (calm[30], loaded[30], loaded[-1]))
    print(f"acknowledged in {calm_ms:.1f} ms, beside hostile lines in {loaded_ms:.1f} ms; worst {worst_ms:.0f} ms")
    assert loaded[-1] < 1.0


def waits(line, moves):
    """Seconds until each of so many moves was acknowledged, ascending."""
    found = []
    while len(found) < moves:
        began = time.perf_counter()
        if done := act(line):
            found.append(time.perf_counter() - began)
            line.viewed(lambda view, number=done[1]["number"]: view["number"] >= number)
        elif over(line.view):
            line.ask("again")
            line.viewed(lambda view: not over(view))
    return sorted(found)


def dribble(eve, code):
    """A frame, a byte at a time."""
    with contextlib.suppress(ConnectionClosed):
        line = eve.line(code, hello=False)
        sock = line.socket.socket
        for byte in b"\x81\xfe\x01\x00mask" + b"x" * 256:
            sock.send(bytes([byte]))
            time.sleep(0.002)


def flood(eve, code):
    """Small frames as fast as they go, until the line is closed."""
    with contextlib.suppress(ConnectionClosed):
        line = eve.line(code)
        for n in range(10_000):
            line.socket.send('{"type":"ping"}' if n % 2 else "{")


def long_frames(eve, code):
    """Frames of nearly the longest that is taken."""
    with contextlib.suppress(ConnectionClosed):
        line = eve.line(code)
        for _ in range(200):
            line.socket.send('{"type":"sit","key":"' + "k" * 65000 + '"}')


def raw(running):
    host, port = urlsplit(running.address).netloc.split(":")
    return socket.create_connection((host, int(port)), timeout=5)
