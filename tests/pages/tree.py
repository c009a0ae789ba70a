"""The page as Chromium tells it to those who listen: its tree of accessibility, not the elements that it is made of."""

from __future__ import annotations

from dataclasses import dataclass, field

HEAR = """() => {
    window.heard = [];
    const hear = (line) => window.heard.push(line.textContent);
    new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach(hear)))
        .observe(document.getElementById("voice"), { childList: true });
}"""
"""To be evaluated in a page: what is said politely from then on is in `window.heard`, line by line."""


@dataclass
class Node:
    role: str
    name: str
    description: str
    properties: dict
    children: list[Node] = field(default_factory=list)

    def all(self, role=None):
        """This node and all below it, of one role only if so wished, in the order in which they are read."""
        found = [self] if role in (None, self.role) else []
        return found + [node for child in self.children for node in child.all(role)]

    def names(self, role=None):
        return [node.name for node in self.all(role) if node.name]

    @property
    def text(self):
        """What is read of it in one go."""
        return " ".join(self.names("StaticText"))


def tree(page):
    """The whole page from its root; what Chromium leaves out for those who listen is not in it."""
    session = page.context.new_cdp_session(page)
    told = {node["nodeId"]: node for node in session.send("Accessibility.getFullAXTree")["nodes"]}
    session.detach()

    def made(told_node):
        nodes = [node for child in told_node.get("childIds", []) if child in told for node in made(told[child])]
        if told_node["ignored"]:
            return nodes
        properties = {one["name"]: one["value"].get("value") for one in told_node.get("properties", [])}
        name, description = (told_node.get(key, {}).get("value", "") for key in ("name", "description"))
        return [Node(told_node["role"]["value"], name, description, properties, nodes)]

    (root,) = made(next(node for node in told.values() if "parentId" not in node))
    return root
