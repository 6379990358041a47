"""Checks on searching: stopping, racing, repeating, budgets, figures, and what the answer may depend on."""

from __future__ import annotations

import random
import time

from suite.checks import Bench, best_action, check, pairs
from suite.checks_states import HAND, HIDDEN_HAND, THINKING, ask_past_search, code_of
from suite.dealing import ALL_CARDS, deck_cards
from suite.process import Engine, Fault, is_final, split_id

PING_LIMIT = 0.25
PING_COUNT = 20
RACES = 30
OVERRUN = 0.1  # seconds that a movetime may be late by
DUEL = f"rules=duel dealer=host view=S first=S ; deal 1 first=S hand.S={HAND} hand.N={HIDDEN_HAND}"
DRAFT = "rules=draft300 dealer=host view=S first=N ; deal 1 first=N"
POSITIONS = [
    f"position newgame {DUEL}",
    f"position newgame {DUEL} ; bid S 4 ; bid N 5",
    f"position newgame {DUEL} ; bid S 4 ; bid N 5 ; play S KH ; play N AH ; play N 6D",
    "position newgame rules=draft dealer=host view=S first=S ; deal 1 first=S",
    "position newgame rules=draft300 dealer=host view=S first=S ; deal 1 first=S ; draft S draw KD",
    f"position newgame {DRAFT} ; draft N draw ?? ; draft N keep ?? ; draft S draw 9S",
]  # fmt: skip
NODES = 400


def search(engine: Engine, position: str, limits: str = f"nodes={NODES}") -> list[str]:
    """The lines of a search from a position."""
    engine.expect_ok(position)
    lines = engine.ask(f"go {limits}")
    if not lines[-1].startswith("best "):
        raise Fault("go.5", f"`go {limits}` ended in `{lines[-1]}`")
    return lines


@check("ping-thinking", "core seat", "core.2", is_alone=True)
def ping_thinking(bench: Bench) -> None:
    """Twenty `ping` while thinking are each answered within 250 ms."""
    engine = bench.start_ready()
    engine.expect_ok(THINKING)
    engine.send("#think go infinite")
    for number in range(PING_COUNT):
        sent = time.monotonic()
        reply = ask_past_search(engine, f"p{number}", "ping")
        took = engine.line_time - sent
        if code_of(reply) != "ok" or took > PING_LIMIT:
            raise Fault("core.2", f"ping {number} was answered by `{reply}` after {took * 1000:.0f} ms")
        time.sleep(0.02)
    ask_past_search(engine, "s", "stop")
    engine.quit()


@check("stop-at-once", "core seat", "go.4 go.5")
def stop_at_once(bench: Bench) -> None:
    """`go` and `stop` sent together, thirty times: one best, then the ok of stop, and nothing else."""
    engine = bench.start_ready()
    engine.expect_ok(THINKING)
    for number in range(RACES):
        engine.send_bytes(f"#g{number} go infinite\n#s{number} stop\n".encode())
        finals = []
        while engine.pending:
            line = engine.read()
            if line is None:
                engine.expect_alive()
            elif is_final(line):
                finals.append(line)
        if not finals[0].startswith(f"#g{number} best ") or finals[1:] != [f"#s{number} ok"]:
            raise Fault("go.5", f"expected the best of `go`, then the ok of `stop`; got {finals}")
    engine.quit()


@check("stop-idle", "core seat", "go.4 fair.4")
def stop_idle(bench: Bench) -> None:
    """A `stop` while idle does nothing to the next search: it runs its full budget, to the same bytes as without."""
    engine = bench.start_ready()
    plain = search(engine, POSITIONS[0])
    for _time in range(5):
        engine.expect_ok(POSITIONS[0])
        engine.send_bytes(b"stop\nstop\n")
        engine.replies()
        engine.replies()
        lines = engine.ask(f"go nodes={NODES}")
        if lines != plain:
            raise Fault("go.4", f"after `stop` while idle the search printed `{lines[-1]}`, without it `{plain[-1]}`")
    engine.expect_ok("stop")
    engine.send("#i go infinite")
    deadline = time.monotonic() + 0.2
    while time.monotonic() < deadline:
        line = engine.poll(deadline - time.monotonic())
        if line is not None and is_final(line):
            raise Fault("go.4", "a search that nobody stopped came to its end")
    ask_past_search(engine, "s", "stop")
    engine.quit()


