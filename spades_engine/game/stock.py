"""The dealer: everything that chance decides, as a function of a seed.

`game` has no randomness of its own: a `Dealer` is given a source of named streams. `seed_streams` is the source that
the specification's section on fair dealing prescribes, so a seed means the same cards in every program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Protocol

from spades_engine.game.cards import Card, CardSet, card_set, cards_of
from spades_engine.game.errors import Hidden, IllegalAction
from spades_engine.game.events import PENDING, Action, Choose, Deal, Draw, Event, Look, Swap
from spades_engine.game.fields import Phase
from spades_engine.game.ruleset import RuleSet
from spades_engine.game.seats import Seat, format_seat
from spades_engine.game.state import State, derived_events
from spades_engine.game.steps import HAND_SIZE

_WORDS_PER_BLOCK = 8
_WORD_RANGE = 1 << 32


class Draw32(Protocol):
    """A stream of random numbers."""

    def below(self, n: int) -> int:
        """A number 0..n-1, each as likely as the others."""


Streams = Callable[[str], Draw32]
"""Gives the stream of a name ("first", "deal.1", "swap.1.S") from its start."""


class SeedStream:
    """The stream `name` of a seed: SHA-256 of "USP1:<seed>:<name>:<n>", n = 0, 1, …, as big-endian 32-bit words."""

    __slots__ = ("_block", "_prefix", "_words")

    def __init__(self, seed: str, name: str) -> None:
        self._prefix = f"USP1:{seed}:{name}:"
        self._block = 0
        self._words: list[int] = []  # of the current block, the next one last

    def _next_word(self) -> int:
        if not self._words:
            digest = sha256(f"{self._prefix}{self._block}".encode("ascii")).digest()
            self._block += 1
            self._words = [int.from_bytes(digest[4 * i : 4 * i + 4], "big") for i in range(_WORDS_PER_BLOCK)]
            self._words.reverse()
        return self._words.pop()

    def below(self, n: int) -> int:
        """A number 0..n-1 for n in 1..2**32; words that would favour small numbers are thrown away."""
        if not 1 <= n <= _WORD_RANGE:
            raise ValueError(f"{n}: a number can be drawn below 1 to 2**32")
        limit = _WORD_RANGE - _WORD_RANGE % n
        while True:
            word = self._next_word()
            if word < limit:
                return word % n


def seed_streams(seed: str) -> Streams:
    """The streams of a seed."""
    return lambda name: SeedStream(seed, name)


def commitment(seed: str) -> str:
    """The SHA-256, in hex, that commits to a seed without telling it."""
    return sha256(f"USP1:commit:{seed}".encode("ascii")).hexdigest()


def shuffled(cards: Iterable[Card], stream: Draw32) -> tuple[Card, ...]:
    """Fisher and Yates' shuffle, from the last index down; index 0 is the top card."""
    deck = list(cards)
    for i in range(len(deck) - 1, 0, -1):
        j = stream.below(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return tuple(deck)


class Dealer:
    """Deals the hands of one game. What it deals depends on the streams and the state only, never on earlier calls."""

    __slots__ = ("_decks", "_last", "_streams", "rules")

    def __init__(self, rules: RuleSet, streams: Streams) -> None:
        self.rules = rules
        self._streams = streams
        self._decks: dict[int, tuple[Card, ...]] = {}
        self._last: tuple[int, tuple[Card, ...]] = (0, ())  # the deck dealt from last: a draft asks for it 52 times

    def deck(self, number: int) -> tuple[Card, ...]:
        """The deck of hand `number`, top card first."""
        last_number, deck = self._last
        if last_number != number:
            given = self._decks.get(number)
            deck = given if given is not None else shuffled(self.rules.deck, self._streams(f"deal.{number}"))
            self._last = (number, deck)
        return deck

    def with_deck(self, number: int, cards: Iterable[Card]) -> Dealer:
        """A dealer that deals hand `number` from this deck, top card first, and everything else as before.

        Raises `IllegalAction` unless the deck has every card of the game once.
        """
        deck = tuple(cards)
        for card in deck:
            if card not in self.rules.deck:
                raise IllegalAction("card-known-elsewhere", f"deck: {card} is not a card of this game")
            if deck.count(card) > 1:
                raise IllegalAction("duplicate-card", f"deck: {card} is named twice")
        size = len(self.rules.deck)
        if len(deck) != size:
            raise IllegalAction("wrong-count", f"deck: {len(deck)} cards, this game has {size}")
        dealer = Dealer(self.rules, self._streams)
        dealer._decks = {**self._decks, number: deck}
        return dealer

    def first_seat(self) -> Seat:
        """The first seat of the first hand, drawn."""
        seats = self.rules.seats
        return seats[self._streams("first").below(len(seats))]

    def dealt_hands(self, number: int, first: Seat) -> dict[Seat, CardSet]:
        """The hands of a dealt game: one card at a time, clockwise from the first seat, 13 each."""
        deck, seat = self.deck(number), first
        hands = {}
        for offset in range(len(self.rules.seats)):
            hands[seat] = card_set(deck[offset : HAND_SIZE * len(self.rules.seats) : len(self.rules.seats)])
            seat = self.rules.next_seat(seat)
        return hands

    def next_event(self, state: State) -> Deal | Look | Draw:
        """The dealer's own event in phase DEAL, LOOK or DRAW; ValueError in the others."""
        match state.phase:
            case Phase.DEAL:
                return self._deal(state)
            case Phase.LOOK:
                assert state.turn is not None
                return self._look(state, state.turn)
            case Phase.DRAW:
                assert state.turn is not None
                deck = self.deck(state.number)
                return Draw(state.turn, deck[len(deck) - state.stock_left])
            case _:
                raise ValueError(f"phase {state.phase}: it is not for the dealer to go on")

    def _deal(self, state: State) -> Deal:
        number = state.number + 1
        first = state.first if state.first is not None else self.first_seat()
        if self.rules.is_drafted:
            return Deal(number, first)
        hands = self.dealt_hands(number, first)
        seats = [seat for seat in self.rules.seats if not state.may_call_blind(seat)]
        return Deal(number, first, tuple((seat, cards_of(hands[seat])) for seat in seats))

    def _look(self, state: State, seat: Seat) -> Look:
        assert state.first is not None
        return Look(seat, cards_of(self.dealt_hands(state.number, state.first)[seat]))

    def complete(self, state: State, action: Action) -> Action:
        """The action with its outcome, ready for `State.apply`. Raises the `GameError` that speaks against it.

        Needs a full state wherever there is an outcome.
        """
        match action:
            case Look(seat, None) if not self.rules.is_drafted:
                state.check(action)
                return self._look(state, seat)
            case Choose(seat, keep, card) if card is PENDING:
                state.check(action)
                deck = self.deck(state.number)
                return Choose(seat, keep, deck[len(deck) - state.stock_left])
            case Swap(seat, thrown, None):
                state.check(action)
                return Swap(seat, thrown, self._from_discards(state, seat, len(thrown)))
            case _:
                return action

    def _from_discards(self, state: State, seat: Seat, size: int) -> tuple[Card, ...]:
        if state.viewer is not None:
            raise Hidden("the discards of the other seat are not known to this table")
        pool = list(cards_of(state.discard_pool))
        stream = self._streams(f"swap.{state.number}.{format_seat(seat)}")
        return cards_of(card_set([pool.pop(stream.below(len(pool))) for _ in range(size)]))


def advance(dealer: Dealer, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """Apply an action, completed by the dealer, and all that follows, up to the next decision or the end of the hand.

    Gives the new state and every event in order, results included. No new hand is dealt. Raises a `GameError` for an
    action that is not legal.
    """
    return _run(dealer, state, dealer.complete(state, action))


def deal(dealer: Dealer, state: State) -> tuple[State, tuple[Event, ...]]:
    """Deal the next hand and go on to its first decision. Raises `WrongPhase` unless the state waits for a deal."""
    event = dealer.next_event(state) if state.phase is Phase.DEAL else Deal(state.number + 1, dealer.rules.seats[0])
    return _run(dealer, state, event)


def _run(dealer: Dealer, state: State, event: Event) -> tuple[State, tuple[Event, ...]]:
    after = state.apply(event)
    events = [event, *derived_events(state, event, after)]
    while after.phase is Phase.DRAW or after.phase is Phase.LOOK:
        chance = dealer.next_event(after)
        after = after.apply(chance)
        events.append(chance)
    return after, tuple(events)
