"""The numbers that a page writes down and the house does, too, are the same."""

import re
from pathlib import Path

import pytest

import brelan.server
from brelan.play.messages import SAYING
from brelan.play.seats import NAME_LENGTH
from brelan.play.spans import NEWS

SERVER = Path(brelan.server.__file__).parent
FIELD = re.compile(r'<input[^>]*autocomplete="nickname"')


@pytest.mark.parametrize(("script", "name", "number"), [("witness.js", "NEWS", NEWS), ("chat.js", "LONGEST", SAYING)])
def test_a_script_counts_as_the_house_does(script, name, number):
    assert f"\nconst {name} = {number};" in (SERVER / "static" / script).read_text("utf-8")


@pytest.mark.parametrize("path", ["static/room.js", "pages/make.html", "pages/home.html", "pages/me.html"])
def test_a_field_takes_as_long_a_name_as_the_house(path):
    fields = FIELD.findall((SERVER / path).read_text("utf-8"))
    assert fields
    assert all(f'maxlength="{NAME_LENGTH}"' in field for field in fields)
