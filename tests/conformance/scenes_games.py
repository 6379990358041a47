"""Whole games and fair dealing: every preset at both kinds of table, seen by everyone and by one seat."""

import json
import random

from tests.conformance.storyteller import (
    Story,
    Teller,
    at_random,
    bidding,
    in_order,
    playing,
    transcript,
)
from tests.game.oracle import PRESET_NAMES, Table, list_text, preset_options
from tests.game.oracle_dealing import Stream, commitment

Scenes = dict[str, str]
SHORT = {
    "draft": {"target": "50", "hand_cap": "2"},
    "draft300": {"target": "60", "hand_cap": "2"},
    "partners": {"target": "80", "hand_cap": "2"},
    "duel": {"target": "50", "floor": "-60", "hand_cap": "3"},
}
FIRSTS = {"draft": "S", "draft300": "N", "partners": "E", "duel": "N"}
CALLERS = {"draft": {"N": "blindnil"}, "partners": {"S": "blindnil", "W": "blindnil"}}
SECOND_CALLERS = {"draft": {"S": "blindnil", "N": "blindnil"}, "partners": {"E": "blindnil"}}


def add_games(scenes: Scenes) -> None:
    """A whole game of each preset, dealt by the program and dealt by the host."""
    for preset in PRESET_NAMES:
        for dealer, levels in (("engine", "seat table"), ("host", "seat")):
            rng = random.Random(f"{preset} {dealer}")
            story = Story(Table(preset, SHORT[preset]), FIRSTS[preset], seed=f"{preset}.game")
            policies = [bidding(CALLERS.get(preset, {})), bidding(SECOND_CALLERS.get(preset, {}))]
            while not story.game().ending:
                deck = story.seeded_deck() if dealer == "engine" else story.random_deck(rng)
                policy = policies.pop(0) if policies else at_random
                story.play(deck, policy, rng)
            teller = Teller(story)
            teller.hello()
            teller.newgame(dealer)
            if dealer == "engine":
                teller.engine()
            else:
                teller.host()
            teller.say(*closing(story))
            if dealer == "engine":
                teller.say("> record", "< record newgame ...", "< ...")
                teller.say(f"< record ; seed={story.seed} commit={commitment(story.seed)}", "< ...", "< ok lines=...")
                title = f"A whole game of {preset}, shuffled, dealt, refereed and scored by the program."
                covers = "fair.1 rules.1 state.2 fair.3"
            else:
                title = f"A whole game of {preset}, dealt by the host, which tells every card."
                covers = "rules.1 state.2"
            folder = "table" if dealer == "engine" else "seat"
            scenes[f"valid/{folder}/game-{preset}.txt"] = transcript(title, levels, covers, teller.lines)


def closing(story: Story) -> list[str]:
    """What is left to ask when a game is over."""
    game = story.game()
    assert game.ending
    winner, reason = game.ending
    state = {
        "phase": "over",
        "turn": None,
        "hands_played": len(game.hands),
        "totals": game.totals,
        "bags": game.bags,
        "winner": winner,
        "reason": reason,
    }
    totals = " ".join([f"total.{side}={game.totals[side]}" for side in story.table.sides])
    bags = " ".join([f"bags.{side}={game.bags[side]}" for side in story.table.sides])
    return [
        "> state",
        f"< state {json.dumps(state, separators=(',', ':'))}",
        "< ok",
        "> score",
        f"< ok {totals} {bags} hands={len(game.hands)}",
        "> legal",
        "< ok count=0",
        "> deal",
        '< error wrong-phase "..." phase=over',
        "> go nodes=1",
        '< error wrong-phase "..." phase=over',
    ]


