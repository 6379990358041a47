"""A second, deliberately naive implementation of the rules, written from SPEC.md Part I alone.

It exists to disagree with `spades_engine.game` if either of the two is wrong, so it shares no code and no idea with it:
cards, seats, bids and actions are strings, sets are lists, and a hand is told as a story from its deck to its score.
The story is told again from the beginning for every question, taking the decisions from a list of texts, and breaks
off where the list ends: that is the position asked about. Nothing is remembered between two questions.

An action is the record line of SPEC.md section 9 without its seat and without what the dealer adds to it: `look`,
`bid blindnil`, `draft keep`, `swap 2C,9H`, `swap none`, `bid 4`, `bid nil`, `play AS`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations

from tests.game.oracle_dealing import Stream, shuffled

RANKS = "23456789TJQKA"
SUITS = "CDHS"
ALL_CARDS = [rank + suit for suit in SUITS for rank in RANKS]

# Section 8, column by column: name, draft, draft300, partners, duel.
OPTION_TABLE = """
target             500        300     500      500
floor              none       none    none     -200
bag_limit          10         10      10       10
bag_penalty        100        100     100      100
bag_points         1          1       1        1
nil                100        100     100      100
blind_nil          200        off     200      off
blind_deficit      0          0       0        0
exchange           discards   none    partner  none
exchange_count     3          0       3        0
failed_nil_bags    no         no      yes      no
failed_nil_helps   no         no      no       no
peek               seen       seen    seen     seen
draft_choice       public     public  public   public
first_bidder       second     first   first    first
leader             bidder     bidder  bidder   bidder
lead_spades        broken     broken  broken   broken
first_trick_ruff   yes        yes     yes      yes
removed            none       none    none     2C,2D
hand_cap           200        200     200      200
min_bid            0          0       0        0
nil_is_zero        yes        yes     yes      yes
"""
PRESET_NAMES = ["draft", "draft300", "partners", "duel"]


class OracleError(Exception):
    """An action of the list is not legal where it stands; the text says which and where."""


class Waiting(Exception):
    """The story needs a decision that the list of actions does not hold."""


def preset_options(preset: str) -> dict[str, str]:
    """Every option of a preset with its value as text."""
    column = 1 + PRESET_NAMES.index(preset)
    rows = [line.split() for line in OPTION_TABLE.strip().splitlines()]
    return {row[0]: row[column] for row in rows}


def in_card_order(cards: list[str]) -> list[str]:
    """The same cards, clubs to spades and each suit from the deuce up."""
    return sorted(cards, key=ALL_CARDS.index)


def list_text(cards: list[str]) -> str:
    """The cards as one word, in the order given; `none` if there are none."""
    return ",".join(cards) if cards else "none"


def text_list(text: str) -> list[str]:
    """The reverse of `list_text`."""
    return [] if text == "none" else text.split(",")


# The table: everything that the options say, in the words of the rules.


@dataclass
class Table:
    """The rules of one game: a preset's name and the options that differ from it, all as text."""

    preset: str
    changes: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.options = {**preset_options(self.preset), **self.changes}
        self.seats = ["N", "E", "S", "W"] if self.preset == "partners" else ["S", "N"]
        self.sides = ["NS", "EW"] if self.preset == "partners" else ["S", "N"]
        self.is_drafted = self.preset in ("draft", "draft300")
        gone = text_list(self.options["removed"])
        self.cards = [card for card in ALL_CARDS if card not in gone]
        twice = self.seats * 2
        self._clockwise = {seat: twice[i : i + len(self.seats)] for i, seat in enumerate(self.seats)}

    def number(self, name: str) -> int | None:
        """An option that is a number, None where it is `none` or `off`."""
        text = self.options[name]
        return None if text in ("none", "off") else int(text)

    def amount(self, name: str) -> int:
        """An option that is always a number."""
        return int(self.options[name])

    def is_on(self, name: str, value: str) -> bool:
        """Whether the option has this value."""
        return self.options[name] == value

    def after(self, seat: str) -> str:
        """The next seat clockwise."""
        return self._clockwise[seat][1]

    def clockwise_from(self, seat: str) -> list[str]:
        """All seats, beginning with this one."""
        return self._clockwise[seat]

    def side_of(self, seat: str) -> str:
        """The side that a seat belongs to."""
        return next(side for side in self.sides if seat in side)

    def other_side(self, side: str) -> str:
        """The side that is not this one."""
        return self.sides[1 - self.sides.index(side)]

    def partner(self, seat: str) -> str:
        """The other seat of a partnership."""
        return self.after(self.after(seat))

    def bidding_order(self, first: str) -> list[str]:
        """Who bids, from the first bidder on."""
        starter = first if self.is_on("first_bidder", "first") else self.after(first)
        return self.clockwise_from(starter)

    def first_leader(self, first: str) -> str:
        """Who leads the first trick."""
        bidder = self.bidding_order(first)[0]
        return bidder if self.is_on("leader", "bidder") else self.after(bidder)

    def bids(self) -> list[str]:
        """What may be bid in turn."""
        numbers = [n for n in range(14) if n >= self.amount("min_bid")]
        if self.is_on("nil_is_zero", "yes"):
            numbers = [n for n in numbers if n != 0]
        nil = [] if self.is_on("nil", "off") else ["nil"]
        return nil + [str(n) for n in numbers]


