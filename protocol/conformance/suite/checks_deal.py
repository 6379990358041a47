"""Checks on fair dealing: fresh seeds, revealed seeds, and that nothing but the seed decides the cards."""

from __future__ import annotations

import re

from suite.checks import Bench, check, pairs
from suite.checks_states import play_out
from suite.dealing import commitment, first_seat, hands_of, shuffle
from suite.process import Engine, Fault

PRESETS = ("draft", "draft300", "partners", "duel")


def expect_deal(lines: list[str], seed: str, rules: str, hand: int, first: str) -> None:
    """Fault if the cards that the events of a hand show, at a table that sees all, are not those of the seed."""
    deck = shuffle(seed, hand, rules)
    stock = 0
    for line in lines:
        words = line.split(" ")
        if words[0] != "event":
            continue
        if words[1] == "draft":
            if words[4] != deck[stock]:
                raise Fault("fair.1", f"card {stock} of hand {hand} should be {deck[stock]}: `{line}`")
            stock += 1
        hands = dict(re.findall(r"hand\.([NESW])=(\S+)", line)) if words[1] == "deal" else {}
        if words[1] == "look" and len(words) == 4:
            hands[words[2]] = words[3]
        for seat, cards in hands.items():
            wanted = ",".join(hands_of(deck, rules, first)[seat])
            if cards != wanted:
                raise Fault("fair.1", f"{seat} should get {wanted} in hand {hand}: `{line}`")


@check("fresh-seeds", "core seat table", "fair.2")
def fresh_seeds(bench: Bench) -> None:
    """Games without `seed=` have seeds of their own: in one process, in two, and the seed option changes nothing."""
    seen: list[str] = []
    for _time in range(2):
        engine = bench.start_ready()
        engine.ask("set seed=7")
        for rules in ("draft", "draft", "duel"):
            commit = pairs(engine.expect_ok(f"newgame rules={rules} dealer=engine")[-1]).get("commit", "")
            if not re.fullmatch("[0-9a-f]{64}", commit):
                raise Fault("fair.2", f"commit is a SHA-256 in lower-case hex: {commit}")
            seen.append(commit)
        engine.quit()
    if len(set(seen)) != len(seen):
        raise Fault("fair.2", "the same seed came twice")


@check("revealed-seeds", "core seat table", "fair.1 fair.2 fair.3")
def revealed_seeds(bench: Bench) -> None:
    """After the end the record reveals the seed; the commitment and every card of the game follow from it."""
    for rules in PRESETS:
        engine = bench.start_ready()
        reply = engine.expect_ok(f"newgame rules={rules} dealer=engine hand_cap=1")[-1]
        commit = pairs(reply)["commit"]
        lines = play_out(engine)
        record = engine.expect_ok("record view=all")
        comment = next((line for line in record if line.startswith("record ; seed=")), "")
        seed = pairs(comment).get("seed", "")
        if not re.fullmatch(r"[A-Za-z0-9._-]{22,64}", seed):
            raise Fault(
                "fair.2", f"128 bits need a longer seed, and its end needs a line `record ; seed=…`: `{comment}`"
            )
        if pairs(comment).get("commit") != commit or commitment(seed) != commit:
            raise Fault("fair.2", f"commit={commit} is not that of seed {seed}")
        first = pairs(reply).get("first", "")
        if first != first_seat(seed, rules):
            raise Fault("fair.1", f"seed {seed} makes {first_seat(seed, rules)} first: `{reply}`")
        expect_deal(lines, seed, rules, 1, first)
        engine.quit()


@check("cards-whoever-plays", "core seat table", "fair.3")
def cards_whoever_plays(bench: Bench) -> None:
    """With one seed the same cards come whatever the players do, whether or not the program thinks in between."""
    for rules in ("draft", "partners"):
        for way in range(3):
            engine = bench.start_ready()
            engine.ask(f"set seed={way}")
            engine.expect_ok(f"newgame rules={rules} dealer=engine seed=whoever first=S target=5000")
            lines: list[str] = []
            for _step in range(1000):
                legal = [line[6:] for line in engine.expect_ok("legal")[:-1]]
                if not legal and lines and "phase=deal" in lines[-1]:
                    break
                if way == 2:
                    engine.ask("go nodes=1")
                action = legal[-1 if way == 1 else 0] if legal else "deal"
                lines += engine.expect_ok(action)
            expect_deal(lines, "whoever", rules, 1, "S")
            second = _second_hand(engine, rules)
            expect_deal(second, "whoever", rules, 2, "N" if rules == "draft" else "W")
            engine.quit()


def _second_hand(engine: Engine, rules: str) -> list[str]:
    lines = engine.expect_ok("deal")
    for _turn in range(4):
        lines += engine.expect_ok("look")
        lines += engine.expect_ok("draft keep" if rules == "draft" else "bid 3")
        if pairs(lines[-1]).get("phase") != "blind":
            break
    return lines