def add_seat_games(scenes: Scenes) -> None:
    """A hand as one seat is told it: the host masks what the seat may not see."""
    for preset, viewer, changes, callers in (
        ("draft", "S", {}, {"S": "blindnil"}),
        ("draft", "N", {"draft_choice": "hidden", "peek": "unseen"}, {}),
        ("draft300", "N", {}, {}),
        ("partners", "E", {}, {"W": "blindnil", "N": "blindnil"}),
        ("partners", "N", {"exchange_count": "1"}, {"N": "blindnil"}),
        ("duel", "S", {}, {}),
        ("duel", "N", {"blind_nil": "150", "failed_nil_bags": "yes"}, {"N": "blindnil"}),
    ):
        rng = random.Random(f"{preset} {viewer}")
        story = Story(Table(preset, dict(changes)), viewer)
        story.play(story.random_deck(rng), bidding(callers), rng)
        teller = Teller(story, viewer)
        teller.hello()
        teller.newgame("host")
        teller.host()
        what = "".join(f" {name}={value}" for name, value in changes.items())
        name = f"valid/seat/hand-{preset}-for-{viewer}{'-hidden' if 'peek' in changes else ''}.txt"
        title = f"A hand of {preset}{what} told to {viewer}, everything it may not see masked."
        scenes[name] = transcript(title, "seat", "rules.1 record.1 state.2", teller.lines)


def add_dealing(scenes: Scenes) -> None:
    """What the seed decides: first seats, commitments, decks, exchanges."""
    lines = ["> usp 1", "< ...", "< ok usp=1 ..."]
    for preset in PRESET_NAMES:
        table = Table(preset)
        for seed in ("0", "1", "2", "abc", "A-Z_0.9", "x" * 64):
            first = table.seats[Stream(seed, "first").below(len(table.seats))]
            lines.append(f"> newgame rules={preset} dealer=engine seed={seed}")
            lines.append(
                f"< ok rules={preset} seats={','.join(table.seats)} first={first} phase=deal commit={commitment(seed)}"
            )
    title = "The first seat and the commitment follow from the seed, for every preset."
    scenes["valid/fair/first-seats.txt"] = transcript(title, "seat table", "fair.1", lines)

    for preset in PRESET_NAMES:
        lines = ["> usp 1", "< ...", "< ok usp=1 ..."]
        for seed in ("7", "spades", "-._"):
            first = FIRSTS[preset]
            story = Story(Table(preset), first, seed=seed)
            until = {"draft": "bid", "draft300": "bid", "partners": "play", "duel": "play"}[preset]
            story.play(story.seeded_deck(), at_random, random.Random(seed), until)
            teller = Teller(story)
            teller.newgame("engine")
            teller.engine()
            lines += teller.lines
        title = f"The shuffle and the deal of {preset} follow from the seed as section 20 says."
        scenes[f"valid/fair/deals-{preset}.txt"] = transcript(title, "seat table", "fair.1", lines)

    story = Story(Table("draft"), "N", seed="exchange")
    policy = bidding({"S": "blindnil", "N": "blindnil"}, playing(low="SN"))
    story.play(story.seeded_deck(), policy, random.Random("swap6"), "play:2")
    teller = Teller(story)
    teller.hello()
    teller.newgame("engine")
    teller.engine()
    title = "Both seats call blind nil and exchange: the second draws from what the first has left."
    scenes["valid/fair/exchange-of-two.txt"] = transcript(title, "seat table", "fair.1", teller.lines)

    story = Story(Table("duel", {"removed": "2C,2D,AS,KS,7H"}), "S", seed="short")
    story.play(story.seeded_deck(), at_random, random.Random(1), "play:3")
    teller = Teller(story)
    teller.hello()
    teller.newgame("engine")
    teller.engine()
    title = "With cards removed the shuffle works on the cards that are left."
    scenes["valid/fair/removed-cards.txt"] = transcript(title, "seat table", "fair.1 rules.1", teller.lines)

    story = Story(Table("draft300", {"draft_choice": "public"}), "N", seed="ab")
    rng = random.Random(3)
    story.play(story.random_deck(rng), at_random, rng, "play:4")
    teller = Teller(story)
    teller.hello()
    teller.newgame("engine")
    teller.engine(is_deck_told=True)
    title = "A deck that the client names is dealt in its order, top card first."
    scenes["valid/table/deck-named.txt"] = transcript(title, "seat table", "rules.1", teller.lines, "deck")

    rng = random.Random(8)
    story = Story(Table("partners", {"blind_nil": "off", "exchange": "none"}), "W", seed="two")
    for hand in range(2):
        deck = story.random_deck(rng) if hand == 0 else story.seeded_deck()
        story.play(deck, at_random, rng, "scored" if hand == 0 else "play:1")
    teller = Teller(story)
    teller.hello()
    teller.newgame("engine")
    record = story.game().lines
    teller.engine(is_deck_told=False)
    first_deal = teller.lines.index("> deal")
    teller.lines[first_deal] = f"> deal deck={list_text(story.decks[0])}"
    assert record
    title = "A deck named for one hand leaves the next hand's to the seed."
    scenes["valid/table/deck-named-once.txt"] = transcript(title, "seat table", "fair.1 fair.3", teller.lines, "deck")


