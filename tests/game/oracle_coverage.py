"""What random games must have met before their agreement means anything: every rule, seen at work.

A count is kept under each name of `REQUIRED` from what the oracle saw, never from what the engine said.
"""

from collections import Counter

from tests.game.oracle import PRESET_NAMES, Hand, Table, is_broken, playable

ENDINGS = (
    "end target", "end target, both there", "end target, the other at the floor", "end floor", "end floor, both there",
    "end cap", "end cap, draw", "no end", "no end, equal at the target", "no end, equal at the floor",
)  # fmt: skip
REFUSALS = (
    "refused WrongSeat", "refused WrongPhase", "refused bid-range", "refused nil-off", "refused must-follow",
    "refused spades-not-broken", "refused no-first-ruff", "refused not-in-hand", "refused wrong-count",
    "refused duplicate-card", "refused not-allowed",
)  # fmt: skip
SCORING = (
    "contract made", "contract set", "contract made exactly", "contract of zero", "side without a contract",
    "nil made", "nil failed", "nil worth nothing", "blind nil made", "blind nil failed", "both partners nil",
    "both partners blind nil", "nil and blind nil in one side", "bags", "bags worth nothing", "bags never punished",
    "one penalty", "two or more penalties", "penalty of nothing", "failed nil's tricks are bags",
    "failed nil's tricks are nothing", "failed nil helped to make the contract", "failed nil helped in vain",
    "failed nil helped and left bags", "total below zero", "bags carried over a penalty",
)  # fmt: skip
BIDDING = (
    "blind nil declined", "blind nil called", "blind nil called by two", "blind nil called by three or four",
    "blind nil asked for a deficit", "blind nil not asked for want of a deficit", "zero bid as a contract",
    "contract of 13", "first bidder is the second seat", "leader is the other seat",
)  # fmt: skip
FORMING = (
    *(f"exchange with discards, {n} thrown" for n in range(5)), "exchange with discards by two",
    *(f"exchange with the partner, {n} given" for n in range(1, 5)), "exchange with the partner on both sides",
    "exchange with the partner, none as both called", "exchange, a card given came back", "kept, second card unseen",
    "kept or passed, hidden", "cards removed", "every card in play but two", "deck named", "first seat from the seed",
)  # fmt: skip
PLAY = (
    "broken by a ruff", "broken by a lead of nothing but spades", "broken by a free lead", "never broken",
    "had to follow", "might not lead spades", "might not ruff the first trick", "nothing but spades to the first trick",
    "led spades to the first trick from nothing else", "won by a spade over another suit", "won by an overruff",
    "won by the suit led over a higher card",
)  # fmt: skip
REQUIRED = (
    *(f"hands of {preset}" for preset in PRESET_NAMES), *(f"hands of {preset} as it is" for preset in PRESET_NAMES),
    *ENDINGS, *FORMING, *BIDDING, *PLAY, *SCORING, *REFUSALS,
)  # fmt: skip


def note_end(table: Table, totals: dict[str, int], ending: tuple[str, str] | None) -> str:
    """The name under which the end of a hand is counted, told by its totals and what came of them."""
    target, floor = table.amount("target"), table.number("floor")
    there = [total for total in totals.values() if total >= target]
    low = [total for total in totals.values() if floor is not None and total <= floor]
    equal = len(set(totals.values())) == 1
    if ending is None:
        if equal and there:
            return "no end, equal at the target"
        return "no end, equal at the floor" if equal and low else "no end"
    winner, reason = ending
    if reason == "target":
        if low:
            return "end target, the other at the floor"
        return "end target, both there" if len(there) == 2 else "end target"
    if reason == "floor":
        return "end floor, both there" if len(low) == 2 else "end floor"
    return "end cap, draw" if winner == "draw" else "end cap"


def note_hand(table: Table, hand: Hand, seen: Counter[str]) -> None:
    """Count what one finished hand has met."""
    names = {f"hands of {table.preset}"}
    if not table.changes:
        names.add(f"hands of {table.preset} as it is")
    _note_forming(table, hand, names)
    _note_bidding(table, hand, names)
    _note_play(table, hand, names)
    for side in table.sides:
        _note_score(table, hand, side, names)
    seen.update(names)


def _note_forming(table: Table, hand: Hand, names: set[str]) -> None:
    lines = [line.split() for line in hand.lines]
    swaps = [words for words in lines if words[0] == "swap"]
    if table.is_drafted:
        if table.is_on("peek", "unseen") and any(words[2] == "keep" for words in lines if words[0] == "draft"):
            names.add("kept, second card unseen")
        if table.is_on("draft_choice", "hidden"):
            names.add("kept or passed, hidden")
        for words in swaps:
            names.add(f"exchange with discards, {0 if words[2] == 'none' else len(words[2].split(','))} thrown")
        if len(swaps) == 2:
            names.add("exchange with discards by two")
        return
    for words, reply in zip(swaps[::2], swaps[1::2], strict=True):
        given = words[2].split(",")
        names.add(f"exchange with the partner, {len(given)} given")
        if set(given) & set(reply[2].split(",")):
            names.add("exchange, a card given came back")
    if len(swaps) == 4:
        names.add("exchange with the partner on both sides")
    if table.preset == "partners" and table.is_on("exchange", "partner") and table.amount("exchange_count") > 0:
        callers = [seat for seat, bid in hand.bid_of.items() if bid == "blindnil"]
        if any(table.partner(seat) in callers for seat in callers):
            names.add("exchange with the partner, none as both called")
    if len(table.cards) < 50:
        names.add("cards removed")
    if len(table.cards) == 28:
        names.add("every card in play but two")


