"""Every text that a person reads comes from a catalogue, and every sentence of a catalogue is said somewhere."""

import re
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path

import pytest

from brelan.games import GAMES
from brelan.words import LANGUAGES, catalogue
from brelan.words.tongues import TONGUES

SOURCE = Path(str(resources.files("brelan")))
PAGES = sorted((SOURCE / "server" / "pages").glob("*.html"))
SCRIPTS = sorted((SOURCE / "server" / "static").glob("*.js"))
SHEETS = sorted((SOURCE / "server" / "static").glob("*.css"))
READ = {"alt", "aria-label", "aria-description", "aria-roledescription", "placeholder", "title"}
"""Attributes that somebody reads or hears."""

NAMES = {"Brelan", "brelan", "curl", "verify.js"}
"""Names, which are the same in every language."""


class Told(HTMLParser):
    """What of some HTML is read: its texts and readable attributes; programs and examples for them are not."""

    def __init__(self):
        super().__init__()
        self.told, self.within = [], []

    def handle_starttag(self, tag, attributes):
        if tag in ("script", "pre", "code", "style"):
            self.within.append(tag)
        self.told += [value for name, value in attributes if name in READ and value]

    def handle_endtag(self, tag):
        if self.within and self.within[-1] == tag:
            self.within.pop()

    def handle_data(self, data):
        if not self.within:
            self.told.append(data)


def left(html):
    """The words in some HTML that were written there."""
    told = Told()
    told.feed(html)
    told.close()
    return [word for text in told.told for word in re.findall(r"[^\W\d_]{2,}(?:\.\w+)?", text) if word not in NAMES]


def templates(script):
    """The text of every template of a script, its fields cut out, each of those in the fields of another apart."""
    found = []

    def template(at):
        """From behind its first stroke to behind its last."""
        text, tagged = "", script[: at - 1].endswith(("html", "svg"))
        while script[at] != "`":
            if script.startswith("${", at):
                text, at = text + "0", field(at + 2)
            else:
                text, at = text + script[at], at + 1
        found.extend([text] if tagged else [])
        return at + 1

    def field(at):
        depth = 1
        while depth:
            depth += {"{": 1, "}": -1}.get(script[at], 0)
            at = template(at + 1) if script[at] == "`" else at + 1
        return at

    at = 0
    while (begin := re.compile(r"\b(?:html|svg)`").search(script, at)) is not None:
        at = template(begin.end())
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_word_is_written_into_a_page(page):
    html = re.sub(
        r"\{% (block \w+_attributes|macro says_wrong.*?) %\}.*?\{% end(block|macro) %\}", "", page.read_text()
    )
    html = re.sub(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", "", html, flags=re.DOTALL)
    assert left(html) == []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_no_word_is_written_into_a_script(script):
    assert [word for html in templates(script.read_text()) for word in left(html)] == []


def test_words_that_are_written_there_are_found():
    nested = "html`<p title='Old ${a ? html`<b>Inner ${words(`x_${y}`)}</b>` : nothing}'>Hello ${n}</p>`"
    assert [word for html in templates(nested) for word in left(html)] == ["Inner", "Old", "Hello"]
    assert left('<p><img alt="A card"><script>let x</script> 12 <code>curl it</code></p>') == ["card"]


WRITTEN = re.compile(r"\bcontent: \"([^\"]*[\w.,:;!?][^\"]*)\"")
"""Words and stops that a style puts before or behind something; mere signs may stand there."""


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_no_word_and_no_stop_is_written_into_a_style(sheet):
    """Each language sets its own: French has a space before a colon."""
    assert WRITTEN.findall(sheet.read_text()) == []


COUNTED = re.compile(r"\{n\} (?!min\b|s\b)[^\W\d]")
"""Something counted, but for minutes and seconds."""

MANY = {
    "lobby.seats",
    "token.most",
    "client.hint_best",
    "client.hint_close",
    "balance.endings",
    "serve.dying",
    "note.throwing",
}
"""Where it is never one, or one would be said in the same way."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("room", [None, *(game.id for game in GAMES)])
def test_what_is_counted_has_a_form_for_one(language, room):
    sentences = catalogue(language, room)
    assert {name for name, text in sentences.items() if COUNTED.search(text) and "|" not in text} <= MANY
    forms = len({TONGUES[language].form(n) for n in range(1000)})
    assert {name for name, text in sentences.items() if text.count("|") not in (0, forms - 1)} == set()
    assert {name for name, text in sentences.items() if "|" in text and "{" in text and "n" not in text} == set()


def test_every_sentence_of_the_house_is_said_somewhere():
    """By its name, or by the beginning of its name where the rest is put together."""
    files = [file for end in ("*.py", "*.html", "*.js") for file in SOURCE.rglob(end)]
    text = "\n".join(file.read_text() for file in files)
    said = set(re.findall(r"[\"'`]([\w.]+)[\"'`]", text))
    begun = re.findall(r"[\"'`]([\w.]+[._])(?:\{|\$\{|[\"'] ?[~+])", text)
    begun = (*begun, *(f"{name}_" for name in re.findall(r"\bpick\(\"(\w+)\"", text)))
    sections = set(re.findall(r"client_words\(.*?, \"(\w+)\"", text)) | {"client", "chat"}

    def is_said(name):
        section, _, rest = name.partition(".")
        return (
            name in said or name.startswith(begun) or (section in sections and (rest in said or rest.startswith(begun)))
        )

    assert {name for name in catalogue("en") if not is_said(name)} == set()
