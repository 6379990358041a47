"""Plays random games through `spades_engine.game` and lets the oracle object to every step of them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import cast

from spades_engine.game import (
    Action,
    Card,
    Dealer,
    Event,
    GameError,
    IllegalAction,
    Phase,
    RuleSet,
    SeedStream,
    State,
    View,
    advance,
    cards_of,
    deal,
    format_action,
    format_bid,
    format_event,
    legal_actions,
    mask_event,
    new_game,
    parse_card,
    parse_event,
    parse_seat,
)
from tests.game.oracle import (
    Game,
    Hand,
    Table,
    cards_shown,
    end_line,
    end_of_game,
    in_card_order,
    is_broken,
    masked_line,
)
from tests.game.oracle_choices import Chooser, Setup, forbidden_action, stacked_deck
from tests.game.oracle_coverage import note_end, note_hand
from tests.game.oracle_dealing import Stream, shuffled


class Disagreement(AssertionError):
    """The oracle and the engine differ; the text has everything that is needed to see it again."""


@dataclass
class Trial:
    """One game as it is being played and watched.

    `viewer` is the seat whose masked game is kept beside the full one, told event by event what that seat may see.
    """

    setup: Setup
    rng: Random
    seen: Counter[str]
    max_hands: int
    decks: list[list[str] | None] = field(default_factory=list)
    actions: list[list[str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.table = Table(self.setup.preset, self.setup.changes)
        self.rules = RuleSet.preset_named(self.setup.preset).with_options(self.setup.changes)
        self.seats = [parse_seat(text) for text in self.table.seats]
        self.viewer = self.rng.choice(self.seats)
        self.dealer = Dealer(self.rules, lambda name: SeedStream(self.setup.seed, name))
        self.lines: list[str] = []
        self.hand_start = 0
        self.now_dealing = self.dealer
        self.first = ""
        self.totals = {side: self.setup.totals.get(side, 0) for side in self.table.sides}
        self.bags = {side: self.setup.bags.get(side, 0) for side in self.table.sides}

    # Playing.

    def run(self) -> int:
        """Play until the game ends, `max_hands` at most; answers the number of hands played."""
        first = parse_seat(self.setup.first) if self.setup.first else self.dealer.first_seat()
        self.first = first.name
        self.seen["first seat from the seed"] += self.setup.first is None
        totals, bags = two(self.totals.values()), two(self.bags.values())
        self.state = new_game(self.rules, first, None, totals, bags)
        self.masked = new_game(self.rules, first, self.viewer, totals, bags)
        while len(self.decks) < self.max_hands:
            self._play_hand()
            ending = end_of_game(self.table, self.totals, len(self.decks))
            self.seen[note_end(self.table, self.totals, ending)] += 1
            if ending:
                self._expect("end line", self.lines[-1:], [end_line(self.table, self.totals, ending)])
                self._expect("phase after the end", self.state.phase, Phase.OVER)
                winner = None if ending[0] == "draw" else self.rules.parse_side(ending[0])
                self._expect("winner and reason", (self.state.winner, self.state.reason), (winner, ending[1]))
                break
            self._expect("phase after the hand", self.state.phase, Phase.DEAL)
        setup = self.setup
        told_anew = Game(self.table, setup.first, self.decks, self.actions, setup.seed, setup.totals, setup.bags)
        self._expect("the record of the game", self.lines, told_anew.lines)
        return len(self.decks)

    def _play_hand(self) -> None:
        chooser = Chooser(self.rng)
        number = len(self.decks) + 1
        deck = stacked_deck(self.table, self.rng)
        dealer = self.dealer if deck is None else self.dealer.with_deck(number, tuple(map(parse_card, deck)))
        self.seen["deck named"] += deck is not None
        self.decks.append(deck)
        self.actions.append([])
        full_deck = deck or shuffled(self.table.cards, Stream(self.setup.seed, f"deal.{number}"))
        self._expect("deck", list(map(str, dealer.deck(number))), full_deck)
        self.hand_start = len(self.lines)
        self.state, events = deal(dealer, self.state)
        self._hear(events)
        self.now_dealing = dealer
        while True:
            done = self.actions[-1]
            hand = Hand(
                self.table, number, self.first, self.totals, self.bags, full_deck, list(done), self.setup.seed,
                trusted=len(done),
            )  # fmt: skip
            self._compare_lines(hand)
            if hand.phase == "scored":
                break
            self._compare(hand)
            if self.rng.random() < 0.2:
                self._compare_more(hand)
            if self.rng.random() < 0.025:
                self._compare_views(hand)
            is_rare = hand.phase in ("swap", "bid") or len(hand.tricks) == 1
            if self.rng.random() < (0.5 if is_rare else 0.1):
                self._try_forbidden(hand)
            action = chooser.choose(hand)
            seat = parse_seat(hand.turn)
            read = parse_event(action, self.rules, seat)
            self.state, events = advance(dealer, self.state, cast(Action, read))
            self.actions[-1].append(action)
            self._hear(events)
        self._compare_scores(hand)
        note_hand(self.table, hand, self.seen)
        self.totals, self.bags = hand.totals, hand.bags
        self.first = self.table.after(self.first)

    def _hear(self, events: Sequence[Event]) -> None:
        """Take down the lines, test their masks, and tell the masked game."""
        for event in events:
            line = format_event(event, self.rules)
            self.lines.append(line)
            is_open = line.startswith(("play ", "trick "))  # so many that one seat a line will do
            for seat in self.seats if not is_open else [self.viewer]:
                shown = mask_event(event, self.rules, seat)
                self._expect(
                    f"{line} as {seat.name} sees it",
                    format_event(shown, self.rules),
                    masked_line(self.table, line, seat.name),
                )
                if seat is self.viewer:
                    self._tell_masked(shown, line)

    def _tell_masked(self, shown: Event, line: str) -> None:
        """The masked line, read again from its text, is what the masked game accepts."""
        self._expect(f"{line}, masked and read", parse_event(format_event(shown, self.rules), self.rules), shown)
        try:
            self.masked = self.masked.apply(shown)
        except GameError as error:
            self._expect(f"the masked game's answer to {line}", error.text, "accepted")

    def story(self) -> str:
        """All that leads to where the game is now."""
        return f"  {self.setup}\n  decks: {self.decks}\n  actions: {self.actions}\n  viewer: {self.viewer.name}"

    # Comparing.

    def _expect(self, what: str, engine: object, oracle: object) -> None:
        if engine != oracle:
            raise Disagreement(f"{what}\n  engine: {engine}\n  oracle: {oracle}\n{self.story()}")

    def _compare_lines(self, hand: Hand) -> None:
        lines = self.lines[self.hand_start :]
        if lines and lines[-1].startswith("end "):
            lines.pop()
        self._expect("lines", lines, hand.lines)

    def _compare(self, hand: Hand) -> None:
        """What is compared at every step."""
        state, table = self.state, self.table
        self._expect("phase", state.phase.value, hand.phase)
        self._expect("turn", state.turn is not None and state.turn.name, hand.turn)
        legal = [format_action(action, self.rules) for action in legal_actions(state)]
        self._expect("legal actions", sorted(legal), sorted(hand.legal()))
        self._expect("totals", list(state.totals), [hand.totals[side] for side in table.sides])
        self._expect("bags", list(state.bags), [hand.bags[side] for side in table.sides])
        self._expect("tricks won", [state.taken[seat] for seat in self.seats], list(hand.taken.values()))
        if table.is_drafted:
            self._expect("draw", "" if state.draw is None else str(state.draw), hand.drawn)
        if hand.phase == "play":
            self._expect("trick", [(seat.name, str(card)) for seat, card in state.trick], hand.tricks[-1])
            self._expect("trick number", state.trick_number, len(hand.winners))
            self._expect("broken", state.broken, hand.broken)

    def _compare_more(self, hand: Hand) -> None:
        """What is compared now and then."""
        state, table = self.state, self.table
        self._expect("first seat", state.first is not None and state.first.name, hand.first)
        self._expect("number, hands played", (state.number, state.hands_played), (hand.number, hand.number - 1))
        blind = [seat.name for seat in self.seats if seat in state.blind]
        self._expect("blind", blind, [seat for seat in table.seats if hand.bid_of.get(seat) == "blindnil"])
        for seat in self.seats:
            name = seat.name
            cards = in_card_order(hand.hands[name]) if table.is_drafted or has_picked_up(hand, name) else []
            self._expect(f"hand of {name}", texts(state.hands[seat]), cards)
            bid = state.bids[seat]
            self._expect(f"bid of {name}", bid and format_bid(bid), hand.bid_of.get(name))
            if hand.phase == "draft":
                self._expect(f"discards of {name}", texts(state.discards[seat]), in_card_order(hand.discards[name]))
            if hand.phase == "play":
                shown = sorted(suit.name[0] for suit in state.voids[seat])
                self._expect(f"voids of {name}", shown, voids_shown(hand, name))
        if hand.phase == "play":
            played = [card for trick in hand.tricks for _seat, card in trick]
            self._expect("played", texts(state.played), in_card_order(played))
            if hand.winners:
                last = [(seat.name, str(card)) for seat, card in state.last_trick]
                self._expect("last trick", last, hand.tricks[len(hand.winners) - 1])

    def _compare_scores(self, hand: Hand) -> None:
        state = self.state
        self._expect("totals", list(state.totals), [hand.totals[side] for side in self.table.sides])
        self._expect("bags", list(state.bags), [hand.bags[side] for side in self.table.sides])
        self._expect("hands played", state.hands_played, hand.number)
        assert state.last_score is not None
        for side, breakdown in zip(self.table.sides, state.last_score, strict=True):
            for part in ("contract", "overtricks", "nil", "blindnil", "penalty", "bags", "bags_after", "points"):
                self._expect(f"{side} {part}", getattr(breakdown, part), getattr(hand.scores[side], part))

    def _compare_views(self, hand: Hand) -> None:
        """No view knows a card that its seat has not read; every view knows its own hand; both ways to one agree."""
        self._expect("masked state", self.state.masked(self.viewer), self.masked)
        for seat in self.seats:
            masked = self.state.masked(seat)
            shown = cards_shown(self.table, hand.lines, seat.name)
            self._expect(f"cards that {seat.name} cannot know", cards_named(masked) - set(shown), set())
            own = in_card_order(hand.hands[seat.name])
            knows_own = all(card in shown for card in own)
            view = View.of(self.state, seat)
            if knows_own:
                self._expect(f"{seat.name}'s own hand", texts(view.hand), own)
            unread = [card for card in self.table.cards if card not in shown]
            self._expect(f"unseen by {seat.name}", texts(view.unseen), unread)
            for other in self.seats:
                if other is not seat:
                    held, known = hand.hands[other.name], texts(view.known[other])
                    self._expect(f"count of {other.name}", view.counts[other], len(held))
                    self._expect(
                        f"known of {other.name} to {seat.name}", [card for card in known if card not in held], []
                    )
                    possible = known + texts(view.may_hold(other))
                    ruled_out = [card for card in held if card not in possible]
                    self._expect(f"cards of {other.name} ruled out by {seat.name}", ruled_out, [])
            if seat is self.state.turn:
                legal = [format_action(action, self.rules) for action in legal_actions(masked)]
                self._expect(f"legal actions as {seat.name} sees them", sorted(legal), sorted(hand.legal()))

    # Forbidden actions.

    def _try_forbidden(self, hand: Hand) -> None:
        """An action that the oracle forbids must be refused with the reason that the oracle gives."""
        text, why = forbidden_action(self.table, hand, self.rng)
        found = "accepted"
        try:
            advance(self.now_dealing, self.state, cast(Action, parse_event(text, self.rules)))
        except IllegalAction as error:
            found = error.why
        except GameError as error:
            found = type(error).__name__
        self.seen[f"refused {why}"] += 1
        self._expect(f"the answer to {text}", found, why)


def two(numbers: Iterable[int]) -> tuple[int, int]:
    """The numbers of the two sides as the engine takes them."""
    first, second = numbers
    return first, second


def texts(mask: int) -> list[str]:
    """The cards of a set of the engine, in card order."""
    return [str(card) for card in cards_of(mask)]


def has_picked_up(hand: Hand, seat: str) -> bool:
    """Whether a seat of a dealt game has its cards in hand yet: dealt to it openly, or looked at."""
    return f" hand.{seat}=" in hand.lines[0] or any(line.startswith(f"look {seat} ") for line in hand.lines)


def voids_shown(hand: Hand, seat: str) -> list[str]:
    """The suits that a seat has shown it holds none of.

    Those led to tricks that it played another suit to; and every suit but spades where it played a spade that only a
    hand of nothing else may play: led before spades were broken, or to the first trick where that may not be ruffed.
    """
    shown: set[str] = set()
    for number, trick in enumerate(hand.tricks):
        for place, (player, card) in enumerate(trick):
            if player != seat:
                continue
            led_suit = trick[0][1][1]
            if card[1] != led_suit:
                shown.add(led_suit)
            if card[1] == "S":
                early = place == 0 and not is_broken(hand.tricks[:number])
                ruff = number == 0 and led_suit != "S"
                if (early and hand.table.is_on("lead_spades", "broken")) or (
                    ruff and hand.table.is_on("first_trick_ruff", "no")
                ):
                    shown.update("CDH")
    return sorted(shown)


def cards_named(state: State) -> set[str]:
    """Every card that a state names in any attribute, public or not: as a card, or in a set held or discarded."""
    named: set[str] = set()
    for sets in (state.hands, state.discards, state.thrown, state.picked, state.given, (state.played,)):
        for mask in sets:
            named.update(texts(mask))
    found: list[object] = [getattr(state, name) for name in attribute_names(state)]
    while found:
        item = found.pop()
        if isinstance(item, Card):
            named.add(str(item))
        elif item is None or isinstance(item, RuleSet | Enum | str | int):
            continue
        elif isinstance(item, Mapping):
            found += [*item.keys(), *item.values()]
        elif isinstance(item, tuple | list | set | frozenset):
            found += item
        else:
            found += [getattr(item, name) for name in attribute_names(item)]
    return named


def attribute_names(item: object) -> list[str]:
    """The names of what an object stores, whether in slots or in a dictionary."""
    names = list(getattr(item, "__dict__", {}))
    for kind in type(item).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        names += [slots] if isinstance(slots, str) else list(slots)
    return [name for name in names if hasattr(item, name)]
