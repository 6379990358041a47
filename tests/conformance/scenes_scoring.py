"""Scoring and the end of the game, by hands that are played out, and by the score calculator."""

import itertools
import random
from dataclasses import dataclass, field

from tests.conformance.storyteller import Policy, Story, Teller, bidding, deck_of_hands, playing, transcript
from tests.game.oracle import Hand, Table, score_side

Scenes = dict[str, str]
END_TRICKS = {"S": 7, "N": 6}
# The attempt at which random play came out as wanted, found once by `find_attempt`; every run checks that it does.
ATTEMPTS = {
    "bags": 5,
    "exactly-made": 3,
    "both-set": 8,
    "tenth-bag": 11,
    "bags-carried": 3,
    "two-penalties-of-five": 7,
    "no-bag-limit": 1,
    "no-bag-points": 5,
    "bags-below-zero": 10,
    "bags-not-from-score": 4,
    "nil-made": 299,
    "nil-failed": 82,
    "nil-worth-fifty": 71,
    "nil-worth-nothing": 40,
    "both-nil": 21,
    "zero-contract": 6,
    "nil-beside-zero": 1348,
    "blind-nil-made": 132,
    "blind-nil-failed": 10,
    "partners": 17,
    "partners-set": 12,
    "nil-covered": 473,
    "nil-does-not-help": 31,
    "nil-failed-contract-made": 46,
    "nil-helps": 5,
    "nil-helps-in-vain": 11,
    "partners-no-nil-bags": 44,
    "both-partners-nil": 240,
    "both-partners-blind": 205,
    "nil-and-blind-nil": 72,
    "end": 7,
}
DUEL_ALL_SPADES = {
    "S": [rank + "S" for rank in "23456789TJQKA"],
    "N": [rank + "H" for rank in "23456789TJQKA"],
}


@dataclass
class Outcome:
    """A hand that has to come out as written: bids and tricks by seat."""

    name: str
    title: str
    preset: str
    bids: dict[str, str]
    tricks: dict[str, int]
    changes: dict[str, str] = field(default_factory=dict)
    totals: dict[str, int] = field(default_factory=dict)
    bags: dict[str, int] = field(default_factory=dict)
    low: str = ""
    hands: dict[str, list[str]] | None = None


def played(outcome: Outcome, totals: dict[str, int], further: int = 0) -> Story:
    """A story whose first hand comes out as wanted, and then as many hands as asked, however they come."""
    story, rng = attempted(outcome, totals, ATTEMPTS.get(outcome.name, 0))
    hand = story.game().hands[0]
    assert has_come_out(outcome, hand), f"{outcome.name}: another attempt is needed, see `find_attempt`"
    for _hand in range(further):
        story.play(story.random_deck(rng), bidding({}), rng)
    return story


def has_come_out(outcome: Outcome, hand: Hand) -> bool:
    """Whether every seat has won the tricks it should."""
    return all(hand.taken[seat] == count for seat, count in outcome.tricks.items())


def find_attempt(outcome: Outcome) -> int:
    """The number of the first attempt that comes out as wanted, for the table above."""
    attempt = 0
    while not has_come_out(outcome, attempted(outcome, {}, attempt)[0].game().hands[0]):
        attempt += 1
    return attempt


def attempted(outcome: Outcome, totals: dict[str, int], attempt: int) -> tuple[Story, random.Random]:
    """The story of one attempt, its first hand played, and the generator to go on with."""
    table = Table(outcome.preset, outcome.changes)
    first = table.seats[0]
    policy: Policy = bidding(outcome.bids, playing(low=outcome.low, high="" if not outcome.low else "NESW"))
    rng = random.Random(f"{outcome.name} {attempt}")
    story = Story(table, first, totals=totals, bags=outcome.bags)
    deck = deck_of_hands(table, first, outcome.hands) if outcome.hands else story.random_deck(rng)
    story.play(deck, policy, rng)
    return story, rng