@check("newgame-after-best", "core seat", "go.5 reply.1")
def newgame_after_best(bench: Bench) -> None:
    """`newgame` right after each best, thirty times: it is never busy, and nothing of the old search follows."""
    engine = bench.start_ready()
    for number in range(RACES):
        engine.expect_ok(THINKING)
        engine.send(f"#g{number} go nodes={1 + 10 * (number % 3)}")
        engine.replies()
        reply = engine.ask(f"#n{number} newgame rules=duel dealer=host view=N first=N")[-1]
        if code_of(reply) != "ok":
            raise Fault("go.5", f"newgame right after the best: `{reply}`")
    engine.quit()


@check("stop-after-best", "core seat", "go.4 go.5")
def stop_after_best(bench: Bench) -> None:
    """`stop` sent with a short search gets its own ok after the best, however the two cross."""
    engine = bench.start_ready()
    engine.expect_ok(THINKING)
    for number in range(RACES):
        engine.send_bytes(f"#g{number} go nodes=1\n".encode())
        time.sleep(0.002 * (number % 5))
        engine.send_bytes(f"#s{number} stop\n".encode())
        finals: list[str] = []
        while engine.pending:
            line = engine.read()
            if line is None:
                engine.expect_alive()
            elif is_final(line):
                finals.append(split_id(line)[0])
        if finals != [f"#g{number}", f"#s{number}"]:
            raise Fault("go.5", f"the final replies came for {finals}")
    engine.quit()


@check("infinite-when-forced", "core seat", "go.3")
def infinite_when_forced(bench: Bench) -> None:
    """`go infinite` with a single legal action still waits for `stop`."""
    spades = "2S,3S,4S,5S,6S,7S,8S,9S,TS,JS,QS,KS"
    engine = bench.start_ready()
    engine.expect_ok(
        "position newgame rules=duel dealer=host view=S first=N"
        f" ; deal 1 first=N hand.S=3C,{spades} hand.N={HIDDEN_HAND}"
        " ; bid N 1 ; bid S 12 ; play N 4C"
    )
    engine.send("#g go infinite")
    deadline = time.monotonic() + 0.3
    while time.monotonic() < deadline:
        line = engine.poll(deadline - time.monotonic())
        if line is not None and is_final(line):
            raise Fault("go.3", f"the answer came before `stop`: `{line}`")
    engine.send("#s stop")
    finals: list[str] = []
    while engine.pending:
        line = engine.read()
        if line is None:
            engine.expect_alive()
        elif is_final(line):
            finals.append(line)
    if best_action(finals[0]) != "play 3C":
        raise Fault("go.2", f"the only legal action is `play 3C`: `{finals[0]}`")
    engine.quit()


@check("limits-in-time", "core seat", "go.9 go.6", is_alone=True)
def limits_in_time(bench: Bench) -> None:
    """Answers come in time: at once for zero and negative times, within movetime, and within a short clock."""
    engine = bench.start_ready()
    for position in POSITIONS:
        for limits, seconds in (
            ("movetime=0", 0.0),
            ("movetime=-50", 0.0),
            ("movetime=1", 0.0),
            ("movetime=80", 0.08),
            ("clock=0", 0.0),
            ("clock=-1000 inc=0", 0.0),
            ("clock=100 inc=0", 0.1),
            ("clock=150 inc=20", 0.15),
            ("nodes=1 movetime=60000", 1.0),
            ("movetime=50 nodes=1000000000", 0.05),
        ):
            engine.expect_ok(position)
            sent = time.monotonic()
            line = engine.ask(f"go {limits}")[-1]
            took = engine.line_time - sent
            if not line.startswith("best "):
                raise Fault("go.6", f"`go {limits}`: `{line}`")
            if took > seconds + OVERRUN:
                raise Fault("go.9", f"`go {limits}` took {took * 1000:.0f} ms")
    engine.quit()


@check("bare-go", "core seat", "go.9", is_alone=True)
def bare_go(bench: Bench) -> None:
    """A bare `go` takes the option movetime."""
    engine = bench.start_ready()
    if code_of(engine.ask("set movetime=50")[-1]) == "ok":
        engine.expect_ok(THINKING)
        sent = time.monotonic()
        engine.ask("go")
        if engine.line_time - sent > 0.05 + OVERRUN:
            raise Fault("go.9", f"a bare go took {(engine.line_time - sent) * 1000:.0f} ms with movetime=50")
    engine.quit()