# Play.


def strength(card: str, led_suit: str) -> int:
    """How high a card counts in a trick: spades over the suit led over the rest, which counts nothing."""
    if card[1] == "S":
        return 100 + RANKS.index(card[0])
    if card[1] == led_suit:
        return 1 + RANKS.index(card[0])
    return 0


def trick_winner(trick: list[tuple[str, str]]) -> str:
    """The seat that wins a complete trick, given as (seat, card) in the order played."""
    led_suit = trick[0][1][1]
    return max(trick, key=lambda play: strength(play[1], led_suit))[0]


def is_broken(tricks: list[list[tuple[str, str]]]) -> bool:
    """Whether a spade was led, or played to a trick led with another suit, in these tricks. The last may be unfinished.

    A spade that follows a spade adds nothing, since the spade led has broken them already: any spade at all will do.
    """
    for trick in tricks:
        for _seat, card in trick:
            if card[1] == "S":
                return True
    return False


def playable(table: Table, hand: list[str], tricks: list[list[tuple[str, str]]]) -> list[str]:
    """The cards of the hand that may be played; `tricks` ends with the trick in progress, empty if a lead is due."""
    trick = tricks[-1]
    only_spades = all(card[1] == "S" for card in hand)
    if not trick:
        if table.is_on("lead_spades", "anytime") or only_spades or is_broken(tricks):
            return list(hand)
        return [card for card in hand if card[1] != "S"]
    led_suit = trick[0][1][1]
    following = [card for card in hand if card[1] == led_suit]
    if following:
        return following
    if len(tricks) == 1 and table.is_on("first_trick_ruff", "no") and not only_spades:
        return [card for card in hand if card[1] != "S"]
    return list(hand)


def why_not(table: Table, hand: list[str], tricks: list[list[tuple[str, str]]], card: str) -> str:
    """The word for the rule that forbids a card, empty if it may be played."""
    if card not in hand:
        return "not-in-hand"
    if card in playable(table, hand, tricks):
        return ""
    if not tricks[-1]:
        return "spades-not-broken"
    led_suit = tricks[-1][0][1][1]
    return "must-follow" if any(held[1] == led_suit for held in hand) else "no-first-ruff"


# Scoring.


@dataclass
class SideScore:
    """One side's score for one hand: the five parts, the bags won and the running count after penalties."""

    contract: int = 0
    overtricks: int = 0
    nil: int = 0
    blindnil: int = 0
    penalty: int = 0
    bags: int = 0
    bags_after: int = 0
    penalties: int = 0

    @property
    def points(self) -> int:
        """The sum of the five parts."""
        return self.contract + self.overtricks + self.nil + self.blindnil + self.penalty


def score_side(table: Table, results: list[tuple[str, int]], bags_before: int) -> SideScore:
    """Score one side from the (bid, tricks won) of each of its seats and its bags before the hand."""
    score = SideScore()
    bidders = [(int(bid), won) for bid, won in results if bid not in ("nil", "blindnil")]
    nils = [(bid, won) for bid, won in results if bid in ("nil", "blindnil")]
    for bid, won in nils:
        worth = table.amount("nil" if bid == "nil" else "blind_nil")
        change = worth if won == 0 else -worth
        if bid == "nil":
            score.nil += change
        else:
            score.blindnil += change

    # One by one, every trick of the side finds its use: towards the contract, as a bag, or as nothing.
    goal = sum(bid for bid, _won in bidders)
    own = sum(won for _bid, won in bidders)
    failed = sum(won for _bid, won in nils)
    helpers = failed if bidders and table.is_on("failed_nil_helps", "yes") else 0
    made = own + helpers >= goal
    if bidders:
        score.contract = 10 * goal if made else -10 * goal
    if made:
        missing = goal
        for _trick in range(own):
            if missing > 0:
                missing -= 1
            else:
                score.bags += 1
        for _trick in range(failed):
            if missing > 0:
                missing -= 1
            elif table.is_on("failed_nil_bags", "yes"):
                score.bags += 1
    elif helpers == 0 and table.is_on("failed_nil_bags", "yes"):
        score.bags += failed
    score.overtricks = score.bags * table.amount("bag_points")

    score.bags_after = bags_before + score.bags
    limit = table.number("bag_limit")
    while limit is not None and score.bags_after >= limit:
        score.bags_after -= limit
        score.penalties += 1
        score.penalty -= table.amount("bag_penalty")
    return score


