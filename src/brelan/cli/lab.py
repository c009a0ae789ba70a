"""Commands of the lab, and of programs that play."""

from __future__ import annotations

import argparse
import json
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from brelan.cli.asked import (
    MOMENTS,
    game_argument,
    is_output,
    json_option,
    options_of,
    parted,
    players_of,
    progress,
    rules_options,
    table_options,
    writable,
)
from brelan.errors import Refusal, at_least, whole
from brelan.folders import drafted, write
from brelan.lab.engines import ENGINES, shared
from brelan.lab.plots import plotter
from brelan.lab.runs import check_report
from brelan.words import Words

if TYPE_CHECKING:
    from brelan.lab.duels import Shares
    from brelan.lab.tune import Tuning

MATCHES, SHUFFLES, AT_ONCE = 10**7, 10**7, 10**4
"""Of a simulation, of an audit's decks and of a check, at most: what is kept of each fills the memory."""


def simulate_options(sub: argparse.ArgumentParser, words: Words) -> None:
    table_options(sub, words)
    sub.add_argument("--matches", type=int, default=100, help=words("cli.matches"))
    sub.add_argument("--seed", type=int, default=0, help=words("cli.seed"))
    sub.add_argument("--bots", default="novice", metavar="LEVELS", help=words("cli.bots"))
    sub.add_argument("--records", type=Path, metavar="FILE", help=words("cli.records"))
    sub.add_argument("--legal", action="store_true", help=words("cli.legal"))
    sub.add_argument("--engine", choices=ENGINES, default="cores", help=words("cli.engine"))
    json_option(sub, words)


def simulate(asked: argparse.Namespace) -> int:
    from brelan.lab.simulate import Plan, Summary, simulate

    at_least(1, MATCHES, matches=asked.matches)
    if asked.legal and not asked.records:
        raise Refusal("simulate_legal")
    players = players_of(asked)
    bots = parted(asked.bots)
    plan = Plan(asked.game, players, asked.seed, asked.preset, options_of(asked.option), bots, asked.legal)
    plan.check()
    summary = Summary()
    with recording(asked.records) as out, progress(asked.matches, "matches") as bar:
        for result in simulate(plan, asked.matches, bool(out), asked.engine):
            summary.add(result)
            bar.update()
            if out:
                out.write(result.record)
    with redirect_stdout(sys.stderr if out is sys.stdout else sys.stdout):  # records stand alone
        say_summary(asked, plan.to_json() | summary.to_json(players))
    return 0


@contextmanager
def recording(file: Path | None) -> Iterator[TextIO | None]:
    """Where records are written, if anywhere: of a run that is broken off no file holds some, as if they were all."""
    if not file or is_output(file):
        yield sys.stdout if file else None
        return
    writable(file)
    with drafted(file) as draft, draft.open("w", encoding="utf-8") as out:
        yield out


def say_summary(asked: argparse.Namespace, summary: dict[str, Any]) -> None:
    if asked.json:
        print(json.dumps(summary))
        return
    words = asked.words
    means = {name: words.number(summary[name], 2) for name in ("moves", "rounds")}
    n = summary["matches"]
    print(words("cli.summary", game=asked.game, n=n, matches=words.count(n), **means))
    print(words("cli.summary_seats"))
    for seat, (wins, score) in enumerate(zip(summary["wins"], summary["scores"], strict=True)):
        print(words("cli.summary_seat", seat=seat, wins=words.percent(wins, 1), score=words.number(score, 2)))


def audit_options(sub: argparse.ArgumentParser, words: Words) -> None:
    sub.add_argument("--shuffles", type=int, default=100_000, help=words("cli.shuffles"))
    sub.add_argument("--seed", type=int, help=words("cli.audit_seed"))
    sub.add_argument("--mutants", action="store_true", help=words("cli.mutants"))
    sub.add_argument("--engine", choices=("here", "cores"), default="cores", help=words("cli.engine"))
    sub.add_argument("--save", type=Path, metavar="FILE", help=words("cli.audit_save"))
    json_option(sub, words)


def audit(asked: argparse.Namespace) -> int:
    from brelan.lab.audit import MUTANTS, Plan, decks

    at_least(2, SHUFFLES, shuffles=asked.shuffles)
    writable(asked.save)
    seed = secrets.randbits(48) if asked.seed is None else asked.seed
    plans = [Plan(asked.shuffles, seed, asked.engine, mutant) for mutant in ("", *(MUTANTS if asked.mutants else ()))]
    total = sum(plan.blocks for plan in plans) * len(decks())
    with progress(total, "blocks") as bar:
        found = [plan.to_json(plan.run(decks(), bar.update)) for plan in plans]
    for result in found:
        say_audit(asked, result)
    if asked.save:
        write(asked.save, json.dumps(found[0], indent=1) + "\n")
    return 0 if all(as_expected(result) for result in found) else 2