OUTCOMES = [
    Outcome("bags", "Tricks beyond the contract are a point and a bag each.", "duel", {"S": "4", "N": "3"},
            {"S": 8, "N": 5}),
    Outcome("exactly-made", "A contract made exactly has no bags.", "duel", {"S": "7", "N": "6"}, {"S": 7, "N": 6}),
    Outcome("set", "A contract that is set costs ten a trick and makes no bags.", "duel", {"S": "9", "N": "4"},
            {"S": 7, "N": 6}),
    Outcome("both-set", "Both sides may be set.", "duel", {"S": "9", "N": "8"}, {"S": 7, "N": 6}),
    Outcome("thirteen", "A bid of thirteen that is made is worth 130.", "duel", {"S": "13", "N": "1"},
            {"S": 13, "N": 0}, hands=DUEL_ALL_SPADES),
    Outcome("tenth-bag", "The tenth bag costs a hundred points and the count starts again.", "duel",
            {"S": "5", "N": "3"}, {"S": 8, "N": 5}, bags={"S": 7, "N": 1}),
    Outcome("bags-carried", "What goes beyond the tenth bag is carried.", "duel", {"S": "3", "N": "2"},
            {"S": 8, "N": 5}, bags={"S": 8, "N": 9}),
    Outcome("two-penalties", "Nine bags and twelve more are two penalties and one bag carried.", "duel",
            {"S": "1", "N": "1"}, {"S": 13, "N": 0}, bags={"S": 9}, hands=DUEL_ALL_SPADES),
    Outcome("two-penalties-of-five", "With a limit of five, four bags and eight more are two penalties.", "duel",
            {"S": "1", "N": "1"}, {"S": 9, "N": 4}, {"bag_limit": "5", "bag_penalty": "30"}, bags={"S": 4, "N": 3}),
    Outcome("no-bag-limit", "Without a bag limit bags are counted and never punished.", "duel", {"S": "1", "N": "1"},
            {"S": 8, "N": 5}, {"bag_limit": "none"}, bags={"S": 9, "N": 40}),
    Outcome("no-bag-points", "With bag_points=0 a bag is worth nothing and still counts.", "duel",
            {"S": "4", "N": "3"}, {"S": 8, "N": 5}, {"bag_points": "0"}, bags={"S": 7}),
    Outcome("bags-below-zero", "The bag count is kept apart from a negative score.", "duel", {"S": "6", "N": "5"},
            {"S": 7, "N": 6}, {"floor": "none"}, totals={"S": -51, "N": -9}, bags={"S": 9, "N": 8}),
    Outcome("bags-not-from-score", "The bag count is not the score's last digit.", "duel", {"S": "6", "N": "5"},
            {"S": 7, "N": 6}, totals={"S": 109, "N": 38}, bags={"S": 0, "N": 2}),
    Outcome("nil-made", "A nil that wins no trick is worth the option's points.", "duel", {"S": "nil", "N": "9"},
            {"S": 0}, low="S"),
    Outcome("nil-failed", "A nil that wins tricks costs as much, and with two players they are no bags.", "duel",
            {"S": "nil", "N": "9"}, {"S": 2}),
    Outcome("nil-failed-bags", "With failed_nil_bags=yes the tricks of a failed nil are bags.", "duel",
            {"S": "nil", "N": "9"}, {"S": 3}, {"failed_nil_bags": "yes"}, bags={"S": 8}),
    Outcome("nil-worth-fifty", "The value of a nil is an option.", "duel", {"S": "nil", "N": "3"}, {"S": 0},
            {"nil": "50"}, low="S"),
    Outcome("nil-worth-nothing", "A nil may be worth nothing either way.", "duel", {"S": "nil", "N": "3"}, {"S": 2},
            {"nil": "0"}),
    Outcome("both-nil", "Both seats may bid nil; one of them must fail.", "duel", {"S": "nil", "N": "nil"}, {"S": 1},
            low="S"),
    Outcome("zero-contract", "With nil_is_zero=no a bid of 0 is a contract: every trick is a bag, no nil is scored.",
            "duel", {"S": "0", "N": "6"}, {"S": 3}, {"nil_is_zero": "no"}),
    Outcome("nil-beside-zero", "With nil_is_zero=no a nil is still a nil.", "duel", {"S": "nil", "N": "0"}, {"S": 0},
            {"nil_is_zero": "no"}, low="S"),
    Outcome("blind-nil-made", "A blind nil that wins no trick is worth its own value.", "duel",
            {"S": "blindnil", "N": "5"}, {"S": 0}, {"blind_nil": "200"}, low="S"),
    Outcome("blind-nil-failed", "A blind nil that fails costs its own value.", "duel", {"S": "blindnil", "N": "5"},
            {"S": 4}, {"blind_nil": "250"}),
    Outcome("partners", "Partners' contracts and tricks are added: 3 and 2 with 4 and 3 tricks are 52.", "partners",
            {"N": "3", "S": "2", "E": "3", "W": "4"}, {"N": 4, "S": 3}),
    Outcome("partners-set", "A partner's tricks save nobody where the sum falls short.", "partners",
            {"N": "5", "S": "4", "E": "1", "W": "1"}, {"N": 6, "S": 2}),
    Outcome("nil-covered", "A nil beside a contract: only the partner's tricks make it.", "partners",
            {"N": "4", "S": "nil", "E": "2", "W": "2"}, {"N": 5, "S": 0}, low="S"),
    Outcome("nil-does-not-help", "A failed nil's tricks do not make the partner's contract; they are bags: -138.",
            "partners", {"N": "4", "S": "nil", "E": "2", "W": "2"}, {"N": 3, "S": 2}),
    Outcome("nil-failed-contract-made", "A failed nil's tricks are bags beside the partner's own.", "partners",
            {"N": "3", "S": "nil", "E": "2", "W": "2"}, {"N": 4, "S": 2}, bags={"NS": 8}),
    Outcome("nil-helps", "With failed_nil_helps=yes they do help to make it, and those used up are no bags.",
            "partners", {"N": "4", "S": "nil", "E": "2", "W": "2"}, {"N": 3, "S": 2}, {"failed_nil_helps": "yes"}),
    Outcome("nil-helps-in-vain", "Tricks that went into a contract which was set all the same are no bags.",
            "partners", {"N": "6", "S": "nil", "E": "2", "W": "2"}, {"N": 3, "S": 2}, {"failed_nil_helps": "yes"}),
    Outcome("partners-no-nil-bags", "With failed_nil_bags=no a failed nil's tricks are nothing with partners, too.",
            "partners", {"N": "4", "S": "nil", "E": "2", "W": "2"}, {"N": 5, "S": 2}, {"failed_nil_bags": "no"}),
    Outcome("both-partners-nil", "Two nils of a side are scored one by one, and the side has no contract.", "partners",
            {"N": "nil", "S": "nil", "E": "5", "W": "4"}, {"N": 0, "S": 1}, low="NS"),
    Outcome("both-partners-blind", "Two blind nils of a side are scored one by one, without an exchange.", "partners",
            {"N": "blindnil", "S": "blindnil", "E": "5", "W": "4"}, {"N": 1, "S": 0}, low="NS"),
    Outcome("nil-and-blind-nil", "A nil and a blind nil of one side keep their own values.", "partners",
            {"N": "blindnil", "S": "nil", "E": "5", "W": "4"}, {"N": 0, "S": 1}, {"exchange": "none"}, low="NS"),
]  # fmt: skip