def end_of_game(table: Table, totals: dict[str, int], hands_played: int) -> tuple[str, str] | None:
    """(winner or `draw`, reason) if the game is over, else None."""
    one, two = table.sides
    high = max(totals.values())
    low = min(totals.values())
    leader = one if totals[one] > totals[two] else two
    floor = table.number("floor")
    if high >= table.amount("target"):
        if high != low:
            return leader, "target"
    elif floor is not None and low <= floor and high != low:
        return leader, "floor"
    if hands_played >= table.amount("hand_cap"):
        return (leader if high != low else "draw"), "cap"
    return None


# A hand, told as a story.


@dataclass
class Hand:
    """One hand, told from its deck and its actions as far as those go.

    `lines` are the record lines so far, nothing hidden. `phase` is blind, draft, swap, bid or play and `turn` the seat
    to act; when the hand is over `phase` is `scored` and `scores` holds every side's score.
    """

    table: Table
    number: int
    first: str
    totals: dict[str, int]
    bags: dict[str, int]
    deck: list[str]
    actions: list[str]
    seed: str = "0"
    trusted: int = 0  # so many of the first actions are known to be legal and not tested again

    def __post_init__(self) -> None:
        seats = self.table.seats
        self.lines: list[str] = []
        self.used = 0
        self.phase = ""
        self.turn = ""
        self.hands: dict[str, list[str]] = {seat: [] for seat in seats}
        self.discards: dict[str, list[str]] = {seat: [] for seat in seats}
        self.bid_of: dict[str, str] = {}
        self.taken: dict[str, int] = dict.fromkeys(seats, 0)
        self.tricks: list[list[tuple[str, str]]] = []
        self.winners: list[str] = []
        self.drawn = ""
        self.scores: dict[str, SideScore] = {}
        self._legal: Callable[[], list[str]] = list
        try:
            self._tell()
            self.phase = "scored"
            self.turn = ""
        except Waiting:
            pass
        if self.used < len(self.actions):
            raise OracleError(f"hand {self.number}: {len(self.actions) - self.used} actions too many")

    def legal(self) -> list[str]:
        """The legal actions of the seat to act, as text; none when the hand is over."""
        return [] if self.phase == "scored" else self._legal()

    @property
    def broken(self) -> bool:
        """Whether spades are broken."""
        return is_broken(self.tricks)

    def _ask(self, phase: str, seat: str, legal: Callable[[], list[str]]) -> str:
        if self.used == len(self.actions):
            self.phase, self.turn, self._legal = phase, seat, legal
            raise Waiting
        action = self.actions[self.used]
        if self.used >= self.trusted and action not in legal():
            raise OracleError(f"hand {self.number}, action {self.used}: {seat} may not {action}")
        self.used += 1
        return action

    def _tell(self) -> None:
        self._deal()
        if self.table.is_drafted:
            self._draft()
            self._exchange_with_discards()
            self._bidding()
        else:
            self._bidding()
            self._exchange_with_partner()
        self._play()
        self._score()

    def _may_call_blind(self, seat: str) -> bool:
        if self.table.number("blind_nil") is None:
            return False
        side = self.table.side_of(seat)
        behind = self.totals[self.table.other_side(side)] - self.totals[side]
        deficit = self.table.amount("blind_deficit")
        return deficit == 0 or behind >= deficit

    def _deal(self) -> None:
        line = f"deal {self.number} first={self.first}"
        if not self.table.is_drafted:
            order = self.table.clockwise_from(self.first)
            for k in range(13 * len(order)):
                self.hands[order[k % len(order)]].append(self.deck[k])
            for seat in self.table.seats:
                if not self._may_call_blind(seat):
                    line += f" hand.{seat}={list_text(in_card_order(self.hands[seat]))}"
        self.lines.append(line)

    def _calls_blind(self, seat: str) -> bool:
        if not self._may_call_blind(seat):
            return False
        call = self._ask("blind", seat, lambda: ["look", "bid blindnil"])
        cards = "" if self.table.is_drafted else " " + list_text(in_card_order(self.hands[seat]))
        if call == "look":
            self.lines.append(f"look {seat}{cards}")
            return False
        self.bid_of[seat] = "blindnil"
        self.lines.append(f"bid {seat} blindnil")
        if cards:
            self.lines.append(f"look {seat}{cards}")
        return True

    def _draft(self) -> None:
        order = self.table.clockwise_from(self.first)
        for turn in range(26):
            seat = order[turn % 2]
            if turn < 2:
                self._calls_blind(seat)
            self.drawn = self.deck[2 * turn]
            following = self.deck[2 * turn + 1]
            self.lines.append(f"draft {seat} draw {self.drawn}")
            choice = self._ask("draft", seat, lambda: ["draft keep", "draft pass"])
            kept, thrown = (self.drawn, following) if choice == "draft keep" else (following, self.drawn)
            self.hands[seat].append(kept)
            self.discards[seat].append(thrown)
            self.lines.append(f"draft {seat} {choice[6:]} {following}")
            self.drawn = ""

    def _exchange_with_discards(self) -> None:
        count = self.table.amount("exchange_count")
        if not self.table.is_on("exchange", "discards") or count == 0:
            return
        pool = [card for seat in self.table.seats for card in self.discards[seat]]
        for seat in self.table.bidding_order(self.first):
            if self.bid_of.get(seat) != "blindnil":
                continue
            hand = in_card_order(self.hands[seat])

            def choices(hand: list[str] = hand) -> list[str]:
                return ["swap " + list_text(list(some)) for n in range(count + 1) for some in combinations(hand, n)]

            thrown = text_list(self._ask("swap", seat, choices).split()[1])
            stream = Stream(self.seed, f"swap.{self.number}.{seat}")
            taken: list[str] = []
            for _card in thrown:
                pool = in_card_order(pool)
                taken.append(pool.pop(stream.below(len(pool))))
            self.hands[seat] = [card for card in hand if card not in thrown] + taken
            self.lines.append(f"swap {seat} {list_text(thrown)} {list_text(in_card_order(taken))}")

    def _exchange_with_partner(self) -> None:
        count = self.table.amount("exchange_count")
        if not self.table.is_on("exchange", "partner") or count == 0:
            return
        for caller in self.table.bidding_order(self.first):
            partner = self.table.partner(caller)
            if self.bid_of[caller] != "blindnil" or self.bid_of[partner] == "blindnil":
                continue
            for giver, receiver in ((caller, partner), (partner, caller)):
                hand = in_card_order(self.hands[giver])

                def choices(hand: list[str] = hand) -> list[str]:
                    return ["swap " + list_text(list(some)) for some in combinations(hand, count)]

                given = text_list(self._ask("swap", giver, choices).split()[1])
                self.hands[giver] = [card for card in hand if card not in given]
                self.hands[receiver] = self.hands[receiver] + given
                self.lines.append(f"swap {giver} {list_text(given)}")

    def _bidding(self) -> None:
        for seat in self.table.bidding_order(self.first):
            if self.table.is_drafted:
                if seat in self.bid_of:
                    continue
            elif self._calls_blind(seat):
                continue
            self.bid_of[seat] = self._ask("bid", seat, lambda: ["bid " + bid for bid in self.table.bids()])[4:]
            self.lines.append(f"bid {seat} {self.bid_of[seat]}")

    def _play(self) -> None:
        leader = self.table.first_leader(self.first)
        for _number in range(13):
            trick: list[tuple[str, str]] = []
            self.tricks.append(trick)
            for seat in self.table.clockwise_from(leader):

                def choices(seat: str = seat) -> list[str]:
                    return ["play " + card for card in playable(self.table, self.hands[seat], self.tricks)]

                card = self._ask("play", seat, choices)[5:]
                self.hands[seat].remove(card)
                trick.append((seat, card))
                self.lines.append(f"play {seat} {card}")
            leader = trick_winner(trick)
            self.winners.append(leader)
            self.taken[leader] += 1
            self.lines.append(f"trick {leader}")

    def _score(self) -> None:
        sides = self.table.sides
        for side in sides:
            results = [(self.bid_of[seat], self.taken[seat]) for seat in self.table.seats if seat in side]
            self.scores[side] = score_side(self.table, results, self.bags[side])
        self.bags = {side: self.scores[side].bags_after for side in sides}
        self.totals = {side: self.totals[side] + self.scores[side].points for side in sides}
        words = ["score"]
        words += [f"{side}={self.scores[side].points:+d}" for side in sides]
        words += [f"bags.{side}={self.bags[side]}" for side in sides]
        words += [f"total.{side}={self.totals[side]}" for side in sides]
        self.lines.append(" ".join(words))


