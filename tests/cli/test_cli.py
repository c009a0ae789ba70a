"""The command as a person types it: what it prints, and one clear sentence with exit code 2 for what cannot be."""

import importlib.metadata
import io
import json
import os
import re
import subprocess
import sys
import tomllib
from errno import ELOOP
from pathlib import Path
from types import SimpleNamespace

import pytest

from brelan import __version__
from brelan.cli import main
from brelan.cli.lab import say_summary
from brelan.games import GAMES, find
from brelan.lab.engines import ENGINES
from brelan.play.record import as_text, verify
from brelan.server.house import House
from brelan.server.settings import Settings
from brelan.words import LANGUAGES, Words
from tests.tables import OF_THE_SHEETS, bare

ROOT = Path(__file__).parents[2]


BAD = [
    (["gamble"], "“COMMAND” may not be “gamble”; allowed: serve | "),
    (["gamble"], " | bot | bot-check | bench."),
    (["simulate"], "the following arguments are required: GAME (brelan simulate --help tells"),
    (["simulate", "gin", "--matches", "many"], "argument --matches: invalid int value: 'many'"),
    (["simulate", "gin", "--players", "٢"], "argument --players: invalid int value: '٢'"),
    (["simulate", "gin", "--matches", "1_0"], "argument --matches: invalid int value: '1_0'"),
    (["forget", "abc", " 1"], "argument SEAT: invalid int value: ' 1'"),
    (["arena", "gin", "--seconds", "١٠"], "argument --seconds: invalid float value: '١٠'"),
    (["rules", "gin", "--lang", "de"], f"“--lang” may not be “de”; allowed: {' | '.join(LANGUAGES)}."),
    (["verify", "--hard", "x"], "unrecognized arguments: --hard (brelan verify --help tells"),
    (["--hard", "rules", "gin"], "unrecognized arguments: --hard (brelan --help tells"),
    (["serve", "--language", "de"], f"“--language” may not be “de”; allowed: {' | '.join(LANGUAGES)}."),
    (["serve", "--notice", "example.org"], "“example.org” is no notice's address"),
    (["serve", "--port", "9150", "--metrics", "9150"], "“9150” is named twice."),
    (["simulate", "whist"], "“whist” is not a game of the house"),
    (["simulate", "gin", "--players", "3"], "Gin Rami is played by 2 players, not 3."),
    (["simulate", "gin", "--preset", "mine"], "no preset “mine”"),
    (["simulate", "gin", "--option", "jokers=2"], "no option “jokers”"),
    (["simulate", "gin", "--option", "stock_end=31"], "allowed: 0 … 30"),
    (["simulate", "gin", "--option", "target"], "name=value"),
    (["simulate", "gin", "--bots", "novice,genius"], "no level “genius”"),
    (["simulate", "gin", "--bots", "novice,cmd:python3 x.py"], "“cmd:python3 x.py” is no level but a program"),
    (["balance", "gin", "--bots", "cmd:python3 x.py@2"], "only the arena and bot-check play those."),
    (["simulate", "gin", "--matches", "1", "--legal"], "lists the legal moves beside those of a record; "),
    (["simulate", "gin", "--matches", "0"], "“matches” must be at least 1, not 0."),
    (["arena", "gin", "--bots", ""], "no level “”"),
    (["arena", "gin", "--deals", "0"], "“deals” must be at least 1, not 0."),
    (["arena", "gin", "--seconds", "0"], "“seconds” must be at least 0.01, not 0.0."),
    (["arena", "gin", "--seed", "99999"], "a number from 0 to 16383, not 99999"),
    (["bot-check", "cat", "--matches", "0"], "“matches” must be at least 1, not 0."),
    (["bot-check", "cat", "--seconds", "-1"], "“seconds” must be at least 0.01, not −1.0."),
    (["tune", "mio", "--players", "9"], "2 to 6 players, not 9"),
    (["tune", "mio", "--players", "2,x"], "“players” must be a whole number, not x."),
    (["tune", "mio", "--players", "٣"], "“players” must be a whole number, not ٣."),
    (["tune", "mio", "--players", "2,,3"], '“players” must be a whole number, not "".'),
    (["tune", "mio", "--players", ""], '“players” must be a whole number, not "".'),
    (["tune", "mio", "--players=-2"], "“players” must be at least 0, not -2."),
    (["simulate", "gin", "--bots", "novice, genius"], "no level “genius”"),
    (["bot-check", "cat", "--seconds", "inf"], "“seconds” must be at most 86400, not inf."),
    (["balance", "gin", "--seconds", "nan"], "“seconds” must be at least 0.01, not nan."),
    (["balance", "gin", "--against", "classic", "--against", "sheet"], "preset, not by several: classic, sheet."),
    (["balance", "gin", "--against", "target=50", "--against", "target=60"], "“target” is named twice."),
    (["simulate", "gin", "--option", "target=50", "--option", "target=60"], "“target” is named twice."),
    (["arena", "gin", "--bots", "skilled+worlds=8+worlds=9,novice"], "“worlds” is named twice."),
    (["arena", "gin", "--bots", "skilled+worlds=0+gate=9,novice"], "“skilled+worlds=0+gate=9” does not search"),
    (["arena", "gin", "--bots", "strong+depth=6,novice"], "“strong+depth=6” asks no net, so no depth would change it"),
    (["balance", "gin", "--seconds", "-5"], "“seconds” must be at least 0.01, not −5.0."),
    (["arena", "gin", "--bots", "novice,random", "--deals", "25000001"], "“deals” must be at most 25000000, not"),
    (["arena", "gin", "--bots", "novice,strong", "--deals", "1000001"], "“deals” must be at most 1000000, not"),
    (["simulate", "gin", "--matches", "10000001"], "“matches” must be at most 10000000, not 10000001."),
    (["simulate", "gin", "--seed", str(2**53)], f"“seed” must be at most {2**53 - 1}, not {2**53}."),
    (["balance", "gin", "--matches", "1000000001"], "“matches” must be at most 1000000000, not"),
    (["audit", "--shuffles", "10000001"], "“shuffles” must be at most 10000000, not 10000001."),
    (["bot-check", "cat", "--matches", "10001"], "“matches” must be at most 10000, not 10001."),
    (["train", "mio", "--blocks", "1000000001", "--net", "x.2.npz"], "“blocks” must be at most 1000000000, not"),
    (["tune", "mio", "--population", "100001"], "“population” must be at most 100000, not 100001."),
    (["tune", "mio", "--deals", "100001"], "“deals” must be at most 100000, not 100001."),
    (["tune", "mio", "--deals", "100000", "--generations", "10737"], "“generations” must be at most 10736, not"),
    (["tune", "mio", "--deals", "1", "--generations", "1048576"], "“generations” must be at most 1048575, not"),
    (["arena", "gin", "--bots", "skilled+worlds=99999999999999999999,random"], "at most 1000000000, not 9999999999"),
    (["tune", "mio", "--players", "2" * 5000], "“players” must be at most 1000000000, not 22222"),
    (["tune", "mio", "--start", "none"], "no weights “none”; known: sheet-1"),
    (["tune", "mio", "--beside", "novice,"], "no level “”"),
    (["tune", "mio", "--players", "3,4,3"], "“3” is named twice."),
    (["tune", "mio", "--beside", "skilled,novice,skilled@4"], "“skilled@4” is named twice."),
    (["tune", "mio", "--against", "skilled", "--beside", "skilled"], "“skilled@4” is named twice."),
    (["tune", "mio", "--population", "1"], "“population” must be at least 2, not 1."),
    (["tune", "mio", "--seed", "1000"], "a number from 0 to 999, not 1000"),
    (["train", "mio", "--worlds", "0", "--net", "x.2.npz"], "“worlds” must be at least 1, not 0."),
    (["train", "mio", "--level", "novice", "--net", "x.2.npz"], "no level “novice”; known: beginner"),
    (["train", "mio", "--net", "x.npz"], "“x.npz”: a net for 2 seats is named like g1.2.npz"),
    (["train", "mio", "--players", "3", "--net", "x.2.npz"], "a net for 3 seats is named like g1.3.npz"),
    (["train", "mio", "--net", "my.x.2.npz"], "a net for 2 seats is named like g1.2.npz"),
    (["train", "mio", "--net", "x.2.npz", "--save", "./x.2.npz"], "“x.2.npz” is named twice."),
    (["train", "mio", "--units", "1", "--net", "x.2.npz"], "“units” must be at least 2, not 1."),
    (["train", "mio", "--units", "9999", "--net", "x.2.npz"], "“units” must be at most 4096, not 9999."),
    (["simulate", "gin", "--matches", "1", "--records", "/dev/null/x.jsonl"], "/dev/null: it is no folder"),
    (["arena", "gin", "--save", "/dev/null"], "/dev/null: it is no folder"),
    (["simulate", "gin", "--option", "target=" + "[" * 90_000], "allowed: 1 … "),
    (["rules", "whist"], "“whist” is not a game of the house"),
    (["arena", "gin", "--bots", "skilled+values=nonsense,random"], "no net “nonsense”; known: g1."),
    (
        ["arena", "gin", "--bots", "skilled+world=8,random"],
        "“world” is not a setting of the search; known: worlds, gate, depth",
    ),
    (["arena", "mio", "--bots", "skilled+worlds=8+values=g1,random"], "a net that does not exist for 2 seats."),
    (["arena", "gin", "--bots", "novice+worlds=64,random"], "no level “novice+worlds=64”; known: beginner"),
    (["arena", "gin", "--bots", "novice,novice,random"], "“novice” is named twice."),
    (["arena", "gin", "--bots", "skilled,skilled@4,random"], "“skilled@4” is named twice."),
    (["play", "gin", "--bots", "genius"], "no level “genius”"),
]


