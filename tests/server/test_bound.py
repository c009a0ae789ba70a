"""A page's script and its style sheet go out as one file each, with all that they need."""

import json
import re
import subprocess
from pathlib import Path

import pytest

import brelan.server
from brelan.server.web.bound import REMARK, SAID, bound
from tests.bots.programs import may_skip, needs_node

STATIC = Path(brelan.server.__file__).parent / "static"
SCRIPTS = ["api.js", "fair.js", "lobby.js", "make.js", "replay.js", "table.js"]


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_needs_nothing_more(name):
    text = bound(STATIC / name)
    assert not re.search(r'^import\b|;import\b|await import\(|\}from"', text, re.MULTILINE)
    assert (STATIC / name).read_text("utf-8").splitlines()[0] in text
    if not may_skip:
        subprocess.run(["node", "--input-type=module", "--check"], input=text, text=True, check=True)


def test_each_module_stands_once_behind_those_that_it_imports(tmp_path):
    texts = {
        "a.js": 'import { b } from "./b.js";\nimport { c as d } from "./c.js";\nconsole.log(b, d);\n',
        "b.js": 'import { c } from "./c.js";\nexport const b = c + 1;\n',
        "c.js": "const x = 1;export{x as c};\n//# sourceMappingURL=c.js.map\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    text = bound(tmp_path / "a.js")
    assert text.count("const x = 1;") == 1
    assert text.index("const x = 1;") < text.index("const b = c + 1;") < text.index("console.log")
    assert "sourceMappingURL" not in text
    if not may_skip:
        run = subprocess.run(["node", "--input-type=module"], input=text, text=True, check=True, capture_output=True)
        assert run.stdout == "2 1\n"


def test_a_script_is_bound_from_one_reading_whatever_becomes_of_the_files(tmp_path):
    """A house whose files are exchanged under it: another page's script has been bound before."""
    (tmp_path / "b.js").write_text("export const b = 1;\n")
    for name in ("a.js", "other.js"):
        (tmp_path / name).write_text('import { b } from "./b.js";\nconsole.log(b);\n')
    bound(tmp_path / "other.js")
    (tmp_path / "c.js").write_text("export const c = 2;\n")
    (tmp_path / "b.js").write_text('import { c } from "./c.js";\nexport const b = c;\n')
    text = bound(tmp_path / "a.js")
    assert text.index("const c = 2;") < text.index("const b = c;") < text.index("console.log(b);")


def test_what_a_script_needs_comes_without_its_comments_and_with_its_licences():
    own = (STATIC / "table.js").read_text("utf-8")
    needed, _, _ = bound(STATIC / "table.js").rpartition(own.splitlines()[0])
    assert not re.search(r"/\*\* |\s// |@param", needed)
    assert needed.count("/**") == needed.count("@license") == 4
    assert bound(STATIC / "verify.js") == (STATIC / "verify.js").read_text("utf-8")


OTHER = """
const { parse } = require("internal/deps/acorn/acorn/dist/acorn");
const plain = (name, value) => (["start", "end"].includes(name) ? undefined : typeof value === "bigint" ? 1 : value);
const read = (text) => JSON.stringify(parse(text, { ecmaVersion: "latest", sourceType: "module" }), plain);
const texts = Object.entries(JSON.parse(require("fs").readFileSync(0, "utf8")));
console.log(JSON.stringify(texts.filter(([, [one, other]]) => read(one) !== read(other)).map(([name]) => name)));
"""
"""Of some texts, each with another, those that Node's own parser reads otherwise than that."""


@needs_node
def test_a_script_does_the_same_without_its_comments():
    texts = {path.name: path.read_text("utf-8") for path in STATIC.rglob("*.js")}
    texts["string.js"] = "export const found = `a // b\n`;\n"
    given = json.dumps({name: (text, SAID.sub("", text)) for name, text in texts.items()})
    command = ["node", "--expose-internals", "-e", OTHER]
    run = subprocess.run(command, input=given, text=True, check=True, capture_output=True)
    assert json.loads(run.stdout) == ["string.js"], "of a text that looks like a comment it is found out"


def test_a_style_sheet_holds_what_it_takes_in_without_its_comments():
    text = bound(STATIC / "brelan.css")
    assert "@import" not in text
    assert text.count("/*") == (STATIC / "brelan.css").read_text("utf-8").count("/*")
    for path in ("cards.css", "table.css", "small.css"):
        assert REMARK.sub("", (STATIC / path).read_text("utf-8")) in text