def as_expected(result: dict[str, Any]) -> bool:
    """Whether our shuffle was found fair, or a wrong one unfair."""
    return bool(result["fair"]) == (result["mutant"] is None)


def say_audit(asked: argparse.Namespace, result: dict[str, Any]) -> None:
    from brelan.lab.audit import QUESTIONS

    if asked.json:
        print(json.dumps(result))
        return
    words, decks = asked.words, result["decks"]
    told = {"name": result["mutant"] or "brelan", "shuffles": words.count(decks[0]["shuffles"])}
    print(words("cli.audit_of", **told, seed=result["seed"]))
    print(f"  {'':14}" + "".join(f"{words(f'cli.audit_{name}'):>10}" for name in QUESTIONS))
    for deck in decks:
        z = "".join(f"{words.signed(deck['z'][name], 2) if name in deck['z'] else '':>10}" for name in QUESTIONS)
        print(f"  {deck['game']:11}{deck['cards']:3}{z}  {'✓' if deck['fair'] else '✗'}")
    unfair = sum(not deck["fair"] for deck in decks)
    print(words("cli.audit_unfair" if unfair else "cli.audit_fair", limit=result["limit"], n=unfair))


def arena_options(sub: argparse.ArgumentParser, words: Words) -> None:
    table_options(sub, words)
    sub.add_argument("--bots", metavar="LEVELS", help=words("cli.arena_bots"))
    sub.add_argument("--deals", type=int, default=1000, help=words("cli.arena_deals"))
    sub.add_argument("--seconds", type=float, default=10.0, help=words("cli.move_seconds"))
    sub.add_argument("--seed", type=int, default=8192, help=words("cli.seed"))
    sub.add_argument("--salt", default="", metavar="TEXT", help=words("cli.arena_salt"))
    sub.add_argument("--engine", choices=ENGINES, default="cores", help=words("cli.engine"))
    sub.add_argument("--save", type=Path, metavar="DIR", help=words("cli.arena_save"))
    json_option(sub, words)


def arena(asked: argparse.Namespace) -> int:
    from brelan import games
    from brelan.bots.levels import COMMAND, newest
    from brelan.lab.arena import Plan, Table, pace, run
    from brelan.lab.arena_report import as_data, as_page, as_text, opening, planned

    players = players_of(asked)
    bots = parted(asked.bots) if asked.bots is not None else tuple(newest(games.find(asked.game)))
    where = (players, asked.preset, options_of(asked.option))
    plan = Plan(asked.game, bots, *where, asked.deals, asked.seed, seconds=asked.seconds, salt=asked.salt)
    at_least(*MOMENTS, seconds=asked.seconds)
    file = asked.save and asked.save / "blocks.jsonl"
    blocks = run(plan, asked.engine, file)  # refuses what cannot be played, before anything is written
    prepare(asked.save, planned(plan), "deals")
    if asked.save and any(bot.startswith(COMMAND) for bot in bots):
        print(asked.words("cli.arena_anew"), file=sys.stderr)
    table = Table(plan)
    with progress(len(plan.blocks()), "blocks") as bar:
        for block, shares in blocks:
            table.came[block] = shares
            bar.update()
    if asked.save:  # who breaks off while moves are timed has what was played
        write(asked.save / "report.json", json.dumps(as_data(table, {}, asked.words), indent=1) + "\n")
    data = as_data(table, {bot: pace(plan, bot) for bot in bots}, asked.words)
    if asked.save:
        write(asked.save / "report.json", json.dumps(data, indent=1) + "\n")
        write(asked.save / "report.html", as_page(data, asked.words))
    said = [*opening(data, asked.words), as_text(data, asked.words)]
    print(json.dumps(data) if asked.json else "\n\n".join(said))
    return 0


def prepare(folder: Path | None, plan: dict[str, Any], length: str) -> None:
    """The folder of a report, and all that is needed to write one; that of another or a longer run stays as it is."""
    if folder:
        plotter()
        writable(folder / "blocks.jsonl", folder / "report.json")
        check_report(folder / "report.json", plan, length)