@pytest.mark.parametrize(
    ("arguments", "says"), BAD, ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else ""
)
def test_what_cannot_be_is_said_in_one_sentence(arguments, says, capsys):
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.startswith("brelan: ")
    assert error.count("\n") == 1


NOWHERE = "/dev/null/x.2.npz"
"""Its folder is none."""


@pytest.mark.parametrize(
    ("arguments", "work"),
    [
        (["play", "gin", "--record", NOWHERE], "terminal.play"),
        (["audit", "--shuffles", "2000", "--save", NOWHERE], "lab.audit.Plan.run"),
        (["tune", "mio", "--save", NOWHERE], "lab.tune.Tuning"),
        (["train", "mio", "--net", NOWHERE], "lab.train.Training"),
        (["train", "mio", "--net", "x.2.npz", "--save", NOWHERE], "lab.train.Training"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else value,
)
def test_what_cannot_be_written_is_said_before_the_work(arguments, work, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(f"brelan.{work}", None)
    assert main(arguments) == 2
    assert capsys.readouterr().err == "brelan: /dev/null: it is no folder\n"
    assert not [*tmp_path.iterdir()]


def test_who_asks_for_nothing_is_shown_what_can_be_asked(capsys):
    assert main([]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "simulate" in said.err
    assert "not understood" not in said.err


def test_a_folder_that_is_not_there_is_made(tmp_path):
    file = tmp_path / "build" / "new" / "records.jsonl"
    assert main(["simulate", "gin", "--matches", "1", "--engine", "here", "--records", str(file)]) == 0
    assert file.is_file()


@pytest.mark.parametrize("command", ["arena", "balance"])
def test_what_cannot_be_drawn_is_said_before_the_work(command, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.setattr("brelan.lab.engines.done", None)
    assert main([command, "gin", "--save", str(tmp_path / "new")]) == 2
    assert "Plots need matplotlib" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


def test_what_there_is_is_left_as_it_was_until_it_is_written(tmp_path, monkeypatch, capsys):
    """Also by who leaves the table in the middle of a match."""
    there = tmp_path / "there"
    there.write_text("mine", "utf-8")
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert [main(["play", "gin", "--record", str(file)]) for file in (there, tmp_path / "new")] == [0, 0]
    assert there.read_text("utf-8") == "mine"
    assert [*tmp_path.iterdir()] == [there]


def test_what_the_system_says_is_told_in_french_as_well(monkeypatch, capsys):
    """What the house has no words for, as of a loop of links, in the system's own."""
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert main(["arena", "gin", "--save", "/dev/null"]) == 2
    assert capsys.readouterr().err == "brelan: /dev/null: ce n’est pas un dossier\n"
    assert Words("fr").reason(OSError(ELOOP, "a loop")) == "a loop"


def test_refusals_are_said_in_french_to_the_french(monkeypatch, capsys):
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert main(["simulate", "whist"]) == 2
    assert "n’est pas un jeu de la maison" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["simulate"], "il manque GAME (brelan simulate --help"),
        (["simulate", "gin", "--matches", "x"], "--matches : 'x' ne convient pas (int)"),
        (["rules", "gin", "--lang"], "--lang : il y faut une valeur"),
        (["rules", "gin", "--json=1"], "--json : il n’y faut pas de valeur comme '1'"),
        (["simulate", "gin", "--pre", "x", "--p", "2"], "--p peut vouloir dire --players, --preset"),
        (["rules", "gin", "--hard"], "--hard n’est pas connu (brelan rules --help"),
    ],
)
def test_what_is_typed_wrongly_is_told_in_french(arguments, says, monkeypatch, capsys):
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert main(arguments) == 2
    assert says in capsys.readouterr().err.replace("\u00a0", " ")


def test_help_is_given_in_french(monkeypatch, capsys):
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    with pytest.raises(SystemExit):
        main(["simulate", "--help"])
    assert "montrer cette aide" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["play", "rules", "simulate", "arena", "balance", "tune", "train"])
def test_help_names_the_games(command, capsys):
    with pytest.raises(SystemExit):
        main([command, "--help"])
    said = re.search("^  GAME +(.*)$", capsys.readouterr().out, re.MULTILINE)
    assert said[1].split(", ") == sorted(game.id for game in GAMES)


@pytest.mark.parametrize("game", [game.id for game in GAMES])
def test_simulated_records_are_verified(game, tmp_path, capsys):
    path = tmp_path / "out.jsonl"
    asked = ["simulate", game, "--matches", "3", "--seed", "1", "--records", str(path), "--legal", "--json"]
    assert main(asked) == 0
    assert json.loads(capsys.readouterr().out)["matches"] == 3
    assert main(["verify", "--strict", str(path)]) == 0
    assert "3 records, right" in capsys.readouterr().out
    header = json.loads(path.read_text("utf-8").splitlines()[0])
    assert (header["bots"], header["seed"]) == (["novice"] * header["players"], 1)
    first = path.read_bytes()
    assert main(asked) == 0
    assert path.read_bytes() == first, "the same seed plays the same matches"


def test_a_summary_says_which_table_it_was_and_who_played_there(capsys):
    """By their versions too: the next one may have another newest."""
    asked = "simulate gin --matches 2 --seed 7 --option target=20 --bots novice,skilled --engine here --json"
    assert main(asked.split()) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["options"] == {"target": 20}
    assert said["bots"] == ["novice", "skilled"]
    assert re.fullmatch(r"novice skilled@[1-9]\d*", " ".join(said["versions"]))
    assert (said["game"], said["preset"], said["players"], said["seed"]) == ("gin", "sheet", 2, 7)
    assert (said["brelan"], said["revision"]) == (__version__, find("gin").revision)


@pytest.mark.parametrize(("n", "told"), [(1, "gin: 1 match,"), (10_000, "gin: 10,000 matches,")])
def test_a_summary_counts_as_people_do(n, told, capsys):
    means = {"matches": n, "moves": 2, "rounds": 1, "wins": [], "scores": []}
    say_summary(SimpleNamespace(json=False, game="gin", words=Words("en")), means)
    assert capsys.readouterr().out.startswith(told)


@pytest.mark.parametrize(("language", "seat"), [("en", "  seat 0: "), ("fr", "  place 0\u00a0: ")])
def test_a_summary_says_that_the_first_seat_goes_round(language, seat, capsys, monkeypatch):
    monkeypatch.setenv("LC_ALL", language)
    assert main(["simulate", "gin", "--matches", "2", "--option", "target=20", "--engine", "here"]) == 0
    _, turns, first, _ = capsys.readouterr().out.splitlines()
    assert "brelan balance" in turns
    assert first.startswith(seat)


def test_every_engine_writes_the_same(tmp_path):
    for engine in ENGINES:
        asked = ["simulate", "gin", "--matches", "21", "--records", str(tmp_path / engine), "--engine", engine]
        assert main(asked) == 0
    assert len({path.read_bytes() for path in tmp_path.iterdir()}) == 1


def test_what_is_no_file_is_not_read(capsys):
    assert main(["verify", "/dev/zero"]) == 2
    assert "/dev/zero: this is not a file." in capsys.readouterr().err


def test_what_was_given_is_told_in_short(capsys):
    assert main(["simulate", "x" * 5000]) == 2
    assert len(capsys.readouterr().err) < 400


def test_no_record_and_no_name_of_a_file_says_a_line_of_its_own(tmp_path, capsys):
    """Nor moves the cursor, nor turns letters round: a wrong record would call itself right."""
    header = {"brelan": 1, "game": "x\nmine: 1 record, right.\x1b[8m\u202e\ud800", "players": 2}
    file = tmp_path / "a\r\x1b[2Kgood\udcff.jsonl"
    file.write_text(json.dumps(header), "utf-8")
    assert main(["verify", str(file)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.strip("\n").isprintable()
    assert r"a\r\x1b[2Kgood\udcff.jsonl: line 1" in said
    assert main(["verify", "--json", str(file)]) == 2
    assert json.loads(capsys.readouterr().out)["file"] == str(file)


@pytest.mark.parametrize(("key", "given"), [("players", 10**4000), ("first", [7] * 9999), ("brelan", -(10**999))])
def test_a_record_is_refused_in_short(tmp_path, capsys, key, given):
    file = tmp_path / "long.jsonl"
    file.write_text(json.dumps({"brelan": 1, "game": "gin", "options": {}, "preset": "sheet", "first": 0, key: given}))
    assert main(["verify", str(file)]) == 2
    assert len(capsys.readouterr().err) < 400 + len(str(file))


def test_verify_names_file_and_line_and_goes_on_with_the_next_file(tmp_path, capsys):
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    main(["simulate", "gin", "--matches", "1", "--records", str(good)])
    bad.write_text(good.read_text().replace('"move": "draw"', '"move": "drwa"', 1))
    capsys.readouterr()
    assert main(["verify", str(bad), str(good)]) == 2
    said = capsys.readouterr()
    assert "bad.jsonl: line " in said.err
    assert "“drwa” is not a move" in said.err
    assert "good.jsonl: 1 record, right." in said.out


def test_verify_says_what_proves_no_shuffle(tmp_path, capsys):
    """A record that was stripped of its seal is right by the rules, and no more than that."""
    file = tmp_path / "some.jsonl"
    main(["simulate", "gin", "--matches", "2", "--records", str(file)])
    rows = [json.loads(row) for row in file.read_text().splitlines()]
    second = next(i for i, row in enumerate(rows) if i and "brelan" in row)
    seal = {"commit", "nonces", "secret", "chain"}
    rows[second:] = [{key: row[key] for key in row if key not in seal} for row in rows[second:]]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    capsys.readouterr()
    assert main(["verify", str(file)]) == 0
    said = capsys.readouterr().out
    assert said == f"{file}: 2 records, right. 1 is not sealed: nothing proves its shuffles.\n"
    assert main(["verify", "--json", str(file)]) == 0
    counted = {"records": 2, "sealed": 1, "whatif": 0, "silent": 1}
    assert json.loads(capsys.readouterr().out) == {"file": str(file), "right": True, **counted}


def test_verify_calls_no_match_sealed_whose_secret_was_open(tmp_path, capsys):
    file = tmp_path / "some.jsonl"
    main(["simulate", "gin", "--matches", "1", "--records", str(file)])
    header, *rest = bare(file.read_text())
    file.write_text(as_text([header | {"whatif": {"match": "w", "of": header["match"], "line": 1}}, *rest]))
    capsys.readouterr()
    assert main(["verify", str(file)]) == 0
    assert "1 was played on from a match whose secret was open" in capsys.readouterr().out
    assert main(["verify", "--json", str(file)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["records"], answer["sealed"], answer["whatif"]) == (1, 0, 1)


def test_verify_tells_programs_the_line_and_the_reason(tmp_path, capsys):
    file = tmp_path / "some.jsonl"
    file.write_text('{"brelan": 1, "game": "gin"}\n')
    assert main(["verify", "--json", str(file), str(tmp_path / "none")]) == 2
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["line"], first["reason"]) == (1, "record_missing")
    assert "line" not in second


def test_verify_goes_on_behind_a_file_that_cannot_be_read(tmp_path, capsys):
    good, asked = tmp_path / "good.jsonl", ["verify", "/no/such/file", str(tmp_path / "good.jsonl")]
    main(["simulate", "gin", "--matches", "1", "--records", str(good)])
    capsys.readouterr()
    assert main(asked) == 2
    said = capsys.readouterr()
    assert said.err == "/no/such/file: there is no such file or folder\n"
    assert "good.jsonl: 1 record, right." in said.out
    assert main([*asked, "--json"]) == 2
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["right"] for line in lines] == [False, True]
    assert lines[0]["why"] == "there is no such file or folder"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", [game.id for game in GAMES])
def test_a_whole_match_in_the_terminal(game, language, tmp_path, monkeypatch, capsys):
    """Somebody who always takes the first choice, mistypes now and then, and keeps the record."""
    path = tmp_path / "mine.jsonl"
    typed = iter(["what?", "0", "999"] + ["1"] * 100_000)
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed))
    assert main(["play", game, "--lang", language, "--record", str(path)]) == 0
    said = capsys.readouterr().out
    assert "what?" in said
    (match,) = verify(path.read_bytes(), strict=True)
    assert str(match.scores[0]) in said