# A game, hand after hand.


@dataclass
class Game:
    """A whole game, replayed from nothing but its rules, its first seat, its decks and its actions.

    `decks` holds each hand's deck, top first, and `actions` each hand's actions; the last hand may be unfinished. A
    deck given as None is the one of the seed. `first` None draws the first seat from the seed. `totals` and `bags` are
    those to start from, 0 where a side is left out.
    """

    table: Table
    first: str | None
    decks: list[list[str] | None]
    actions: list[list[str]]
    seed: str = "0"
    totals: dict[str, int] = field(default_factory=dict)
    bags: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        table = self.table
        if self.first is None:
            self.first = table.seats[Stream(self.seed, "first").below(len(table.seats))]
        self.next_first = self.first
        self.totals = {side: self.totals.get(side, 0) for side in table.sides}
        self.bags = {side: self.bags.get(side, 0) for side in table.sides}
        self.hands: list[Hand] = []
        self.lines: list[str] = []
        self.ending: tuple[str, str] | None = None
        for number, (given, actions) in enumerate(zip(self.decks, self.actions, strict=True), start=1):
            if self.ending or any(hand.phase != "scored" for hand in self.hands):
                raise OracleError(f"hand {number} cannot begin")
            deck = given or shuffled(table.cards, Stream(self.seed, f"deal.{number}"))
            hand = Hand(table, number, self.next_first, self.totals, self.bags, deck, actions, self.seed)
            self.hands.append(hand)
            self.lines += hand.lines
            if hand.phase == "scored":
                self.totals, self.bags = hand.totals, hand.bags
                self.next_first = table.after(self.next_first)
                self.ending = end_of_game(table, self.totals, number)
                if self.ending:
                    self.lines.append(end_line(table, self.totals, self.ending))