@check("same-bytes-twice", "core seat", "fair.4")
def same_bytes_twice(bench: Bench) -> None:
    """A search limited by nodes alone prints the same bytes in two processes and twice in one; no time in it."""
    first, second = bench.start_ready(), bench.start_ready()
    for engine in (first, second):
        engine.ask("set multipv=3")
    kept = []
    for position in POSITIONS:
        lines = search(first, position)
        kept.append(lines)
        for line in lines:
            if "time" in pairs(line):
                raise Fault("fair.4", f"a time in a search limited by nodes alone: `{line}`")
    for position, lines in reversed([*zip(POSITIONS, kept)]):  # noqa: B905 - `strict` is not in Python 3.9
        for engine in (second, first):
            again = search(engine, position)
            if again != lines:
                raise Fault("fair.4", f"first `{_first_difference(lines, again)}`")
    first.quit()
    second.quit()


def _first_difference(one: list[str], two: list[str]) -> str:
    for place in range(max(len(one), len(two))):
        left = one[place] if place < len(one) else "nothing"
        right = two[place] if place < len(two) else "nothing"
        if left != right:
            return f"{left}`, then `{right}"
    return ""


# What the answer may depend on.


def duel_table(hand_s: list[str], hand_n: list[str], moves: str) -> str:
    """A two-handed table where every card is told."""
    cards = f"hand.S={','.join(hand_s)} hand.N={','.join(hand_n)}"
    return f"position newgame rules=duel dealer=host view=all first=S ; deal 1 first=S {cards}{moves}"


def partners_table(hands: dict[str, list[str]], moves: str) -> str:
    """A four-handed table where every card is told."""
    cards = " ".join(f"hand.{seat}={','.join(hands[seat])}" for seat in "NESW")
    start = "position newgame rules=partners dealer=host view=all first=N blind_nil=off exchange=none"
    return f"{start} ; deal 1 first=N {cards}{moves}"


def draft_table(deck: list[str], keeps: str, moves: str, options: str = "") -> str:
    """A drafted table where every card is told: the deck, a letter k or p for each turn, and what follows."""
    text = f"position newgame rules=draft300 dealer=host view=all first=S{options} ; deal 1 first=S"
    for turn, choice in enumerate(keeps):
        seat = "SN"[turn % 2]
        text += f" ; draft {seat} draw {deck[2 * turn]}"
        text += f" ; draft {seat} {'keep' if choice == 'k' else 'pass'} {deck[2 * turn + 1]}"
    return text + moves


def _expect_same_answer(engine: Engine, tables: list[str], what: str) -> None:
    answers = [search(engine, table) for table in tables]
    for answer in answers[1:]:
        if answer != answers[0]:
            raise Fault("hidden.1", f"{what}: `{_first_difference(answers[0], answer)}`")


def _exchanged(deck: list[str], places: list[int], rng: random.Random) -> list[str]:
    """The deck with the cards at these places exchanged among themselves."""
    cards = [deck[place] for place in places]
    rng.shuffle(cards)
    changed = list(deck)
    for place, card in zip(places, cards):  # noqa: B905 - `strict` is not in Python 3.9
        changed[place] = card
    return changed


@check("unseen-hands-exchanged", "core seat", "hidden.1")
def unseen_hands_exchanged(bench: Bench) -> None:
    """In dealt games the cards of the other seats are exchanged: the answer stays the same to the byte."""
    rng = random.Random(5)
    engine = bench.start_ready()
    engine.ask("set multipv=2")
    hand = HAND.split(",")
    rest = [card for card in deck_cards("duel") if card not in hand and card not in ("AH", "6D")]
    others = [sorted([*rng.sample(rest, 11), "AH", "6D"], key=ALL_CARDS.index) for _ in range(3)]
    for what, moves in (
        ("at the first bid", ""),
        ("at the first lead", " ; bid S 4 ; bid N 3"),
        ("in the second trick", " ; bid S 4 ; bid N 3 ; play S KH ; play N AH ; play N 6D"),
    ):
        _expect_same_answer(engine, [duel_table(hand, other, moves) for other in others], f"the other hand, {what}")

    fixed = {"N": hand, "E": ["4C"], "S": ["6C"], "W": ["7C", "3D"]}
    rest = [card for card in ALL_CARDS if not any(card in cards for cards in fixed.values())]
    deals = []
    for _time in range(3):
        rng.shuffle(rest)
        more = {"N": [], "E": rest[:12], "S": rest[12:24], "W": rest[24:]}
        deals.append({seat: sorted(fixed[seat] + more[seat], key=ALL_CARDS.index) for seat in "NESW"})
    for what, moves in (
        ("at the first bid", ""),
        ("at the first lead", " ; bid N 3 ; bid E 3 ; bid S 3 ; bid W nil"),
        (
            "in the second trick",
            " ; bid N 3 ; bid E 3 ; bid S 3 ; bid W 2 ; play N 5C ; play E 4C ; play S 6C ; play W 7C ; play W 3D",
        ),
    ):
        _expect_same_answer(engine, [partners_table(deal, moves) for deal in deals], f"the three other hands, {what}")
    engine.quit()


