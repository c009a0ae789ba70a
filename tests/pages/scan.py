"""What axe-core finds wrong with a page as it stands: broken rules, and what it cannot decide by itself.

All of its rules are asked, good practice and the sizes of targets too. Contrasts are looked at apart: axe cannot see
through a picture, nor under something that sticks or lies over what can be aimed at, so linen, felt and those frames
are taken away and everything is laid out flat.
What stands on cards is a drawing to it; `test_colours.py` measures that. Whether the name of a button holds what is
read on it is asked without those drawings.
"""

import json

from axe_playwright_python.base import AXE_SCRIPT

COLOURS = ["color-contrast", "link-in-text-block"]
NAMES = "label-content-name-mismatch"
FORM = {"rules": {"target-size": {"enabled": True}} | {rule: {"enabled": False} for rule in COLOURS}}

FLAT = """
    *, ::before, ::after { background-image: none !important; animation: none !important; transition: none !important }
    ::before, ::after, .face, .aim { display: none !important }
    .felt { background-color: var(--felt) !important; isolation: auto !important }
    #table, #replay, .told, .felt.ended { block-size: auto !important }
    .felt:not(.ended) { min-block-size: 34rem !important }
    .hand { margin-block-start: 0 !important }
    .spoken { display: none !important }
    .felt, .leaf, .scroll, .wide, .told, pre { max-block-size: none !important; overflow: visible !important }
    .result > .choices, .leaf > header, .banner.line { position: static !important }
    dialog { position: absolute !important; inset: 0 auto auto 0 !important; max-block-size: none !important }
    :has(> dialog[open]) > :not(dialog) { display: none !important }
    .notices { position: static !important; translate: none !important; block-size: auto !important }
    pre { white-space: pre-wrap !important }
    :is(.scroll, .wide) > table { zoom: .5 }
"""
LAY = "text => { const sheet = new CSSStyleSheet(); sheet.replaceSync(text); document.adoptedStyleSheets = [sheet]; }"
RUN = "options => axe.run({ exclude: ['svg'] }, { resultTypes: ['violations', 'incomplete'], ...options })"

LEFT_OPEN = {"nonBmp", "shortTextContent", "elmPartiallyObscuring"}
"""Why a contrast may be left open: there is nothing to read (a sign, a digit), or the screen's edge cuts the line."""

UNDECIDED = {"link-in-text-block", NAMES}
"""Rules that axe may leave open altogether."""


def faults(page, form=True):
    """One line for each thing that is wrong: the rule, where, what axe says; of colours and names only, if so asked."""
    if not page.evaluate("typeof axe !== 'undefined'"):
        page.evaluate(AXE_SCRIPT)
    found = asked(page, FORM) if form else []
    page.evaluate(LAY, FLAT)
    found += asked(page, {"runOnly": [*COLOURS, NAMES]})
    page.evaluate(LAY, "")
    return found


def asked(page, options):
    answer = page.evaluate(RUN, options)
    results = [*answer["violations"], *(left for left in answer["incomplete"] if left["id"] not in UNDECIDED)]
    return [told(result, node) for result in results for node in result["nodes"] if not is_left_open(node)]


def is_left_open(node):
    """Whether only this was left open: how something stands out that nobody reads as text, or not all of it here."""
    return bool(node["any"]) and all(
        check["id"] == "color-contrast" and reason(check) in LEFT_OPEN for check in node["any"]
    )


def reason(check):
    return (check["data"] or {}).get("messageKey")


def told(result, node):
    why = "; ".join(check["message"] for kind in ("any", "all", "none") for check in node[kind])
    return f"{result['id']} at {json.dumps(node['target'], ensure_ascii=False)}: {why or result['help']}"