def _note_bidding(table: Table, hand: Hand, names: set[str]) -> None:
    bids = list(hand.bid_of.values())
    callers = bids.count("blindnil")
    if callers:
        names.add("blind nil called")
    if callers == 2:
        names.add("blind nil called by two")
    if callers > 2:
        names.add("blind nil called by three or four")
    asked = [line.split()[1] for line in hand.lines if line.startswith("look ")]
    declined = [seat for seat in asked if hand.bid_of[seat] != "blindnil"]
    if declined:
        names.add("blind nil declined")
    if table.number("blind_nil") is not None and table.amount("blind_deficit") > 0:
        if declined or callers:
            names.add("blind nil asked for a deficit")
        if len(declined) + callers < len(table.seats):
            names.add("blind nil not asked for want of a deficit")
    if "0" in bids:
        names.add("zero bid as a contract")
    if "13" in bids:
        names.add("contract of 13")
    if table.is_on("first_bidder", "second"):
        names.add("first bidder is the second seat")
    if table.is_on("leader", "other"):
        names.add("leader is the other seat")


def _note_play(table: Table, hand: Hand, names: set[str]) -> None:
    held = {seat: [card for trick in hand.tricks for s, card in trick if s == seat] for seat in table.seats}
    for number, trick in enumerate(hand.tricks):
        before = hand.tricks[:number]
        for place, (seat, card) in enumerate(trick):
            so_far = [*before, trick[:place]]
            cards = held[seat]
            allowed = playable(table, cards, so_far)
            only_spades = all(c[1] == "S" for c in cards)
            led_suit = trick[0][1][1]
            if len(allowed) < len(cards):
                if place == 0:
                    names.add("might not lead spades")
                elif any(c[1] == led_suit for c in cards):
                    names.add("had to follow")
                else:
                    names.add("might not ruff the first trick")
            if number == 0 and only_spades:
                if place == 0:
                    names.add("led spades to the first trick from nothing else")
                elif led_suit != "S" and table.is_on("first_trick_ruff", "no"):
                    names.add("nothing but spades to the first trick")
            if card[1] == "S" and not is_broken(so_far):
                if place:
                    names.add("broken by a ruff")
                else:
                    names.add("broken by a lead of nothing but spades" if only_spades else "broken by a free lead")
            held[seat] = [c for c in cards if c != card]
        _note_trick(trick, hand.winners[number], names)
    if not is_broken(hand.tricks):
        names.add("never broken")


def _note_trick(trick: list[tuple[str, str]], winner: str, names: set[str]) -> None:
    led_suit = trick[0][1][1]
    won = next(card for seat, card in trick if seat == winner)
    spades = [card for _seat, card in trick if card[1] == "S"]
    if led_suit != "S" and won[1] == "S":
        names.add("won by a spade over another suit")
        if len(spades) > 1 and won != spades[0]:
            names.add("won by an overruff")
    if won[1] != "S" and any("23456789TJQKA".index(card[0]) > "23456789TJQKA".index(won[0]) for _seat, card in trick):
        names.add("won by the suit led over a higher card")


def _note_score(table: Table, hand: Hand, side: str, names: set[str]) -> None:
    score = hand.scores[side]
    results = [(hand.bid_of[seat], hand.taken[seat]) for seat in table.seats if seat in side]
    nils = [won for bid, won in results if bid in ("nil", "blindnil")]
    bidders = [(int(bid), won) for bid, won in results if bid not in ("nil", "blindnil")]
    goal, own, failed = sum(bid for bid, _ in bidders), sum(won for _, won in bidders), sum(nils)
    helps = table.is_on("failed_nil_helps", "yes")
    made = own + (failed if helps else 0) >= goal
    kinds = sorted(bid for bid, _ in results)
    facts = {
        "contract made": bool(bidders) and made,
        "contract made exactly": bool(bidders) and own == goal > 0,
        "contract set": bool(bidders) and not made,
        "contract of zero": bool(bidders) and goal == 0,
        "side without a contract": not bidders,
        "nil worth nothing": "nil" in kinds and table.amount("nil") == 0,
        "both partners nil": kinds == ["nil", "nil"],
        "both partners blind nil": kinds == ["blindnil", "blindnil"],
        "nil and blind nil in one side": kinds == ["blindnil", "nil"],
        "bags": score.bags > 0,
        "bags worth nothing": score.bags > 0 and table.amount("bag_points") == 0,
        "bags never punished": score.bags_after >= 10 and table.is_on("bag_limit", "none"),
        "one penalty": score.penalties == 1,
        "two or more penalties": score.penalties > 1,
        "penalty of nothing": score.penalties > 0 and score.penalty == 0,
        "bags carried over a penalty": score.penalties > 0 and score.bags_after > 0,
        "failed nil's tricks are bags": score.bags > max(own - goal, 0),
        "failed nil's tricks are nothing": failed > 0 and table.is_on("failed_nil_bags", "no"),
        "failed nil helped to make the contract": bool(bidders) and helps and made and own < goal,
        "failed nil helped and left bags": bool(bidders) and helps and made and own < goal and score.bags > 0,
        "failed nil helped in vain": bool(bidders) and helps and not made and failed > 0,
        "total below zero": hand.totals[side] < 0,
    }
    names.update(name for name, fact in facts.items() if fact)
    for bid, won in results:
        if bid in ("nil", "blindnil"):
            names.add(f"{'nil' if bid == 'nil' else 'blind nil'} {'made' if won == 0 else 'failed'}")