def points_for(bid: int, tricks: int) -> int:
    """A side's points for a contract, by the oracle, no bags before."""
    return score_side(Table("duel"), [(str(bid), tricks)], 0).points


def add_outcomes(scenes: Scenes) -> None:
    """One hand for each way of scoring."""
    for outcome in OUTCOMES:
        story = played(outcome, outcome.totals)
        teller = Teller(story)
        teller.hello()
        teller.newgame("host")
        teller.host()
        hand = story.game().hands[0]
        sides = []
        for side in story.table.sides:
            score = hand.scores[side]
            parts = [
                f'"{part}":{getattr(score, part)}' for part in ("contract", "overtricks", "nil", "blindnil", "penalty")
            ]
            sides.append(f'"{side}":{{{",".join(parts)}}}')
        teller.say("> state", f'< state {{"last_score":{{{",".join(sides)}}}}}', "< ok")
        requires = "scores" if outcome.totals or outcome.bags else ""
        path = f"valid/scoring/{outcome.name}.txt"
        scenes[path] = transcript(outcome.title, "seat", "rules.1", teller.lines, requires)


@dataclass
class End:
    """An end of a game: how far each side's total is from the target (or the floor, with `at` floor) afterwards."""

    name: str
    title: str
    over: dict[str, int]
    at: str = "target"
    changes: dict[str, str] = field(default_factory=dict)
    further: int = 0


