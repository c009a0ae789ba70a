"""The site's pages: each is in its navigation or linked, none leads nowhere, and all that a game declares is told."""

import re
import tomllib
from pathlib import PurePosixPath

import pytest
from markdown_it import MarkdownIt

from brelan.games import GAMES
from brelan.words import LANGUAGES
from docs.site import gather
from docs.site.links import linked
from tests.tables import OF_THE_SHEETS, for_every_game


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    number = gather.gather(folder)
    found = {str(file.relative_to(folder / "pages")) for file in (folder / "pages").rglob("*") if file.is_file()}
    assert len([path for path in found if path.endswith(".md")]) == number
    return folder, found


def ways(nav):
    """The pages that a navigation names."""
    for entry in nav:
        for below in [entry] if isinstance(entry, str) else entry.values():
            yield from [below] if isinstance(below, str) else ways(below)


def test_every_page_is_in_the_navigation_and_every_way_leads_to_one(pages):
    folder, found = pages
    nav = list(ways(tomllib.loads((folder / "zensical.toml").read_text("utf-8"))["project"]["nav"]))
    assert len(nav) == len(set(nav))
    assert {path for path in found if path.endswith(".md") and not path.startswith("bots/")} == set(nav)


def test_no_link_leads_nowhere(pages):
    folder, found = pages
    for path in sorted(path for path in found if path.endswith(".md")):
        html = MarkdownIt("commonmark", {"html": True}).enable("table").render((folder / "pages" / path).read_text())
        for address in re.findall(r'(?:href|src)="([^"#]+)', html):
            if not address.startswith(("http:", "https:", "data:")):
                parts = PurePosixPath(path).parent.joinpath(address.replace("%C3%B1", "ñ")).parts
                assert resolved(parts) in found, f"{path}: {address}"


def test_what_a_notebook_drew_is_shown(pages):
    folder, found = pages
    drawn = [path for path in found if path.startswith("examples/") and path.endswith(".png")]
    assert drawn
    page = (folder / "pages" / "examples" / "first-steps.md").read_text("utf-8")
    assert all(f"]({PurePosixPath(path).name})" in page for path in drawn)


@pytest.mark.parametrize("language", LANGUAGES[1:])
@for_every_game
def test_a_rulebook_that_is_not_english_says_so_to_those_who_listen(game, language, pages):
    text = (pages[0] / "pages" / "games" / game.id / f"rules-{language}.md").read_text("utf-8")
    assert text.startswith(f'<div lang="{language}" markdown="1">\n\n# ')
    assert text.endswith("\n</div>\n")


def resolved(parts):
    """A path without its steps up."""
    kept = []
    for part in parts:
        kept = kept[:-1] if part == ".." else [*kept, part]
    return "/".join(kept)


@for_every_game
def test_a_game_tells_its_options_presets_and_levels(game, pages):
    text = (pages[0] / "pages" / "games" / game.id / "index.md").read_text("utf-8")
    for name in [*(option.name for option in game.options), *game.presets, "novice", "random"]:
        assert f"| `{name}` |" in text, name
    for option in game.options:
        assert f"(rules.md#{option.rule})" in text


def test_every_game_that_was_weighed_has_its_page(pages):
    """The five of the sheets were; a new one is once docs/balance.md has a section of its title."""
    sections = (gather.ROOT / gather.BALANCE).read_text("utf-8").splitlines()
    weighed = [game.id for game in GAMES if f"## {game.title}" in sections]
    assert set(weighed) >= OF_THE_SHEETS
    for game in weighed:
        assert f"games/{game}/balance.md" in pages[1], game


def test_a_link_follows_its_page_and_a_file_that_is_not_shown_keeps_its_name():
    places = {"docs/a.md": "a.md", "docs/b.md": "deep/b.md", "README.md": "index.md"}
    text = "[a](a.md#here) [code](../src/x.py) `docs/a.md` [web](https://x.org) `README`\n```sh\n[a](a.md)\n```\n"
    assert linked(text, "docs/b.md", "deep/b.md", places) == (
        "[a](../a.md#here) code [`docs/a.md`](../a.md) [web](https://x.org) `README`\n```sh\n[a](a.md)\n```\n"
    )
