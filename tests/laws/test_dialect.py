"""The dialect of rules: what the twins compile means the same interpreted and compiled.

Read are the functions that a game's contract reaches (the protocols of `game.py`), in the game's own room, in
`cards.py`, `leads.py` and `pieces.py`. What else stands in those files, such as code that fills tables at import, is
ordinary Python.
"""

import ast
import importlib
import inspect
import linecache
import sys
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from brelan import cards
from brelan.fast.twins import BUILTINS, is_table
from brelan.game import Observation, Policy, Rules
from brelan.schema import Plain, ints
from tests.tables import for_every_game

INSTRUCTIONS = (cards.popcount, cards.lowest)  # a twin has one each

STATEMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.If, ast.For, ast.While, ast.Return, ast.Expr, ast.Pass)
EXPRESSIONS = (ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare)
SMALL = (ast.operator, ast.cmpop, ast.boolop, ast.unaryop, ast.expr_context, ast.Break, ast.Continue, ast.Tuple)
KNOWN = (*STATEMENTS, *EXPRESSIONS, *SMALL, ast.IfExp, ast.Call, ast.Slice)


class Source:
    """One file's functions and names; `depth` is how many indices each field of the game's State takes."""

    def __init__(self, file: str, text: str, names: dict[str, Any], depth: dict[str, int]) -> None:
        self.file, self.names, self.depth = file, names, depth
        self.functions = {n.name: n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef)}
        self.numbers = {name: value for name, value in names.items() if name.isupper() and type(value) is int}

    def number(self, node: ast.AST) -> int:
        """The value of an expression of numbers and named numbers; 0 if it is none, or not known here."""
        try:
            value = eval(compile(ast.Expression(node), "", "eval"), {"__builtins__": {}}, self.numbers)
        except (NameError, TypeError, AttributeError, ArithmeticError, ValueError):
            return 0
        return value if type(value) is int else 0

    def is_truth(self, node: ast.AST | None, own: set[str]) -> bool:
        """Whether an expression is true or false, and no number; `own` names those of a function that are."""
        if isinstance(node, ast.BoolOp):
            return any(self.is_truth(value, own) for value in node.values)
        if isinstance(node, ast.IfExp):
            return self.is_truth(node.body, own) or self.is_truth(node.orelse, own)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return getattr(self.names.get(node.func.id), "__annotations__", {}).get("return") in (bool, "bool")
        if isinstance(node, ast.Name):
            return node.id in own or isinstance(self.names.get(node.id), bool)
        return isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))

    def is_part(self, target: ast.AST) -> bool:
        """Whether a target is a field of several numbers, or a row of one, and no single number."""
        depth = 0
        while isinstance(target, ast.Subscript):
            depth, target = depth + 1, target.value
        return isinstance(target, ast.Attribute) and depth < self.depth.get(target.attr, 0)


def targets(node: ast.AST) -> list[ast.expr]:
    single = [node.target] if isinstance(node, ast.AugAssign | ast.AnnAssign | ast.For) else []
    every = node.targets if isinstance(node, ast.Assign) else single
    return [one for target in every for one in (target.elts if isinstance(target, ast.Tuple) else [target])]


def names_in(nodes: Iterable[ast.AST], context: type) -> set[str]:
    return {n.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, context)}


RULES: dict[str, Callable[[Any, Source], bool]] = {
    "a slice copies interpreted, and not compiled": lambda n, _: isinstance(n, ast.Slice),
    "this construct is not in the dialect": lambda n, _: not isinstance(n, KNOWN),
    "only whole numbers": lambda n, _: isinstance(n, ast.Constant) and not isinstance(n.value, int),
    "this may give a fraction": lambda n, _: (
        isinstance(n, ast.BinOp | ast.AugAssign) and isinstance(n.op, ast.Div | ast.Pow | ast.MatMult)
    ),
    "no number beyond 64 bits": lambda n, m: isinstance(n, ast.expr) and not -(2**63) <= m.number(n) < 2**63,
    "a shift is by 0 to 62": lambda n, m: (
        isinstance(n, ast.BinOp | ast.AugAssign)
        and isinstance(n.op, ast.LShift | ast.RShift)
        and not 0 <= m.number(n.right if isinstance(n, ast.BinOp) else n.value) <= 62
    ),
    "no negative index": lambda n, m: isinstance(n, ast.Subscript) and m.number(n.slice) < 0,
    "numbers have no identity": lambda n, _: (
        isinstance(n, ast.Compare) and any(isinstance(op, ast.Is | ast.IsNot) for op in n.ops)
    ),
    "one number of a field at a time": lambda n, m: any(map(m.is_part, targets(n))),
    "a loop runs over a range": lambda n, _: (
        isinstance(n, ast.For) and not (isinstance(n.iter, ast.Call) and getattr(n.iter.func, "id", "") == "range")
    ),
    "a method has no twin": lambda n, _: isinstance(n, ast.Call) and not isinstance(n.func, ast.Name),
    "this function has no twin": lambda n, m: (
        isinstance(n, ast.Call)
        and isinstance(n.func, ast.Name)
        and n.func.id not in BUILTINS
        and not inspect.isfunction(m.names.get(n.func.id))
    ),
    "arguments are given by place": lambda n, _: isinstance(n, ast.keyword),
    "the state has no such field": lambda n, m: (
        isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id == "s" and n.attr not in m.depth
    ),
}


