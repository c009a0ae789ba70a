"""The table in a terminal: what is drawn fits every terminal, is told without colours too, and can be answered."""

import io
import re
from importlib import resources

import pytest

from brelan.game import due_cards
from brelan.games import find
from brelan.ink import BOLD, PLAIN, WIDTH, Ink, book, columns, ink_for, read, width, wrapped
from brelan.play.match import Match
from brelan.play.shuffle import Chance
from brelan.terminal import Paper, draw, in_full, listed, names, offered, play
from brelan.words import LANGUAGES, Words
from tests.games.hawaiki import written as hawaiki
from tests.tables import Table, for_every_game, walk


class Screen(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("stream", "environment", "colours"),
    [
        (Screen(), {"TERM": "xterm"}, True),
        (Screen(), {"TERM": "xterm", "NO_COLOR": ""}, True),
        (Screen(), {"TERM": "xterm", "NO_COLOR": "1"}, False),
        (Screen(), {"TERM": "dumb"}, False),
        (io.StringIO(), {"TERM": "xterm"}, False),
    ],
)
def test_colours_are_for_who_looks_and_wants_them(stream, environment, colours):
    assert ink_for(stream, environment).colours == colours


def faces(game):
    state = game.new(game.seats[-1])
    cards = set()
    while due := due_cards(game.rules, state):
        cards |= {game.notation.card_text(card) for card in due}
        game.rules.deal(state, due)
    return sorted(cards - {"?"})


FACE = re.compile(r"[A2-9TJQK][shdc]|[RYGBPOS]([0-9]+|\*)?|J")
"""What `static/cards.js` reads."""


@for_every_game
def test_every_card_reads_the_same_without_colours(game):
    plain, painted = Ink(), Ink(colours=True)
    assert len({plain.card(face) for face in faces(game)}) == len(faces(game))
    for face in faces(game):
        assert FACE.fullmatch(face), f"{face}: neither 7h, R7, R*, R nor J, which are what the page draws"
        assert plain.card(face) in painted.card(face)
        assert read(face)[0]
        assert width(painted.card(face)) == len(plain.card(face)) + 2


def test_a_letter_that_no_card_of_the_house_has_is_drawn_on_plain_ground():
    assert Ink(colours=True).card("N7") == f"\x1b[{PLAIN}m N7 \x1b[0m"


def test_suits_and_stars_are_signs():
    assert [Ink().card(face) for face in ("Th", "As", "R*", "J", "G10")] == ["10♥", "A♠", "R★", "J", "G10"]
    assert Ink().paint("knock", BOLD) == "knock"


@pytest.mark.parametrize("colours", [False, True])
@pytest.mark.parametrize("language", LANGUAGES)
@for_every_game
def test_what_is_drawn_fits_eighty_columns_and_leaves_nothing_out(game, language, colours):
    players = game.seats[-1]
    words, ink = Words(language, game.id), Ink(colours)
    paper = Paper(names(players, words), words, ink)
    for match in walk(Table(game, players), seed=5, most=60):
        scene = game.view.scene(game.view.redact(match.state, 0), 0, words)
        choices = offered(scene)
        lines = [*draw(scene, paper), *(listed(choices, ink) if choices else [])]
        assert all(width(line) <= WIDTH for line in lines), max(lines, key=width)
        text = " ".join(lines)
        assert all(ink.card(card.face) in text for zone in scene.zones for card in zone.cards if card.face)
        assert all(choice.move in text for choice in choices)
        assert all(paper.labelled(name, str(n)) in text for name, n in zip(paper.names, scene.scores, strict=True))
        assert not any(line.endswith(" ") for line in lines)


def at_table(game, typed, language="en"):
    """Somebody who types this in turn, and then leaves; all that was said."""
    game = find(game)
    words, said = Words(language, game.id), []
    answers = iter(typed)

    def ask(prompt):
        said.append(prompt)
        try:
            return next(answers)
        except StopIteration:
            raise EOFError from None

    players = game.seats[0]
    match = Match(game, players)
    chance = Chance(b"s" * 64, "terminal", (b"",) * players)
    with pytest.raises(EOFError):
        play(match, chance, ["novice"], [7], Paper(names(players, words), words, Ink()), said.append, ask)
    return match, "\n".join(said)


def test_a_card_alone_lists_what_it_can_do():
    match, _ = at_table("elements", [])
    card = next(c for c in match.legal(0)).split()[1]
    match, said = at_table("elements", [card.lower(), "2"])
    assert next(line for line in match.lines if line.get("seat") == 0)["move"] == f"place {card} 2"
    assert f"[place {card} 5]" in said


def test_what_follows_a_number_is_added_to_its_move():
    """MIO said when it is not due is understood, and changes nothing."""
    match, said = at_table("mio", ["1 mio"])
    (first, *_) = [line for line in match.lines if line.get("seat") == 0]
    assert first["move"].startswith("play ")
    assert " mio [" not in said
    assert "“1 mio”" in said


def test_who_asks_for_help_or_for_the_way_out_is_told_both():
    for typed in ("quit", "help", "?", "rules"):
        _, said = at_table("gin", [typed])
        assert f"“{typed}” is not a move" in said
        assert "Ctrl-D leaves the table; “brelan rules gin” prints" in said
    assert "Ctrl-D" not in at_table("gin", ["99"])[1]


def test_a_number_without_end_is_no_move_and_no_error():
    for number in ("9" * 5000, "0", "99"):
        _, said = at_table("mio", [number])
        assert re.search("Type a number from 1 to [1-9]", said)


def test_whom_something_is_done_to_has_the_name_that_they_have_here():
    table = hawaiki.table("P3 B7", "O1", "O2", piles="P1|Y2|P4")
    hawaiki.say(table, "play P3 3 run")
    scene = table.game.view.scene(table.game.view.redact(table.state, 0), 0, Words("en", "hawaiki"))
    paper = Paper(names(3, Words("en")), Words("en", "hawaiki"), Ink())
    said = [(choice.move, in_full(choice, scene, paper).words) for choice in offered(scene)]
    assert said == [("name 1", "Bot 1 must draw"), ("name 2", "Bot 2 must draw")]


def test_bots_are_told_of_in_sentences():
    _, said = at_table("gin", ["1", "1"], "fr")
    assert "Robot 1 pioche" in said or "Robot 1 prend" in said
    assert "Main\u00a0: " in said


@pytest.mark.parametrize("colours", [False, True])
@pytest.mark.parametrize("language", LANGUAGES)
@for_every_game
def test_a_rulebook_is_printed_whole_and_fits(game, language, colours):
    markdown = resources.files(f"brelan.games.{game.id}").joinpath(f"rulebook.{language}.md").read_text("utf-8")
    lines = list(book(markdown, Ink(colours)))
    assert all(width(line) <= WIDTH for line in lines)
    assert not re.search(r"<a |\*\*|[\x01-\x03]", "".join(lines))
    bare = re.sub(r"\x1b\[[0-9;]*m", "", " ".join(lines))
    letters = re.sub(r'<a id=".+?"></a>', "", markdown)
    assert re.sub(r"[^\w]+", "", bare) == re.sub(r"[^\w]+", "", letters)


def test_lines_are_broken_under_their_first_part():
    assert list(wrapped("Hand: ", ["x" * 40, "y" * 40])) == ["Hand: " + "x" * 40, "      " + "y" * 40]
    assert list(columns(["a", "b", "c"])) == ["a  b  c"]
    assert len(list(columns(["x" * 50] * 3))) == 3
