"""Frames as messages: what is none says why."""

import pytest

from brelan.play.messages import Malformed, Move, key_of, read


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "{",
        "[]",
        "null",
        b"\xff\xfe",
        "[" * 50000,
        '{"type":"move"}',
        '{"type":"move","key":"","seen":1,"move":"draw"}',
        '{"type":"move","key":"k","seen":"1","move":"draw"}',
        '{"type":"move","key":"k","seen":1,"move":7}',
        '{"type":"move","key":"' + "k" * 65 + '","seen":1,"move":"draw"}',
        '{"type":"nonce","nonce":"AB"}',
        '{"type":"nonce","nonce":"' + "0" * 32 + '\\n"}',
        '{"type":"asking","key":"k"}',
        '{"type":"Move","key":"k","seen":1,"move":"draw"}',
        '{"type":"sit","key":"k","seat":true,"name":"x"}',
    ],
)
def test_a_frame_that_is_no_message_is_malformed(frame):
    with pytest.raises(Malformed):
        read(frame)


def test_what_is_wrong_with_a_message_is_named():
    with pytest.raises(Malformed) as refused:
        read('{"type":"move","key":"k","seen":"1","move":"draw"}')
    assert str(refused.value) == "This message cannot be read: Expected `int`, got `str` - at `$.seen`."


def test_a_message_is_read_and_an_unreadable_one_keeps_its_key():
    assert read('{"type":"move","key":"k","seen":3,"move":"draw","more":1}') == Move("k", 3, "draw")
    assert key_of('{"type":"fly","key":"k"}') == "k"
    assert key_of("{") == ""