def add_presets(scenes: Scenes) -> None:
    """Presets and options as `state` reads them back."""
    lines = ["> usp 1", "< ...", "< ok usp=1 ..."]
    for preset in PRESET_NAMES:
        options = preset_options(preset)
        words = " ".join(f"{name}={value}" for name, value in options.items())
        for changes, shown in (("", "{}"), (f" {words}", "{}")):
            lines.append(f"> newgame rules={preset} dealer=host first=S{changes}")
            lines.append(f"< ok rules={preset} seats={','.join(Table(preset).seats)} first=S phase=deal")
            state = (
                f'{{"rules":"{preset}","dealer":"host","view":"all","options":{shown},"phase":"deal","hands_played":0'
            )
            lines += ["> state", f"< state {state}}}", "< ok"]
    title = "Naming every option with its preset's value changes nothing; none differs from the preset."
    scenes["valid/rules/preset-values.txt"] = transcript(title, "seat", "rules.1", lines)

    lines = ["> usp 1", "< ...", "< ok usp=1 ..."]
    story = Story(Table("draft300"), "S")
    rng = random.Random(4)
    story.play(story.random_deck(rng), in_order([]), rng, "draft")
    for name, value, preset in (
        ("target", "50", "duel"), ("target", "5000", "duel"), ("floor", "none", "duel"), ("floor", "-1", "duel"),
        ("floor", "-5000", "duel"), ("bag_limit", "none", "duel"), ("bag_limit", "1", "duel"), ("bag_limit", "20",
        "duel"),
        ("bag_penalty", "0", "duel"), ("bag_penalty", "1000", "duel"), ("bag_points", "0", "duel"), ("nil", "off",
        "duel"),
        ("nil", "0", "duel"), ("nil", "1000", "duel"), ("blind_nil", "0", "duel"), ("blind_nil", "1000", "duel"),
        ("blind_deficit", "5000", "draft"), ("exchange", "none", "draft"), ("exchange", "none", "partners"),
        ("exchange_count", "0", "draft"), ("exchange_count", "4", "partners"), ("failed_nil_bags", "yes", "duel"),
        ("failed_nil_bags", "no", "partners"), ("failed_nil_helps", "yes", "partners"), ("peek", "unseen", "draft"),
        ("draft_choice", "hidden", "draft300"), ("first_bidder", "second", "partners"), ("first_bidder", "first",
        "draft"),
        ("leader", "other", "duel"), ("lead_spades", "anytime", "draft"), ("first_trick_ruff", "no", "duel"),
        ("removed", "none", "duel"), ("removed", "AS", "duel"), ("hand_cap", "1", "duel"), ("hand_cap", "1000",
        "draft"),
        ("min_bid", "4", "duel"), ("nil_is_zero", "no", "partners"),
    ):  # fmt: skip
        lines.append(f"> newgame rules={preset} dealer=host {name}={value}")
        lines.append(f"< ok rules={preset} seats={','.join(Table(preset).seats)} phase=deal")
        lines += ["> state", f'< state {{"rules":"{preset}","options":{{"{name}":"..."}}}}', "< ok"]
    title = "Every option takes the ends of its range, and `state` names it as different from the preset."
    scenes["valid/rules/option-values.txt"] = transcript(title, "seat", "rules.1 rules.2", lines)


def all_scenes() -> Scenes:
    """Every transcript of this module by its path."""
    scenes: Scenes = {}
    add_games(scenes)
    add_seat_games(scenes)
    add_dealing(scenes)
    add_presets(scenes)
    return scenes
