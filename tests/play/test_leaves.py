"""Leaves and their proofs: read twice, fixed for ever, given to whom the card was dealt and to nobody else."""

from collections import Counter, deque
from hashlib import sha512

import pytest

from brelan.cards import HIDDEN, SPECTATOR
from brelan.errors import Refusal
from brelan.play.dealt import Dealt, proofs_of, zones_of_places
from brelan.play.leaves import Proof, Tree
from brelan.play.match import Match
from brelan.play.record import as_text, verify, written
from brelan.play.shuffle import Chance, simulated_secret
from tests.games.hawaiki.written import say
from tests.games.hawaiki.written import table as table_of
from tests.play.leaves import VECTORS, wrong
from tests.tables import TABLES, at_every_preset, bare, chance_of, viewers, walk

CARDS = [f"{colour}{value}" for colour in "RYGBPO" for value in range(1, 11)]


# ---------------------------------------------------------------- the tree


def second_reading(secret, match, nonces, k, cards):
    """The root, written from the description alone, as a recursion over runs of leaves."""
    import hmac

    label = b"brelan-leaves-1" + bytes([0]) + match.encode("utf-8") + bytes([0])
    key = hmac.new(secret, label + b"".join(nonces) + k.to_bytes(8, "big"), sha512).digest()

    def leaf(i):
        salt = hmac.new(key, i.to_bytes(8, "big"), sha512).digest()
        place = k.to_bytes(8, "big") + i.to_bytes(8, "big")
        return sha512(bytes([0]) + salt + bytes([0]) + place + cards[i].encode("utf-8")).digest()

    def over(first, count):
        if count == 1:
            return leaf(first)
        left = 1 << (count - 1).bit_length() - 1  # a whole tree; what has no partner goes up as it is
        return sha512(bytes([1]) + over(first, left) + over(first + left, count - left)).digest()

    return over(0, len(cards)).hex()


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 7, 8, 9, 33, 60])
def test_two_readings_of_the_description_agree_and_every_card_is_proven(count):
    chance, cards = Chance(bytes(range(64)), "máté-7", (b"n" * 16, b"")), CARDS[:count]
    tree = Tree(chance, 3, cards)
    assert tree.root == second_reading(chance.secret, chance.match, chance.nonces, 3, cards)
    for place, card in enumerate(cards):
        proof = tree.proof(place, "hand:0")
        assert (proof.card, proof.position, proof.of, proof.shuffle) == (card, place, count, 3)
        assert proof.holds(tree.root)


@pytest.mark.parametrize("count", [5, 8, 11])
def test_a_proof_that_was_changed_proves_nothing(count):
    tree = Tree(Chance(b"s" * 64, "m", ()), 0, CARDS[:count])
    for place in range(count):
        for changed in wrong(tree.proof(place, "")):
            assert not changed.holds(tree.root)


def test_a_node_is_no_leaf():
    """Whoever passes two nodes off as a card's seal is refused by the first byte."""
    tree = Tree(Chance(b"s" * 64, "m", ()), 0, CARDS[:2])
    left, right = tree.rows[0]
    assert sha512(left + right).hexdigest() != tree.root == sha512(b"\1" + left + right).hexdigest()


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['shuffle']}-of-{len(vector['cards'])}")
def test_fixed_vectors(vector):
    """They stay as they are for ever: published records are verified with them."""
    chance = Chance(bytes.fromhex(vector["secret"]), vector["match"], tuple(map(bytes.fromhex, vector["nonces"])))
    assert chance.order(vector["shuffle"], vector["cards"]) == vector["order"]
    tree = Tree(chance, vector["shuffle"], vector["order"])
    assert tree.root == vector["root"]
    assert tree.proof(vector["position"], "") == Proof(
        vector["shuffle"],
        vector["position"],
        len(vector["cards"]),
        vector["order"][vector["position"]],
        "",
        vector["salt"],
        vector["path"],
    )


def test_neighbours_salts_say_nothing_of_each_other_and_each_use_has_its_own_key():
    chance = Chance(simulated_secret(1, 0), "m", ())
    salts = [salt for number in (0, 1) for salt in Tree(chance, number, CARDS).salts]
    assert len(set(salts)) == len(salts)
    assert chance.key("brelan-leaves-1", 0) != chance.key("brelan-shuffle-1", 0)


# ---------------------------------------------------------------- who may know which place

GIN = next(t for t in TABLES if str(t) == "gin-2-sheet")


def deals_of(dealt):
    """All that were made until now."""
    return dealt.until(dealt.match.shuffles)()


def proofs(dealt, chance, seat, since=0):
    """What a seat is given of a match, from a shuffle on."""
    return proofs_of(deals_of(dealt)[since:], chance, seat, since)


def walked(*way):
    """The match at the end of a walk."""
    return deque(walk(*way), maxlen=1)[0]