def mistaken(node: ast.AST, source: Source, truths: set[str]) -> str | None:
    """Why what is true or false cannot stand where it does: compiled it is a bit, interpreted it stays what it is."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert) and source.is_truth(node.operand, truths):
        return "what is true or false has no bits"
    if isinstance(node, ast.Subscript) and source.is_truth(node.slice, truths):
        return "what is true or false is no index"
    stored = isinstance(node, ast.Assign) and not all(isinstance(target, ast.Name) for target in targets(node))
    if stored and source.is_truth(node.value, truths):
        return "what is true or false is no number: 1 if … else 0"
    return None


def truths_in(body: list[ast.stmt], source: Source) -> set[str]:
    """The names that a function gives to what is true or false."""
    given = [n for statement in body for n in ast.walk(statement) if isinstance(n, ast.Assign)]
    return {name for n in given if source.is_truth(n.value, set()) for name in names_in(targets(n), ast.Store)}


def ends(body: list[ast.stmt]) -> bool:
    """Whether nothing comes behind some statements."""
    last = body[-1] if body else None
    forever = isinstance(last, ast.While) and isinstance(last.test, ast.Constant) and bool(last.test.value)
    return (
        isinstance(last, ast.Return) or forever or (isinstance(last, ast.If) and ends(last.body) and ends(last.orelse))
    )


def has_twin(value: Any) -> bool:
    """Whether compiled code can use a global as interpreted code does: a function, a whole number, a table of them."""
    numbers = isinstance(value, tuple) and all(type(one) is int for one in value)
    return value is None or isinstance(value, int) or inspect.isfunction(value) or is_table(value) or numbers


def changes(node: ast.AST, own: set[str]) -> bool:
    """Whether a line writes into what is not the function's own: into a table that all matches share."""
    for target in targets(node):
        part = isinstance(target, ast.Subscript)
        while isinstance(target, ast.Subscript):
            target = target.value
        if part and isinstance(target, ast.Name) and target.id not in own:
            return True
    return False


def surely_bound(
    body: list[ast.stmt], bound: set[str], every: set[str], tell: Callable[[ast.AST, str], None]
) -> set[str]:
    """The names bound behind some statements, every one where nothing comes behind; tells what is read too soon."""
    for node in body:
        inner = [n for n in ast.iter_child_nodes(node) if not isinstance(n, ast.stmt)]
        read = names_in(inner, ast.Load) | (
            names_in(targets(node), ast.Store) if isinstance(node, ast.AugAssign) else set()
        )
        for name in read & every - bound:
            tell(node, f"{name} is bound on one branch only")
        before, bound = bound, bound | names_in(targets(node), ast.Store)
        if isinstance(node, ast.If):
            bound = surely_bound(node.body, bound, every, tell) & surely_bound(node.orelse, bound, every, tell)
        elif isinstance(node, ast.For | ast.While):
            surely_bound(node.body, bound, every, tell)
            bound = before
        elif isinstance(node, ast.Return | ast.Break | ast.Continue):
            return every
    return bound