@pytest.mark.parametrize("recorded", [False, True])
def test_leaving_the_table_is_no_error(recorded, tmp_path, monkeypatch, capsys):
    """How it is done is said before, and that no record comes of it behind it."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert main(["play", "gin", *(["--record", str(tmp_path / "new")] if recorded else [])]) == 0
    said = capsys.readouterr().out
    assert "Ctrl-D leaves the table" in said
    assert said.endswith("You left the table. No record was written: the match is not over.\n") == recorded
    assert said.endswith("You left the table.\n") != recorded


@pytest.mark.parametrize("game", [game.id for game in GAMES])
def test_rulebooks_are_printed(game, capsys):
    books = []
    for language in LANGUAGES:
        assert main(["rules", game, "--lang", language]) == 0
        books.append(capsys.readouterr().out)
    assert len(set(books)) == len(LANGUAGES)
    assert not re.search(r"^\s*[:;!?»]", books[LANGUAGES.index("fr")], re.MULTILINE)
    assert all(len(book) > (2000 if game in OF_THE_SHEETS else 500) for book in books)
    assert main(["rules", game, "--lang", "fr", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["markdown"].startswith("# ")
    assert said == {"game": game, "language": "fr", "markdown": said["markdown"]}


@pytest.mark.parametrize(
    ("address", "leads"),
    [("http://127.0.0.1:8000/", False), ("http://[::1]:8000/", False), ("http://192.168.1.7:8000/", True)],
)
def test_a_code_is_drawn_where_it_leads_a_phone_to_the_house(address, leads, monkeypatch, capsys):
    monkeypatch.setattr("brelan.server.app.serve", lambda settings, announce: announce(address) or 0)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["serve"]) == 0
    said = capsys.readouterr().out
    assert ("▀" in said, "--host 0.0.0.0" in said) == (leads, not leads)


def test_whatever_a_keeper_chooses_comes_to_the_house(monkeypatch):
    chosen = {"host": "::1", "port": 1, "workers": 2, "log": "json", "metrics": 3, "proxy": "127.0.0.1"}
    chosen |= {"notice": "/notice", "language": "fr", "data": Path("x"), "database": "postgresql://x"}
    monkeypatch.setattr("brelan.server.app.serve", lambda settings, announce: served.append(settings) or 0)
    served = []
    line = [part for name, value in chosen.items() for part in (f"--{name}", str(value))]
    assert main(["serve", "--new-key", *line]) == 0
    assert served == [Settings(new_key=True, **chosen)]


def test_the_doctor_says_what_is_there(capsys):
    assert main(["doctor", "--json"]) == 0
    assert {"python", "numba", "sqlite", "games"} <= {check["name"] for check in json.loads(capsys.readouterr().out)}


@pytest.mark.parametrize("installed", [True, False])
def test_the_doctor_names_every_library_that_is_missing(installed, tmp_path):
    """Beside the house itself nothing is there, not even that one's own word about what it needs where it was never
    installed.
    """
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"] if installed else []
    if installed:
        (tmp_path / "brelan-1.dist-info").mkdir()
        lines = [f"Requires-Dist: {line}\n" for line in [*asked, 'matplotlib; extra == "lab"']]
        (tmp_path / "brelan-1.dist-info" / "METADATA").write_text("".join(lines), "utf-8")
    bare = {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{tmp_path}", "HOME": str(tmp_path)}
    command = [sys.executable, "-S", "-m", "brelan", "doctor", "--json"]
    done = subprocess.run(command, env=bare, capture_output=True, text=True)
    found = {check["name"]: check["good"] for check in json.loads(done.stdout)}
    missing = [re.split("[>;]", line)[0] for line in asked] or ["brelan"]
    assert (done.returncode, found) == (2, {"python": True, "cores": True} | dict.fromkeys(missing, False))


@pytest.mark.parametrize(("given", "good"), [("0.23.0", False), ("0.54.1", True), ("0.55.0", False)])
def test_the_doctor_knows_which_version_of_a_library_will_not_do(given, good, capsys, monkeypatch):
    real = importlib.metadata.version
    asked = ["uvicorn<0.55,>=0.54", "numba>=0.50", 'x; extra == "y"']
    monkeypatch.setattr("importlib.metadata.requires", lambda _: asked)
    monkeypatch.setattr("importlib.metadata.version", lambda name: given if name == "uvicorn" else real(name))
    main(["doctor", "--json"])
    found = {check["name"]: check for check in json.loads(capsys.readouterr().out)}
    assert found["uvicorn"]["good"] == good
    assert found["numba"]["good"]


def test_the_doctor_speaks_french(capsys, monkeypatch):
    monkeypatch.setattr("sqlite3.sqlite_version_info", (3, 40, 0))
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    main(["doctor"])
    said = capsys.readouterr().out
    assert "dossier des données" in said
    assert "un seul processus" in said


@pytest.mark.parametrize("elsewhere", [True, False])
def test_the_doctor_knows_which_sqlite_is_too_old(elsewhere, capsys, monkeypatch):
    """For a house that keeps its tables there."""
    monkeypatch.setattr("sqlite3.sqlite_version_info", (3, 34, 1))
    main(["doctor", "--json", *(["--database", "postgresql://nobody@127.0.0.1:1/none"] if elsewhere else [])])
    [sqlite] = [check for check in json.loads(capsys.readouterr().out) if check["name"] == "sqlite"]
    assert ("too old" in sqlite["says"], sqlite["good"]) == (True, elsewhere)


def test_the_folder_that_the_doctor_makes_is_its_owners_only(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["doctor"]) == 0
    assert (tmp_path / "brelan").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("harm", ["", "key", "brelan.db"])
def test_the_doctor_looks_whether_a_house_would_open(harm, capsys, tmp_path):
    with House.opened(Settings(data=tmp_path)).held:
        pass
    if harm:
        (tmp_path / harm).write_bytes(b"neither a key nor a database " * 100)
    assert main(["doctor", "--json", "--data", str(tmp_path)]) == (2 if harm else 0)
    [house] = [check for check in json.loads(capsys.readouterr().out) if check["name"] == "house"]
    assert house["good"] == (not harm)
    assert str(tmp_path / harm) in house["says"]


def test_the_doctor_says_so_where_a_key_has_lost_its_database(capsys, tmp_path):
    """The next start would be that of an empty house."""
    with House.opened(Settings(data=tmp_path)).held:
        pass
    for file in tmp_path.glob("brelan.db*"):
        file.unlink()
    assert main(["doctor", "--data", str(tmp_path)]) == 2
    assert "There is no house at" in capsys.readouterr().out


@pytest.mark.parametrize(("folder", "good"), [("cache", True), ("file/cache", False)])
def test_the_doctor_looks_at_the_cache_folder_that_is_used(folder, good, capsys, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("BRELAN_CACHE", str(tmp_path / folder))
    assert main(["doctor", "--json"]) == (0 if good else 2)
    [cache] = [check for check in json.loads(capsys.readouterr().out) if check["name"] == "cache folder"]
    assert cache["good"] == good
    assert cache["says"].startswith(str(tmp_path / folder))


def test_who_has_no_home_is_told_by_what_to_name_a_folder(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "BRELAN_CACHE"):
        monkeypatch.delenv(name, raising=False)
    assert main(["doctor", "--json"]) == 2
    found = {check["name"]: check for check in json.loads(capsys.readouterr().out) if not check["good"]}
    assert found["data folder"]["says"] == "This user has no home folder: name a folder with --data."
    assert found["cache folder"]["says"] == "This user has no home folder: name a folder with BRELAN_CACHE."
    assert main(["serve", "--port", "0"]) == 2
    assert capsys.readouterr().err == "brelan: This user has no home folder: name a folder with --data.\n"


def test_a_file_in_place_of_a_folder_is_no_folder_to_the_doctor_and_the_house(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("BRELAN_CACHE", "/dev/null")
    assert main(["doctor"]) == 2
    assert "/dev/null: it is no folder" in capsys.readouterr().out
    (tmp_path / "file").touch()
    assert main(["serve", "--port", "0", "--data", str(tmp_path / "file")]) == 2
    assert "it is no folder" in capsys.readouterr().err
