"""Counts and open-card results by the oracle and a plain minimax over its rules."""

import random

from tests.conformance.storyteller import Policy, Story, Teller, at_random, bidding, transcript
from tests.game.oracle import Hand, Table, perft, playable, trick_winner

Scenes = dict[str, str]


def perft_lines(hand: Hand, depth: int) -> list[str]:
    """The command and everything it prints; the actions may come in any order."""
    total = 0
    lines = [f"> perft {depth}"]
    for action in hand.legal():
        after = Hand(
            hand.table, hand.number, hand.first, dict(hand.totals), dict(hand.bags), hand.deck, [*hand.actions, action],
            hand.seed,
        )  # fmt: skip
        count = perft(after, depth - 1)
        total += count
        lines.append(f'<* perft "{action}" {count}')
    return [*lines, f"< ok depth={depth} nodes={total}"]


def add_perft(scenes: Scenes) -> None:
    """Counts of every phase."""
    for name, title, preset, changes, until, depths, policy in (
        ("draft", "the draft", "draft300", {}, "draft", (1, 2, 5), at_random),
        ("blind", "the calls of a draft", "draft", {}, "blind", (1, 2, 4), at_random),
        ("bid", "the bidding of two", "duel", {}, "bid", (1, 2, 3), at_random),
        ("bid-options", "bidding with min_bid=3 and no nil", "duel", {"min_bid": "3", "nil": "off"}, "bid", (1, 2),
        at_random),
        ("partners-blind", "bidding with blind calls", "partners", {}, "blind", (1, 2), at_random),
        ("swap", "an exchange of up to two cards", "draft", {"exchange_count": "2"}, "swap", (1,),
        bidding({"S": "blindnil"})),
        ("first-trick", "the first trick", "duel", {}, "play", (1, 2, 3), at_random),
        ("last-tricks", "the last three tricks", "duel", {}, "play:20", (1, 3, 6, 7), at_random),
        ("last-tricks-of-four", "the last two tricks of four", "partners", {"blind_nil": "off", "exchange": "none"},
        "play:44",
         (1, 4, 8), at_random),
    ):  # fmt: skip
        chosen: Policy = policy
        story = Story(Table(preset, dict(changes)), "S", seed=f"perft-{name}")
        hand = story.play(story.seeded_deck(), chosen, random.Random(name), until)
        teller = Teller(story)
        teller.hello()
        teller.position("engine")
        for depth in depths:
            teller.say(*perft_lines(hand, depth))
        text = transcript(f"perft of {title}: as many sequences as the rules allow.", "seat table tools",
                          "go.2 rules.1", teller.lines)  # fmt: skip
        scenes[f"valid/tools/perft-{name}.txt"] = text


Hands = dict[str, tuple[str, ...]]


def best_tricks(table: Table, hands: Hands, tricks: list[list[tuple[str, str]]], turn: str, side: str) -> int:
    """How many of the tricks to come `side` wins, with open cards, if both sides play to win as many as they can."""
    if not any(hands.values()) and not tricks[-1]:
        return 0
    is_own = table.side_of(turn) == side
    values = []
    for card in playable(table, list(hands[turn]), tricks):
        left = {**hands, turn: tuple(held for held in hands[turn] if held != card)}
        trick = [*tricks[-1], (turn, card)]
        if len(trick) < len(table.seats):
            value = best_tricks(table, left, [*tricks[:-1], trick], table.after(turn), side)
        else:
            winner = trick_winner(trick)
            won = int(table.side_of(winner) == side)
            value = won + best_tricks(table, left, [*tricks[:-1], trick, []], winner, side)
        values.append(value)
    return max(values) if is_own else min(values)


def add_solve(scenes: Scenes) -> None:
    """Double-dummy results of endings, some in the middle of a trick."""
    for name, preset, changes, until in (
        ("solve-two", "duel", {"lead_spades": "broken"}, "play:18"),
        ("solve-two-in-a-trick", "duel", {}, "play:17"),
        ("solve-two-unbroken", "duel", {"floor": "none"}, "play:16"),
        ("solve-four", "partners", {"blind_nil": "off", "exchange": "none"}, "play:42"),
        ("solve-four-lead", "partners", {"blind_nil": "off", "exchange": "none", "target": "300"}, "play:44"),
    ):
        lines = ["> usp 1", "< ...", "< ok usp=1 ..."]
        for number in range(6):
            table = Table(preset, dict(changes))
            story = Story(table, "S")
            rng = random.Random(f"{name} {number}")
            hand = story.play(story.random_deck(rng), at_random, rng, until)
            teller = Teller(story)
            teller.position("host")
            hands = {seat: tuple(cards) for seat, cards in hand.hands.items()}
            tricks = hand.tricks if hand.tricks and len(hand.tricks[-1]) < len(table.seats) else [*hand.tricks, []]
            results = []
            for side in table.sides:
                so_far = sum(hand.taken[seat] for seat in table.seats if seat in side)
                results.append(f"tricks.{side}={so_far + best_tricks(table, hands, tricks, hand.turn, side)}")
            lines += [*teller.lines, "> solve", f'< ok action="play ..." {" ".join(results)} nodes=...']
        title = "solve of endings: the tricks that a plain search of every line finds, too."
        scenes[f"valid/tools/{name}.txt"] = transcript(title, "seat tools", "go.2 rules.1", lines)


def all_scenes() -> Scenes:
    """Every transcript of this module by its path."""
    scenes: Scenes = {}
    add_perft(scenes)
    add_solve(scenes)
    return scenes
