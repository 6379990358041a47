"""What the random games are made of: rules, decks, actions, and actions that the rules forbid."""

from dataclasses import dataclass, field
from random import Random

from tests.game.oracle import ALL_CARDS, PRESET_NAMES, SUITS, Hand, Table, end_of_game, list_text, text_list, why_not

# For each option, values for random games: the table's edges and what makes its effect frequent.
VALUES = {
    "target": "50 50 60 80 120 200 5000",
    "floor": "none -1 -10 -30 -50 -200 -5000",
    "bag_limit": "none 1 2 3 5 10 20",
    "bag_penalty": "0 1 50 100 1000",
    "bag_points": "0 1",
    "nil": "off 0 20 50 100 1000",
    "blind_nil": "off 0 30 100 200 1000",
    "blind_deficit": "0 0 1 20 100 5000",
    "exchange": "none discards partner",
    "exchange_count": "0 1 2 3 4",
    "failed_nil_bags": "yes no",
    "failed_nil_helps": "yes no",
    "peek": "seen unseen",
    "draft_choice": "public hidden",
    "first_bidder": "first second",
    "leader": "bidder other",
    "lead_spades": "broken anytime",
    "first_trick_ruff": "yes no",
    "hand_cap": "1 2 3 5 8 200 1000",
    "min_bid": "0 1 2 3 4",
    "nil_is_zero": "yes no",
}
DRAFT_ONLY = ("peek", "draft_choice")
PARTNERS_ONLY = ("failed_nil_helps",)


@dataclass
class Setup:
    """How a game begins. `first` None leaves the first seat to the seed; totals and bags are by side, 0 if left out."""

    preset: str
    changes: dict[str, str]
    first: str | None
    seed: str
    totals: dict[str, int] = field(default_factory=dict)
    bags: dict[str, int] = field(default_factory=dict)


def random_setup(rng: Random) -> Setup:
    """Any preset, as it is, with a small target, or with a random handful or most of its options changed."""
    preset = rng.choice(PRESET_NAMES)
    kind = rng.choice([0, 1, 1, 2, 2, 2, 3, 3, 3, 3])
    changes: dict[str, str] = {}
    if kind == 1:
        changes = {"target": "50", "bag_points": rng.choice("01")}
    elif kind > 1:
        share = 0.2 if kind == 2 else 0.8
        changes = {name: rng.choice(values.split()) for name, values in VALUES.items() if rng.random() < share}
        if preset == "duel" and rng.random() < share:
            changes["removed"] = list_text(rng.sample(ALL_CARDS, rng.choice([1, 2, 5, 12, 20, 24])))
    drafted, partners = preset in ("draft", "draft300"), preset == "partners"
    form = "discards" if drafted else "partner" if partners else "none"
    if changes.get("exchange") not in (None, "none", form):
        del changes["exchange"]
    for names, fit in ((DRAFT_ONLY, drafted), (PARTNERS_ONLY, partners)):
        for name in names:
            if not fit:
                changes.pop(name, None)
    table = Table(preset, changes)
    setup = Setup(preset, changes, rng.choice([None, *table.seats]), f"{rng.randrange(10**12)}")
    if rng.random() < 0.5:
        _start_late(setup, table, rng)
    return setup


def _start_late(setup: Setup, table: Table, rng: Random) -> None:
    """Let the game begin near its end: just below the target or above the floor, as often as not with equal totals."""
    target, floor, limit = table.amount("target"), table.number("floor"), table.number("bag_limit")
    near = [target - rng.randrange(1, 60), target - rng.randrange(1, 60), rng.randrange(-300, 300)]
    if floor is not None:
        near.append(floor + rng.randrange(1, 60))
    one, two = rng.choice(near), rng.choice(near)
    totals = dict(zip(table.sides, (one, two if rng.random() < 0.5 else one), strict=True))
    if end_of_game(table, totals, 0) is None and max(totals.values()) < target:
        setup.totals = totals
    setup.bags = {side: rng.randrange(20 if limit is None else limit) for side in table.sides}


def stacked_deck(table: Table, rng: Random) -> list[str] | None:
    """Mostly None, for the seed's own deck; now and then one that deals long suits, up to thirteen of one."""
    if rng.random() < 0.9:
        return None
    suits = rng.sample(SUITS, 4)
    noise = rng.choice([0.0, 0.4, 0.8, 1.5])
    weight = {card: suits.index(card[1]) + noise * rng.random() for card in table.cards}
    cards = sorted(table.cards, key=lambda card: weight[card])
    players = len(table.seats)
    if table.is_drafted:
        return cards
    return [cards[13 * i + k] for k in range(13) for i in range(players)] + cards[13 * players :]