@check("unseen-drafts-exchanged", "core seat", "hidden.1")
def unseen_drafts_exchanged(bench: Bench) -> None:
    """In drafted games the other seat's cards and discards are exchanged: the answer stays the same to the byte."""
    rng = random.Random(6)
    engine = bench.start_ready()
    deck = list(ALL_CARDS)
    rng.shuffle(deck)
    keeps = "".join(rng.choice("kp") for _ in range(26))
    others = [place for place in range(52) if place // 2 % 2 == 1]
    decks = [deck, _exchanged(deck, others, rng), _exchanged(deck, others, rng)]
    _expect_same_answer(
        engine,
        [draft_table(d, keeps[:6], f" ; draft S draw {d[12]}") for d in decks],
        "the other seat's draft, in the draft",
    )
    _expect_same_answer(engine, [draft_table(d, keeps, "") for d in decks], "the other seat's draft, at the bid")
    bids = " ; bid S 4 ; bid N 3"
    _expect_same_answer(
        engine, [draft_table(d, keeps, bids) for d in decks], "the other seat's draft, at the first lead"
    )

    unseen = others + [2 * turn + 1 for turn in range(0, 26, 2) if keeps[turn] == "k"]
    decks = [deck, _exchanged(deck, unseen, rng)]
    tables = [draft_table(d, keeps, bids, " peek=unseen") for d in decks]
    _expect_same_answer(engine, tables, "with peek=unseen also the cards discarded after a keep")
    engine.quit()


@check("told-or-not", "core seat", "hidden.1")
def told_or_not(bench: Bench) -> None:
    """A program that was told every card chooses what it chooses when it was told one seat's cards."""
    engine = bench.start_ready()
    hand = HAND.split(",")
    rest = [card for card in deck_cards("duel") if card not in hand]
    for moves in ("", " ; bid S 4 ; bid N 3"):
        full = duel_table(hand, rest[:13], moves)
        masked = full.replace(",".join(rest[:13]), HIDDEN_HAND).replace("view=all", "view=S")
        actions = [best_action(search(engine, table)[-1]) for table in (full, masked)]
        if actions[0] != actions[1]:
            raise Fault("hidden.1", f"told every card it answers `{actions[0]}`, told its own `{actions[1]}`")
    engine.quit()


# Figures.


@check("figures", "core seat analysis", "go.8 go.7")
def figures(bench: Bench) -> None:
    """`info` and `best` carry figures in their ranges, and with multipv=k there are lines for ranks 1 to k."""
    engine = bench.start_ready()
    engine.expect_ok("set multipv=3")
    for position in POSITIONS[:3] + POSITIONS[4:5]:
        engine.expect_ok(position)
        choices = [line[6:] for line in engine.expect_ok("legal")[:-1]]
        lines = engine.ask(f"go nodes={NODES}")
        ranks: dict[str, str] = {}
        for line in lines:
            _expect_figures(line)
            if line.startswith("info multipv=") and ' action="' in line:
                ranks[pairs(line)["multipv"]] = line.split(' action="')[1].split('"')[0]
        wanted = [str(rank) for rank in range(1, min(3, len(choices)) + 1)]
        if (
            sorted(ranks) != wanted
            or len(set(ranks.values())) != len(wanted)
            or not set(ranks.values()) <= set(choices)
        ):
            raise Fault("go.8", f"multipv=3 and {len(choices)} actions: lines for {ranks}")
        if ranks["1"] != best_action(lines[-1]):
            raise Fault("go.8", f"rank 1 is `{ranks['1']}`, the answer `{lines[-1]}`")
    engine.quit()


def _expect_figures(line: str) -> None:
    found = pairs(line)
    for key in ("equity", "make"):
        if key in found and not 0 <= float(found[key]) <= 1:
            raise Fault("go.7", f"{key} is a probability: `{line}`")
    if "points" in found and found["points"][0] not in "+-":
        raise Fault("go.7", f"points are signed: `{line}`")
    if "tricks" in found:
        parts = [float(part) for part in found["tricks"].split(",")]
        if len(parts) != 14 or not all(0 <= part <= 1 for part in parts) or abs(sum(parts) - 1) > 0.02:
            raise Fault("go.7", f"tricks are fourteen probabilities that add up to 1: `{line}`")
