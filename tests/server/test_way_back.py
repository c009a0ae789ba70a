"""The way back to a seat whose device is gone: who keeps the house prints it, for a person who sits there."""

import sys

import pytest

from brelan.cli import main
from brelan.server.people.identity import signing_key
from brelan.server.store import Store
from brelan.server.tables import farewell
from tests.server.clients import Guest
from tests.server.conftest import visited
from tests.server.matches import person, stored, table


@pytest.mark.parametrize("base", ["sqlite", "postgres"])
def test_who_lost_their_device_comes_back_by_what_the_keeper_prints(tmp_path, request, capsys, monkeypatch, base):
    database = request.getfixturevalue("postgres") if base == "postgres" else None
    where = ["--data", str(tmp_path), *(["--database", database] if database else [])]
    with visited(tmp_path, database=database) as (_, anna, ben):
        code = anna.make(against="friends")
        ben.http.post("/name", data={"nickname": "Ben"})
        ben.line(code).ask("sit", seat=1, name="Ben")
        ben.close()
        assert main(["seat", f"{anna.address}/t/{code}?lang=en", "1", *where]) == 0
        whole = capsys.readouterr().out.strip()
        assert main(["seat", code.upper(), "1", *where]) == 0
        assert whole == anna.address + capsys.readouterr().out.strip()
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        assert main(["seat", f"{anna.address}/t/{code}", "1", *where]) == 0
        assert "▀" in capsys.readouterr().out, "a phone reads it from the terminal"
        other = Guest(anna.address)
        other.http.post(whole)
        view = other.line(code).view
        assert (view["table"]["seat"], view["table"]["seats"][1]["name"]) == (1, "Ben")
        other.close()


def test_a_seat_where_nobody_sits_has_no_way_back(tmp_path, capsys):
    """Nor has a bot's, nor that of somebody who wanted to be forgotten; who does sit there is named."""
    anna, bela = person(), person()
    store = Store(tmp_path / "brelan.db")
    stored(store, table("aaaaaa", [anna, bela, None, None], "companeros", names=("Anna", "Béla", "", "")))
    farewell.forget(store, [], anna, lambda _: None)
    store.close()
    signing_key(tmp_path)
    for seat in ("0", "2", "7", "-1"):
        assert main(["seat", "aaaaaa", "--data", str(tmp_path), "--", seat]) == 2
        told = capsys.readouterr()
        assert not told.out
        assert f"seat {seat} of the table “aaaaaa”" in told.err
        assert "There sit: Béla (1)." in told.err
    assert main(["seat", "bbbbbb", "0", "--data", str(tmp_path)]) == 2
    assert "No person sits at a table “bbbbbb”." in capsys.readouterr().err


def test_no_way_back_is_signed_by_the_key_of_another_house(tmp_path, capsys):
    """It would lead nowhere; and a folder that is misspelt is not made."""
    assert main(["seat", "aaaaaa", "0", "--data", str(tmp_path / "tpyo")]) == 2
    assert "There is no house" in capsys.readouterr().err
    assert not (tmp_path / "tpyo").exists()