class Chooser:
    """Chooses among legal actions, at random but with a leaning that changes from hand to hand."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.call_share = rng.choice([0.02, 0.02, 0.1, 0.3, 0.6, 0.9])
        self.bidding = rng.choice(["low", "low", "fair", "any", "same"])
        self.nil_share = rng.choice([0.0, 0.0, 0.1, 0.4])
        self.playing = rng.choice(["any", "duck", "mixed"])
        self.same = rng.choice(["1", "2", "3", "5", "6"])

    def choose(self, hand: Hand) -> str:
        """One of the legal actions of the seat to act."""
        legal = hand.legal()
        choices = legal
        if hand.phase == "blind":
            choices = ["bid blindnil" if self.rng.random() < self.call_share else "look"]
        elif hand.phase == "swap":
            size = len(text_list(self.rng.choice([legal[0], legal[len(legal) // 8], legal[-1]])[5:]))
            choices = [action for action in legal if len(text_list(action[5:])) == size]
        elif hand.phase == "bid":
            choices = self._bids(hand, legal)
        elif hand.phase == "play":
            choices = self._cards(hand, legal)
        return self.rng.choice(choices)

    def _bids(self, hand: Hand, legal: list[str]) -> list[str]:
        if "bid nil" in legal and self.rng.random() < self.nil_share:
            return ["bid nil"]
        contracts = [action for action in legal if action != "bid nil"]
        if self.bidding == "same":
            return ["bid " + self.same] if "bid " + self.same in contracts else contracts[:1]
        if self.bidding == "low":
            return contracts[:3]
        if self.bidding == "fair":
            middle = 13 // len(hand.table.seats)
            return [action for action in contracts if abs(int(action[4:]) - middle) <= 2]
        return contracts

    def _cards(self, hand: Hand, legal: list[str]) -> list[str]:
        style = self.playing if self.playing != "mixed" else self.rng.choice(["any", "duck"])
        if style == "duck" and hand.bid_of[hand.turn] in ("nil", "blindnil"):
            trick = hand.tricks[-1]
            low = [action for action in legal if action[6] != "S"] or legal
            if trick:  # throw what cannot win: off suit first, then low cards
                low = [action for action in low if action[6] != trick[0][1][1]] or low
            return low[:1]
        return legal


def forbidden_action(table: Table, hand: Hand, rng: Random) -> tuple[str, str]:
    """A record line that must be refused here and what it is refused with, a `why` or an error's class."""
    seat, legal = hand.turn, hand.legal()
    if rng.random() < 0.2:
        return f"{_with_seat(rng.choice(legal), table.after(seat))}", "WrongSeat"
    if hand.phase in ("blind", "draft"):
        return rng.choice([(f"play {seat} {rng.choice(ALL_CARDS)}", "WrongPhase"), (f"bid {seat} 4", "WrongPhase")])
    if hand.phase == "bid":
        if "bid nil" not in legal and rng.random() < 0.5:
            return f"bid {seat} nil", "nil-off"
        if rng.random() < 0.2:
            return f"bid {seat} blindnil", "nil-off" if table.number("blind_nil") is None else "not-allowed"
        small = [str(n) for n in range(1, 14) if f"bid {n}" not in legal]
        return rng.choice([(f"bid {seat} {n}", "bid-range") for n in (*small, "14", "99")])
    if hand.phase == "swap":
        return _forbidden_swap(table, hand, rng)
    held = [card for card in hand.hands[seat] if f"play {card}" not in legal]
    card = rng.choice(held or [card for card in table.cards if card not in hand.hands[seat]])
    return f"play {seat} {card}", why_not(table, hand.hands[seat], hand.tricks, card)


def _forbidden_swap(table: Table, hand: Hand, rng: Random) -> tuple[str, str]:
    seat, count = hand.turn, table.amount("exchange_count")
    held = hand.hands[seat]
    kind = rng.choice(["many", "twice", "foreign"])
    if kind == "many":
        return f"swap {seat} {list_text(rng.sample(held, count + 1))}", "wrong-count"
    if kind == "twice" and count > 1:
        cards = rng.sample(held, count - 1)
        return f"swap {seat} {list_text([*cards, cards[0]])}", "duplicate-card"
    foreign = rng.choice([card for card in table.cards if card not in held])
    return f"swap {seat} {list_text([*rng.sample(held, count - 1), foreign])}", "not-in-hand"


def _with_seat(action: str, seat: str) -> str:
    word, _, rest = action.partition(" ")
    return f"{word} {seat} {rest}".strip()