ENDS = [
    End("target-exactly", "A total that reaches the target exactly wins.", {"S": 0, "N": -200}),
    End("one-short-of-target", "A total one point short of the target plays on.", {"S": -1, "N": -200}, further=1),
    End("both-above-target", "With both above the target the higher total wins.", {"S": 3, "N": 4}),
    End("other-side-wins", "The side that did not lead may win.", {"S": -90, "N": 10}),
    End("tie-at-target", "Equal totals at the target play on, until they differ.", {"S": 2, "N": 2}, further=1),
    End("floor-exactly", "A total that falls to the floor exactly loses.", {"S": 0, "N": 60}, "floor"),
    End("one-above-floor", "A total one point above the floor plays on.", {"S": 1, "N": 60}, "floor", further=1),
    End("both-below-floor", "With both at or below the floor the higher total wins.", {"S": -5, "N": 0}, "floor"),
    End("tie-at-floor", "Equal totals at the floor play on.", {"S": -3, "N": -3}, "floor", further=1),
    End("no-floor", "Without a floor a total may fall as low as it likes.", {"S": -300, "N": -200}, "floor",
        {"floor": "none"}, further=1),
    End("target-and-floor", "Target before floor: one side at each, the one at the target wins.", {"S": 5, "N": -480},
        "target"),
    End("cap", "At the hand cap the higher total wins.", {"S": -30, "N": -31}, "target", {"hand_cap": "1"}),
    End("cap-draw", "At the hand cap equal totals are a draw.", {"S": -30, "N": -30}, "target", {"hand_cap": "1"}),
    End("cap-tie-at-target", "A tie at the target on the last hand is a draw.", {"S": 0, "N": 0}, "target",
        {"hand_cap": "1"}),
    End("cap-tie-at-floor", "A tie at the floor on the last hand is a draw.", {"S": -1, "N": -1}, "floor",
        {"hand_cap": "1"}),
    End("cap-and-target", "On the last hand a side at the target wins by the target.", {"S": 0, "N": -31}, "target",
        {"hand_cap": "1"}),
]  # fmt: skip


def add_ends(scenes: Scenes) -> None:
    """One game for each way of ending: the hand is always the same, the bids and the totals before it are not."""
    for end in ENDS:
        options = {"target": "200", **end.changes}
        bids, totals = fitted(end, options.get("floor", "-200"))
        outcome = Outcome("end", "", "duel", bids, END_TRICKS, options)
        story = played(outcome, totals, end.further)
        teller = Teller(story)
        teller.hello()
        teller.newgame("host")
        teller.host()
        ending = story.game().ending
        winner, reason = [f'"{word}"' for word in ending] if ending else ["null", "null"]
        teller.say("> state", f'< state {{"winner":{winner},"reason":{reason}}}', "< ok")
        scenes[f"valid/ends/{end.name}.txt"] = transcript(end.title, "seat", "rules.1", teller.lines, "scores")


def fitted(end: End, floor: str) -> tuple[dict[str, str], dict[str, int]]:
    """Bids, and totals to start from that are within the bounds, so that the totals after the hand are as wanted."""
    base = 200 if end.at == "target" else -200
    for south, north in itertools.product((5, 7, 2, 9, 13), (7, 5, 2, 6, 9, 13)):
        points = {"S": points_for(south, END_TRICKS["S"]), "N": points_for(north, END_TRICKS["N"])}
        totals = {side: base + end.over[side] - points[side] for side in ("S", "N")}
        if max(totals.values()) < 200 and (floor == "none" or min(totals.values()) > int(floor)):
            return {"S": str(south), "N": str(north)}, totals
    raise AssertionError(f"{end.name}: no bids fit")


