"""A notebook as a page: its words, its code, and what came of it when it was last run."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from typing import Any


def page(notebook: str, words: Callable[[str], str]) -> str:
    """The notebook's JSON as Markdown, its text by `words`; its pictures are named as `pictures` does."""
    parts = []
    for number, cell in enumerate(json.loads(notebook)["cells"]):
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(words(text))
        else:
            parts.append(f"```python\n{text}\n```")
            parts += [shown(output, f"{number}-{place}.png") for place, output in enumerate(cell["outputs"])]
    return "\n\n".join(parts) + "\n"


def shown(output: dict[str, Any], picture: str) -> str:
    """One output: what was printed, a picture, a piece of a page, or the text of a value."""
    if output["output_type"] == "stream":
        return f"```text\n{''.join(output['text']).rstrip()}\n```"
    data = output["data"]
    if "image/png" in data:
        return f"![What the cell above draws]({picture})"
    if "text/html" in data:
        return "".join(data["text/html"])
    return f"```text\n{''.join(data['text/plain']).rstrip()}\n```"


def pictures(notebook: str) -> Iterator[tuple[str, bytes]]:
    """The pictures that a notebook's cells drew, by the names that its page gives them."""
    for number, cell in enumerate(json.loads(notebook)["cells"]):
        for place, output in enumerate(cell.get("outputs", [])):
            if "image/png" in output.get("data", {}):
                yield f"{number}-{place}.png", base64.b64decode(output["data"]["image/png"])