@at_every_preset
def test_every_place_has_its_zone_and_the_zone_holds_its_card(table):
    """What is found by dealing other orders is so for the order that was dealt."""
    match = walked(table, 5, 120, ("novice",))
    deals = deals_of(Dealt(match))
    shuffles = [line["shuffle"] for line in match.lines if "shuffle" in line]
    assert [deal.order for deal in deals] == shuffles
    again = Match(table.game, table.players, match.first, table.preset, table.options)
    for line in match.lines:
        if "shuffle" not in line:
            again.move(line["seat"], line["move"])
            continue
        where = zones_of_places(table.game, again.state)
        assert "" not in where
        again.shuffle(line["shuffle"])
        zones = table.game.view.zones(again.state)
        for zone, there in zones.items():
            came = Counter(card for card, place in zip(line["shuffle"], where, strict=True) if place == zone)
            assert not came - Counter(map(table.game.notation.card_text, there))


@at_every_preset
def test_a_seat_is_proven_what_it_saw_when_it_was_dealt_and_nothing_else(table):
    match = walked(table, 6, 160, ("novice",))
    chance, again = chance_of(6, table.players), Match(table.game, table.players, match.first, table.preset)
    found, number = Dealt(match), 0
    roots = []
    for line in match.lines:
        if "shuffle" not in line:
            again.move(line["seat"], line["move"])
            continue
        again.shuffle(line["shuffle"])
        roots.append(Tree(chance, number, line["shuffle"]).root)
        for viewer in viewers(match):
            known = table.game.view.zones(table.game.view.redact(again.state, viewer))
            for proof in proofs(found, chance, viewer, number):
                if proof.shuffle == number:
                    assert proof.holds(roots[number])
                    assert table.game.notation.card_of(proof.card) in known[proof.zone]
                    assert HIDDEN not in known[proof.zone]
        number += 1
    assert [p for p in proofs(found, chance, 0) if p.zone.startswith("hand:")], "no card was dealt to a hand"
    for viewer in viewers(match):
        others = {f"hand:{seat}" for seat in range(table.players)} - {f"hand:{viewer}"}
        assert not {proof.zone for proof in proofs(found, chance, viewer)} & {*others, "stock"}


@at_every_preset
def test_what_a_deal_brings_to_a_hand_is_proven_to_its_seat(table):
    """A page asks for no less: it calls a card unproven that came face up and has no proof."""
    match = walked(table, 8, 200, ("novice",))
    again, found = Match(table.game, table.players, match.first, table.preset, table.options), deals_of(Dealt(match))
    moved, number = None, 0

    def known(seat):
        zones = table.game.view.zones(table.game.view.redact(again.state, seat))
        return Counter(card for card in zones[f"hand:{seat}"] if card != HIDDEN)

    for line in match.lines:
        if "shuffle" not in line:
            moved = line["seat"]
            again.move(moved, line["move"])
            continue
        before = [known(seat) for seat in range(table.players)]
        again.shuffle(line["shuffle"])
        for seat in {*range(table.players)} - {moved}:
            proven = [place for place in found[number].places(seat) if found[number].zones[place] == f"hand:{seat}"]
            cards = Counter(table.game.notation.card_of(found[number].order[place]) for place in proven)
            assert not known(seat) - before[seat] - cards
        number += 1
    assert number


@pytest.mark.parametrize("table", [t for t in TABLES if t.preset == "sheet"], ids=str)
def test_what_is_proven_does_not_depend_on_what_is_hidden(table):
    """The hidden places in another order: the same cards at the same places are proven, with the same salts."""
    match = walked(table, 7, 90, ("novice",))
    chance, found = chance_of(7, table.players), Dealt(match)
    last = max(i for i, line in enumerate(match.lines) if "shuffle" in line)
    number = sum("shuffle" in line for line in match.lines[:last])
    for viewer in viewers(match):
        deal = deals_of(found)[number]
        hidden = [place for place in range(len(deal.order)) if place not in deal.places(viewer)]
        order = list(match.lines[last]["shuffle"])
        for place, other in zip(hidden, hidden[::-1], strict=True):
            order[place] = match.lines[last]["shuffle"][other]
        other_match = Match(table.game, table.players, match.first, table.preset)
        for line in [*match.lines[:last], {"shuffle": order}]:
            other_match.shuffle(line["shuffle"]) if "shuffle" in line else other_match.move(line["seat"], line["move"])
        one, two = proofs(found, chance, viewer, number), proofs(Dealt(other_match), chance, viewer, number)
        assert [unsealed(proof) for proof in one] == [unsealed(proof) for proof in two]


def unsealed(proof):
    """All of a proof that can be read; its path is made of hashes."""
    return proof.shuffle, proof.position, proof.of, proof.card, proof.zone, proof.salt, len(proof.path)