def check(source: Source, function: ast.FunctionDef, tell: Callable[[ast.AST, str], None]) -> None:
    """Hold one function against the rules."""
    arguments = {a.arg for a in function.args.args}
    body = function.body[ast.get_docstring(function) is not None :]
    every = names_in(body, ast.Store)
    own = arguments | every
    truths = truths_in(body, source)
    nodes = [n for statement in body for n in ast.walk(statement)]
    if any(isinstance(n, ast.Return) and n.value for n in nodes) and not ends(body):
        tell(function, "on some way nothing is returned")
    for node in nodes:
        for reason, breaks in RULES.items():
            if breaks(node, source):
                tell(node, reason)
        if isinstance(node, ast.Name) and not (node.id in own or has_twin(source.names.get(node.id))):
            tell(node, f"{node.id} has no twin")
        if changes(node, own):
            tell(node, "a table stays as it is")
        if reason := mistaken(node, source, truths):
            tell(node, reason)
    if function.decorator_list or function.args.vararg or function.args.kwarg:
        tell(function, "no decorators, no arguments without a name")
    surely_bound(body, arguments, own, tell)


def errors_of(room: str, roots: Iterable[Any], depth: dict[str, int]) -> list[str]:
    """What is said against the functions of a room that some functions reach, as file:line: reason."""
    found: list[str] = []
    done: set[Any] = set()

    def reach(plain: Any, above: tuple[Any, ...]) -> None:
        done.add(plain)
        module = sys.modules[plain.__module__]
        source = Source(module.__file__, inspect.getsource(module), vars(module), depth)
        function = source.functions[plain.__name__]

        def tell(node: ast.AST, reason: str) -> None:
            found.append(f"{source.file}:{getattr(node, 'lineno', function.lineno)}: {reason}")

        check(source, function, tell)
        own = {a.arg for a in function.args.args} | names_in(function.body, ast.Store)
        for node in (n for statement in function.body for n in ast.walk(statement)):
            called = source.names.get(node.id) if isinstance(node, ast.Name) and node.id not in own else None
            if not inspect.isfunction(called) or called in INSTRUCTIONS:
                continue
            if called in (*above, plain):
                tell(node, "no recursion")
            elif not called.__module__.startswith((room, "brelan.cards", "brelan.leads", "brelan.pieces")):
                tell(node, "this function stands outside the room")
            elif called not in done:
                reach(called, (*above, plain))

    for root in roots:
        reach(root, ())
    return found


def contract(game: Any) -> list[Any]:
    """The functions by which everything else calls a game's rules, policy and observation."""
    rooms = [(game.rules, Rules), (game.policy, Policy), (game.observation, Observation)]
    return [
        getattr(room, name)
        for room, protocol in rooms
        for name in vars(protocol)
        if hasattr(room, name) and name.islower() and name[0] != "_"
    ]


@for_every_game
def test_the_rules_keep_to_the_dialect(game):
    depth = {field.name: len(field.shape) for field in game.rules.State.fields}
    assert errors_of(f"brelan.games.{game.id}.", contract(game), depth) == []


class State(Plain):
    turn: int
    hand: list[int] = ints(2)
    taken: list[list[int]] = ints(2, 3)


SNIPPET = """
from brelan.cards import below, lowest, popcount
{before}
TABLE = [1, 2, 3]
BIG = 60
COST, FACES, RATE, ROWS, FLAG = {{1: 2}}, {{3}}, 0.5, [[1], [2]], True
BROKEN, RAGGED = [1, 2.5], [[1], [2, 3]]

def helper(n):
    return n + 1

def is_one(n) -> bool:
    return n == 1

def rule(s, seat, out):
    {line}
    return 0
"""