def balance_options(sub: argparse.ArgumentParser, words: Words) -> None:
    table_options(sub, words)
    sub.add_argument("--against", action="append", default=[], metavar="RULES", help=words("cli.balance_against"))
    sub.add_argument("--matches", type=int, default=10_000, help=words("cli.balance_matches"))
    sub.add_argument("--bots", default="novice", metavar="LEVELS", help=words("cli.bots"))
    sub.add_argument("--seconds", type=float, default=10.0, help=words("cli.balance_seconds"))
    sub.add_argument("--seed", type=int, default=1, help=words("cli.seed"))
    sub.add_argument("--engine", choices=ENGINES, default="cores", help=words("cli.engine"))
    sub.add_argument("--save", type=Path, metavar="DIR", help=words("cli.balance_save"))
    json_option(sub, words)


def balance(asked: argparse.Namespace) -> int:
    from brelan.lab.balance_report import as_csv, as_data, as_page, as_text

    at_least(*MOMENTS, seconds=asked.seconds)
    data = as_data(*balanced(asked, balance_plan(asked)))
    if asked.save:
        said = {"json": json.dumps(data, indent=1), "txt": as_text(data, asked.words), "csv": as_csv(data)}
        for end, text in said.items():
            write(asked.save / f"report.{end}", text.rstrip("\n") + "\n")
        write(asked.save / "report.html", as_page(data, asked.words))
    print(json.dumps(data) if asked.json else as_text(data, asked.words))
    return 0


def balance_plan(asked: argparse.Namespace) -> Any:
    """What is asked for: the other side keeps all of the first that it does not name."""
    from brelan.lab.balance import Plan

    players = players_of(asked)
    options = options_of(asked.option)
    presets = [text for text in asked.against if "=" not in text]
    if len(presets) > 1:
        raise Refusal("balance_presets", given=", ".join(presets))
    against = presets[-1] if presets else asked.preset if asked.against else ""
    changed = options | options_of([text for text in asked.against if "=" in text]) if against else {}
    rules = (asked.game, players, asked.preset, options, against, changed)
    plan = Plan(*rules, parted(asked.bots), asked.matches, asked.seed)
    plan.check()
    return plan


def balanced(asked: argparse.Namespace, plan: Any) -> tuple[Any, ...]:
    """The plan played, with all that its report needs; of one set of rules its options and levels as well."""
    from brelan.lab import arena
    from brelan.lab.balance import run, skill, sweep, total

    changes, duels = ([], []) if plan.against else (sweep(plan), [arena.Table(skill(plan))])
    plans = [plan, *(other for _, _, other in changes), *(table.plan for table in duels)]
    file, kept = asked.save and asked.save / "blocks.jsonl", asked.save and asked.save / "duels.jsonl"
    prepare(asked.save, asdict(plan), "matches")
    in_all = asked.words.count(sum(one.in_all for one in plans))
    print(asked.words("cli.balance_length", matches=in_all), file=sys.stderr)
    with shared(asked.engine), progress(sum(len(one.blocks()) for one in plans), "blocks") as bar:
        sums = total(run(plan, asked.engine, file), bar.update)
        swept = [(name, value, total(run(other, asked.engine, file), bar.update)) for name, value, other in changes]
        for table in duels:
            for block, shares in arena.run(table.plan, asked.engine, kept):
                table.came[block] = shares
                bar.update()
    return plan, sums, asked.seconds, swept, *duels


def check_options(sub: argparse.ArgumentParser, words: Words) -> None:
    sub.add_argument("command", metavar="CMD", help=words("cli.check_command"))
    sub.add_argument("--game", action="append", default=[], metavar="GAME", help=words("cli.check_game"))
    rules_options(sub, words)
    sub.add_argument("--matches", type=int, default=3, help=words("cli.check_matches"))
    sub.add_argument("--seconds", type=float, default=10.0, help=words("cli.move_seconds"))
    json_option(sub, words)


def bot_check(asked: argparse.Namespace) -> int:
    from brelan.lab.conformance import checks

    at_least(1, AT_ONCE, matches=asked.matches)
    at_least(*MOMENTS, seconds=asked.seconds)
    good = True
    rules = asked.preset, options_of(asked.option)
    for check in checks(asked.command, asked.game, asked.matches, asked.seconds, *rules):
        good &= check.good
        said = {"name": check.name, "good": check.good, "says": check.told(asked.words)}
        print(json.dumps(said) if asked.json else check.line(asked.words))
    return 0 if good else 2


def no_options(sub: argparse.ArgumentParser, words: Words) -> None:
    """Nothing can be chosen."""


def bot(asked: argparse.Namespace) -> int:
    from brelan.bots.ours import main

    return main()


def sizes(given: str) -> tuple[int, ...]:
    """Sizes of a table with commas between."""
    return tuple(whole("players", part) for part in parted(given))