def test_a_card_that_another_kept_and_plays_later_is_never_proven():
    """Elements: what a seat plays may have been dealt now or kept since an earlier round; its place would tell."""
    table = next(t for t in TABLES if str(t) == "elements-3-sheet")
    match = walked(table, 5, 100_000, ("novice",))
    assert match.over
    found, chance = Dealt(match), chance_of(5, 3)
    deals = deals_of(found)
    kept = [11 * 3 - sum(zone.startswith("hand:") for zone in deal.zones) for deal in deals[2:]]
    assert sum(kept) > 0, "nobody kept a card: another seed"
    for seat in range(3):
        proven = {(proof.shuffle, proof.card) for proof in proofs(found, chance, seat)}
        number, hands = -1, [set() for _ in range(3)]
        for line in match.lines:
            if "shuffle" in line:
                number += 1
                hands = [dealt_to(deals[number], other) for other in range(3)]
            elif line["seat"] != seat:
                for card in line["move"].split()[1:2]:
                    assert (number, card) not in proven
        assert {card for shuffle, card in proven if shuffle == number} == hands[seat]


def dealt_to(deal, seat):
    return {card for card, zone in zip(deal.order, deal.zones, strict=True) if zone == f"hand:{seat}"}


@pytest.mark.parametrize("asked_before", [False, True])
def test_moves_that_are_taken_back_change_no_proof(asked_before):
    """Whoever asks between the move and its return, or only afterwards, is proven the same."""
    match, chance = walked(GIN, 4, 60, ("novice",)), chance_of(4, 2)
    before = proofs(Dealt(match), chance, 0)
    found = Dealt(match)
    if asked_before:
        assert proofs(found, chance, 0) == before
    since = next(i for i, line in enumerate(reversed(match.lines)) if "shuffle" in line)
    assert since > 1
    match.back(since)
    match.deal(chance)
    assert proofs(found, chance, 0) == before
    for _ in range(200):
        if match.shuffles > len({proof.shuffle for proof in before}):
            break
        seat = match.asked()[0]
        match.move(seat, match.legal(seat)[0])
        match.deal(chance)
    assert proofs(found, chance, 0)[: len(before)] == before
    assert len(proofs(found, chance, 0)) > len(before)


def test_cards_too_alike_to_tell_apart_are_proven_to_nobody():
    """Two copies, one drawn, one left: which place was drawn cannot be seen, so neither is named."""
    from types import SimpleNamespace

    class State(SimpleNamespace):
        def copy(self):
            return State(**vars(self))

    def deal(s, order):
        s.hand, s.stock = order[:1], order[1:]

    def due(s, out):
        out[:2] = [4, 4]
        return 2

    rules = SimpleNamespace(DECK=2, ACTIONS=1, due=due, deal=deal)
    view = SimpleNamespace(zones=lambda s: {"hand:0": s.hand, "stock": s.stock})
    assert zones_of_places(SimpleNamespace(rules=rules, view=view), State(hand=[], stock=[])) == ["", ""]


def test_what_is_proven_of_a_new_stock_does_not_depend_on_the_other_copies_in_hidden_hands():
    """Two cards come to one who cannot see which of the others holds their second copies."""
    places = []
    for held in "P3 O7 Y3", "P3 O7 B2", "P3 B2 B6":
        match = table_of(held, "O1", "", piles="O7 P1|P2|Y3", stock="Y7", rest="hand")
        say(match, "play P3 3 colour", "name 1", "name 1", "thanks")
        assert len(match.due()) == 2
        places.append(zones_of_places(match.game, match.state))
    assert places == [["hand:1", "hand:1"]] * 3


# ---------------------------------------------------------------- records


def lines_of(table):
    """The lines of a whole record, without their chains."""
    return bare(written(walked(table, 2, 100_000, ("novice",)), chance_of(2, table.players)))


def test_a_record_with_roots_is_right_and_one_with_a_wrong_root_is_refused_at_its_line():
    lines = lines_of(GIN)
    assert len(verify(as_text(lines).encode(), strict=True)) == 1
    deals = [i for i, line in enumerate(lines) if "shuffle" in line]
    for bad in (lines[deals[1]]["root"][::-1], "", None, 7, [lines[deals[1]]["root"]]):
        changed = [*lines[: deals[1]], lines[deals[1]] | {"root": bad}, *lines[deals[1] + 1 :]]
        with pytest.raises(Refusal, match=rf"line {deals[1] + 1}: the root of shuffle 1 "):
            verify(as_text(changed).encode())


def test_a_root_in_a_record_without_commitment_is_anothers_key():
    lines = lines_of(GIN)
    plain = [{k: v for k, v in line.items() if k not in ("commit", "nonces", "secret")} for line in lines]
    assert len(verify(as_text([line | {"root": "mine"} for line in plain]).encode(), strict=True)) == 1


def test_a_spectator_is_proven_only_what_lies_open():
    match = walked(GIN, 3, 10, ("novice",))
    (proof,) = proofs(Dealt(match), chance_of(3, 2), SPECTATOR)
    assert (proof.zone, proof.position) == ("discards", 20)