REFUSED = {
    "s.hand[0:1]": "slice",
    "out[0] = 1.5": "whole numbers",
    "out[0] = 'a'": "whole numbers",
    "out[0] = seat / 2": "fraction",
    "out[0] = seat ** 2": "fraction",
    "out[0] /= 2": "fraction",
    "out[0] = 1 << 63": "64 bits",
    "out[0] = 9223372036854775808": "64 bits",
    "out[0] = (1 << BIG) * 16": "64 bits",
    "out[0] = seat << 63": "shift",
    "out[0] = seat >> BIG + 3": "shift",
    "out[0] <<= 64": "shift",
    "out[0] = out[-1]": "negative index",
    "out[0] = TABLE[2 - 3]": "negative index",
    "out[0] = seat is s": "identity",
    "s.hand = out": "one number",
    "s.taken[0] = s.taken[1]": "one number",
    "for card in TABLE: out[0] = card": "range",
    "s.copy()": "method",
    "out[0] = len(out)": "no twin",
    "out[0] = sum(TABLE)": "no twin",
    "out[0] = helper(n=1)": "by place",
    "out[0] = {1: 2}[1]": "not in the dialect",
    "out[0] = seat in {1, 2}": "not in the dialect",
    "out[0] = [c for c in range(3)][0]": "not in the dialect",
    "out[0] = max(c for c in range(3))": "not in the dialect",
    "out[0] = (lambda c: c)(1)": "not in the dialect",
    "def inner(): pass": "not in the dialect",
    "assert seat": "not in the dialect",
    "raise ValueError": "not in the dialect",
    "global BIG": "not in the dialect",
    "out[0] = (n := 1)": "not in the dialect",
    "import math": "not in the dialect",
    "with s: pass": "not in the dialect",
    "del out": "not in the dialect",
    "print(f'{seat}')": "not in the dialect",
    "out[0] = ~(seat == 1)": "no bits",
    "out[0] = ~(not seat)": "no bits",
    "out[0] = ~FLAG": "no bits",
    "out[0] = ~is_one(seat)": "no bits",
    "high = seat > 1; out[0] = ~high": "no bits",
    "out[0] = TABLE[seat > 1]": "no index",
    "out[seat > 1] = 1": "no index",
    "s.turn = seat == 1": "no number",
    "s.hand[0] = not seat or seat == 2": "no number",
    "s.hnad[0] = 1": "no such field",
    "out[0] = BROKEN[seat]": "BROKEN has no twin",
    "out[0] = RAGGED[0][seat]": "RAGGED has no twin",
    "out[0] = COST[seat]": "COST has no twin",
    "out[0] = seat in FACES": "FACES has no twin",
    "out[0] = seat * RATE": "RATE has no twin",
    "TABLE[0] = seat": "stays as it is",
    "ROWS[1][0] += seat": "stays as it is",
    "s.hand, s.turn = out, 1": "one number",
    "s.taken[0], s.taken[1] = s.taken[1], s.taken[0]": "one number",
    "rule(s, seat, out)": "recursion",
    "out[0] = flat(TABLE)": "outside the room",
}
"""Lines, each with a part of the reason why it is refused."""

BRANCHES = [
    "if seat:\n        n = 1\n    out[0] = n",
    "for i in range(seat):\n        n = i\n    out[0] = n",
    "for i in range(seat):\n        pass\n    out[0] = i",
    "while seat:\n        n = 1\n        break\n    n += 1",
]

ALLOWED = [
    "out[0] = 1 << seat | popcount(s.hand[seat]) & ~BIG",
    "s.taken[0][1] = TABLE[seat] if seat and not s.turn else -1",
    "s.turn = out[0] = helper(seat) % 2",
    "if seat:\n        n = 1\n    else:\n        n = 2\n    out[0] = n",
    "n = 0\n    for i in range(seat):\n        if i == 2:\n            continue\n        n += i\n    out[0] = n",
    "while seat:\n        card = lowest(seat)\n        seat &= seat - 1\n        out[0] = below(out, card + 1)",
]


@pytest.fixture
def errors(tmp_path, monkeypatch):
    """Gives what is said against a line that stands in a rule."""

    def against(line):
        (tmp_path / "snippet.py").write_text(SNIPPET.format(line=line, before="from brelan.words import flat"))
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "snippet", raising=False)
        importlib.invalidate_caches()
        linecache.clearcache()
        module = importlib.import_module("snippet")
        return errors_of("snippet", [module.rule], {field.name: len(field.shape) for field in State.fields})

    return against


@pytest.mark.parametrize("line", REFUSED)
def test_what_means_two_things_is_refused_with_its_place_and_reason(errors, line):
    said = errors(line)
    assert any(error.split(": ", 1)[0].endswith("snippet.py:16") for error in said), said
    assert any(REFUSED[line] in error for error in said), said


@pytest.mark.parametrize("line", BRANCHES)
def test_a_name_bound_on_one_branch_is_refused(errors, line):
    [said] = errors(line)
    assert "one branch" in said


def test_a_function_that_returns_nothing_on_some_way_is_refused(errors):
    [said] = errors("if seat:\n        return 1\n    elif s.turn:\n        return 2\n\ndef rest(s):")
    assert "nothing is returned" in said


@pytest.mark.parametrize("line", ALLOWED)
def test_what_means_one_thing_is_allowed(errors, line):
    assert errors(line) == []