def tune_options(sub: argparse.ArgumentParser, words: Words) -> None:
    game_argument(sub)
    sub.add_argument("--players", metavar="N,N", help=words("cli.tune_players"))
    sub.add_argument("--preset", default="sheet", help=words("cli.preset"))
    sub.add_argument("--seed", type=int, default=1, help=words("cli.seed"))
    sub.add_argument("--start", default="", metavar="WEIGHTS", help=words("cli.tune_start"))
    sub.add_argument("--against", default="", metavar="LEVEL", help=words("cli.tune_against"))
    sub.add_argument("--beside", default=(), type=parted, metavar="LEVEL,LEVEL", help=words("cli.tune_beside"))
    for name, usual in (("generations", 30), ("population", 24), ("deals", 1000)):
        sub.add_argument(f"--{name}", type=int, default=usual, help=words(f"cli.tune_{name}"))
    sub.add_argument("--save", type=Path, metavar="FILE", help=words("cli.tune_save"))
    json_option(sub, words)


def tune(asked: argparse.Namespace) -> int:
    from brelan import games
    from brelan.lab.tune import Plan, Tuning, told

    players = (games.find(asked.game).seats[0],) if asked.players is None else sizes(asked.players)
    length = (asked.generations, asked.population, asked.deals)
    plan = Plan(
        asked.game, players, asked.preset, asked.seed, asked.start, *length, against=asked.against, beside=asked.beside
    )
    plan.check()
    writable(asked.save)
    tuning = Tuning(plan, asked.save)
    with progress(plan.generations, "generations", tuning.standing.generation) as bar:
        for standing in tuning.run():
            bar.set_postfix(gain=f"{standing.gain:+.4f}")
            bar.update()
    say_found(asked, told(tuning, compared(tuning)))
    return 0


def compared(tuning: Tuning) -> dict[str, Shares]:
    """What was found against each rival at the end: it takes as long as a generation or two."""
    final: dict[str, Shares] = {}
    with progress(len(tuning.plan.players) * len(tuning.rivals), "comparisons") as bar:
        for name, found in tuning.final():
            final[name] = found
            bar.update()
    return final


def say_found(asked: argparse.Namespace, found: dict[str, Any]) -> None:
    """What a run came to, with its lineage, as `levels.toml` holds it."""
    print(json.dumps(found) if asked.json else "\n".join(f"{name} = {json.dumps(found[name])}" for name in found))


def train_options(sub: argparse.ArgumentParser, words: Words) -> None:
    game_argument(sub)
    sub.add_argument("--players", type=int, help=words("cli.players"))
    sub.add_argument("--preset", default="sheet", help=words("cli.preset"))
    sub.add_argument("--seed", type=int, default=1, help=words("cli.seed"))
    sub.add_argument("--level", default="skilled", help=words("cli.train_level"))
    for name, usual in (("blocks", 300), ("units", 64), ("worlds", 4)):
        sub.add_argument(f"--{name}", type=int, default=usual, help=words(f"cli.train_{name}"))
    sub.add_argument("--save", type=Path, metavar="FILE", help=words("cli.tune_save"))
    sub.add_argument("--net", type=Path, metavar="FILE", required=True, help=words("cli.train_net"))
    json_option(sub, words)


def train(asked: argparse.Namespace) -> int:
    from brelan.lab.train import Plan, Training, told

    players = players_of(asked)
    length = (asked.blocks, asked.units, asked.worlds)
    plan = Plan(asked.game, players, asked.preset, asked.seed, *length, asked.level)
    plan.check()
    plan.check_net(asked.net)
    writable(asked.net, asked.save)
    training = Training(plan, asked.save)
    with progress(plan.blocks, "blocks", training.standing.block) as bar:
        for standing in training.run():
            bar.set_postfix(unexplained=f"{standing.unexplained:.4f}")
            bar.update()
    training.keep(asked.net)
    say_found(asked, told(training.plan, training.standing, asked.net))
    return 0


def bench(asked: argparse.Namespace) -> int:
    from brelan import served
    from brelan.envs import figures as envs
    from brelan.lab.bench import main

    return main(asked.json, [*served.figures(), *envs.figures()])


COMMANDS = {
    "simulate": (simulate, simulate_options),
    "audit": (audit, audit_options),
    "tune": (tune, tune_options),
    "train": (train, train_options),
    "arena": (arena, arena_options),
    "balance": (balance, balance_options),
    "bot": (bot, no_options),
    "bot-check": (bot_check, check_options),
    "bench": (bench, json_option),
}
