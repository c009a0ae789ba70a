"""How a State is declared: what is declared wrongly is refused at once, by the field's name."""

import pytest

from brelan.schema import Plain, ints

WRONG = {
    "hand": {"hand": ints(6)},
    "size": {"__annotations__": {"size": "list[int]"}},
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