def end_line(table: Table, totals: dict[str, int], ending: tuple[str, str]) -> str:
    """The record line of the end of a game."""
    words = [f"end winner={ending[0]} reason={ending[1]}"] + [f"total.{side}={totals[side]}" for side in table.sides]
    return " ".join(words)


# Who sees what.


def masked_line(table: Table, line: str, viewer: str) -> str:
    """A record line as one seat is shown it."""
    words = line.split()
    seat = words[1] if len(words) > 1 else ""
    if words[0] == "deal":
        for i, word in enumerate(words):
            if word.startswith("hand.") and not word.startswith(f"hand.{viewer}="):
                words[i] = word[:7] + list_text(["??"] * 13)
    elif words[0] == "look" and seat != viewer and len(words) == 3:
        words[2] = list_text(["??"] * 13)
    elif words[0] == "draft" and seat != viewer:
        words[3] = "??"
        if words[2] != "draw" and table.is_on("draft_choice", "hidden"):
            words[2] = "??"
    elif words[0] == "draft" and words[2] == "keep" and table.is_on("peek", "unseen"):
        words[3] = "??"
    elif words[0] == "swap" and seat != viewer and (table.is_drafted or viewer != table.partner(seat)):
        words[2:] = [list_text(["??"] * len(text_list(word))) for word in words[2:]]
    return " ".join(words)


def cards_shown(table: Table, lines: list[str], viewer: str) -> list[str]:
    """Every card whose name a seat has read in the lines of a hand, in the order read."""
    shown: list[str] = []
    for line in lines:
        for word in masked_line(table, line, viewer).split()[1:]:
            for text in word.split("=")[-1].split(","):
                if text in ALL_CARDS and text not in shown:
                    shown.append(text)
    return shown


# Counting.


def perft(hand: Hand, depth: int) -> int:
    """The number of ways to go on by `depth` decisions, or to the end of the hand where that comes sooner."""
    if depth == 0 or hand.phase == "scored":
        return 1
    legal = hand.legal()
    if depth == 1:
        return len(legal)
    total = 0
    for action in legal:
        actions = [*hand.actions, action]
        further = Hand(
            hand.table, hand.number, hand.first, dict(hand.totals), dict(hand.bags), hand.deck, actions, hand.seed,
            trusted=len(actions),
        )  # fmt: skip
        total += perft(further, depth - 1)
    return total
