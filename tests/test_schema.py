"""How a State is declared: what is declared wrongly is refused at once, by the field's name."""

import pytest

from brelan.schema import Plain, cards, ints, one_seat, within

WRONG = {
    "hand": {"hand": ints(6)},
    "size": {"__annotations__": {"size": "list[int]"}},
    "phase": {"__annotations__": {"phase": "list[int]"}, "phase": within(0, 3)},
    "name": {"__annotations__": {"name": "str"}, "name": "?"},
    "key": {"__annotations__": {"key": "int"}},
    "store": {"__annotations__": {"store": "list[int]"}, "store": ints(2)},
}
"""Bodies of a State, by the name of the field that is wrong in each."""


@pytest.mark.parametrize("field", WRONG)
def test_a_field_declared_wrongly_is_named(field):
    with pytest.raises(TypeError, match=f"^{field}: "):
        type(Plain)("State", (Plain,), dict(WRONG[field]))


def test_what_is_declared_rightly_is_a_state():
    kind = type(Plain)("State", (Plain,), {"__annotations__": {"turn": "int", "hand": "list[int]"}, "hand": ints(2)})
    assert kind().to_json() == {"turn": 0, "hand": [0, 0]}


class State(Plain):
    players: int
    turn: int = one_seat()
    ender: int = one_seat(-1)
    hand: list[list[int]] = ints(2, 2, most=(1 << 52) - 1)
    stock: list[int] = cards(3, most=51)


SAID = {"players": 2, "turn": 1, "ender": -1, "hand": [[0, 1], [1 << 51, 0]], "stock": [-1, 0, 51]}


def test_what_is_within_its_bounds_is_read():
    assert State.from_json(SAID).to_json() == SAID


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("players", 10**13, "players: 10000000000000 is not from 0 to 1000000000000"),
        ("turn", 2, "turn: 2 is not from 0 to 1"),
        ("ender", -2, "ender: -2 is not from -1 to 1"),
        ("hand", [[0, 1], [1 << 52, 0]], "hand: 4503599627370496 is not from 0 to 4503599627370495"),
        ("stock", [0, 1, 52], "stock: 52 is not from -1 to 51"),
    ],
)
def test_what_is_not_is_named_with_its_field(field, value, says):
    with pytest.raises(ValueError, match=f"^{says}$"):
        State.from_json(SAID | {field: value})