def add_calculator(scenes: Scenes) -> None:
    """The score calculator against the oracle's arithmetic, option by option."""
    lines = ["> usp 1", "< ...", "< ok usp=1 ..."]
    for preset, bids, tricks, bags, total, changes in (
        ("draft", ["7"], [8], 0, None, {}), ("draft", ["7"], [7], 0, None, {}), ("draft", ["7"], [6], 3, None, {}),
        ("draft", ["nil"], [0], 0, None, {}), ("draft", ["nil"], [1], 9, None, {}),
        ("draft", ["blindnil"], [0], 0, 100, {}), ("draft", ["blindnil"], [2], 0, -100, {}),
        ("draft", ["1"], [13], 9, None, {}), ("draft", ["4"], [9], 6, 400, {}), ("draft", ["13"], [13], 0, None, {}),
        ("draft300", ["5"], [10], 5, None, {}), ("draft", ["3"], [7], 6, -51, {}),
        ("duel", ["4"], [13], 4, None, {"bag_limit": "5"}), ("duel", ["4"], [8], 9, None, {"bag_limit": "none"}),
        ("duel", ["4"], [8], 9, None, {"bag_penalty": "0"}), ("duel", ["4"], [8], 0, None, {"bag_points": "0"}),
        ("duel", ["nil"], [3], 8, None, {"failed_nil_bags": "yes"}), ("duel", ["nil"], [0], 0, None, {"nil": "50"}),
        ("duel", ["0"], [2], 0, None, {"nil_is_zero": "no"}),
        ("partners", ["3", "2"], [4, 3], 0, None, {}), ("partners", ["4", "nil"], [3, 2], 0, None, {}),
        ("partners", ["4", "nil"], [4, 0], 0, None, {}), ("partners", ["nil", "nil"], [0, 0], 0, None, {}),
        ("partners", ["nil", "nil"], [1, 0], 0, None, {}), ("partners", ["nil", "nil"], [1, 3], 7, None, {}),
        ("partners", ["blindnil", "blindnil"], [0, 0], 0, None, {}),
        ("partners", ["blindnil", "blindnil"], [1, 1], 0, None, {}),
        ("partners", ["blindnil", "5"], [0, 7], 9, 460, {}), ("partners", ["nil", "blindnil"], [1, 0], 0, None, {}),
        ("partners", ["4", "nil"], [3, 2], 0, None, {"failed_nil_helps": "yes"}),
        ("partners", ["6", "nil"], [3, 2], 0, None, {"failed_nil_helps": "yes"}),
        ("partners", ["4", "nil"], [5, 2], 0, None, {"failed_nil_bags": "no"}),
    ):  # fmt: skip
        table = Table(preset, changes)
        score = score_side(table, [*zip(bids, tricks, strict=True)], bags)
        words = [f"rules={preset}", f"bid={','.join(bids)}", f"tricks={','.join(map(str, tricks))}"]
        words += [f"bags={bags}"] if bags else []
        words += [f"total={total}"] if total is not None else []
        words += [f"{name}={value}" for name, value in changes.items()]
        parts = [
            f"{part}={getattr(score, part):+d}"
            for part in ("points", "contract", "overtricks", "nil", "blindnil", "penalty")
        ]
        lines.append(f"> score {' '.join(words)}")
        lines.append(f"< ok {' '.join(parts)} bags={score.bags_after} total={(total or 0) + score.points}")
    title = "The score calculator needs no game and knows every option."
    scenes["valid/scoring/calculator.txt"] = transcript(title, "seat", "rules.1", lines)


def all_scenes() -> Scenes:
    """Every transcript of this module by its path."""
    scenes: Scenes = {}
    add_outcomes(scenes)
    add_ends(scenes)
    add_calculator(scenes)
    return scenes
