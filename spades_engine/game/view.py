"""What one seat knows: the only thing that a choice may be made from."""

from __future__ import annotations

from typing import Any

from spades_engine.game.bids import Bid
from spades_engine.game.cards import EMPTY, Card, CardSet, Suit
from spades_engine.game.events import Action, Step
from spades_engine.game.fields import Phase
from spades_engine.game.legal import legal_actions
from spades_engine.game.ruleset import RuleSet
from spades_engine.game.scoring import Breakdown
from spades_engine.game.seats import Seat, Side
from spades_engine.game.state import State
from spades_engine.game.trick import Trick


class View:
    """One seat's knowledge. It holds a masked state and nothing else, so nothing hidden can be read from it.

    `View.of(state, seat)` masks a full state first. Tuples by seat are as in `State`.
    """

    __slots__ = ("seat", "state")

    state: State
    seat: Seat

    def __init__(self, state: State, seat: Seat) -> None:
        if state.viewer is not seat:
            raise ValueError(f"a view of {seat.name} is made from the state masked for {seat.name}")
        object.__setattr__(self, "state", state)
        object.__setattr__(self, "seat", seat)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name}: a View never changes")

    @staticmethod
    def of(state: State, seat: Seat) -> View:
        """The view of `seat` on a full state, or on its own masked one. Raises `Hidden` for another seat's state."""
        return View(state.masked(seat), seat)

    def __eq__(self, other: object) -> bool:
        return self.state == other.state if isinstance(other, View) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.state)

    def __repr__(self) -> str:
        return f"<View of {self.seat.name}: {self.state!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return View, (self.state, self.seat)

    @property
    def rules(self) -> RuleSet:
        """The rules of the game."""
        return self.state.rules

    @property
    def side(self) -> Side:
        """The side that the seat plays for."""
        return self.state.rules.side_of(self.seat)

    @property
    def partner(self) -> Seat | None:
        """The seat opposite, None with two players."""
        return self.state.rules.partner(self.seat)

    @property
    def phase(self) -> Phase:
        """What the table waits for."""
        return self.state.phase

    @property
    def turn(self) -> Seat | None:
        """The seat concerned by the phase."""
        return self.state.turn

    @property
    def hand(self) -> CardSet:
        """The seat's own cards; empty before it has looked at them."""
        return self.state.hands[self.seat]

    @property
    def draw(self) -> Card | None:
        """The card of the stock that the seat is looking at."""
        return self.state.draw

    @property
    def discards(self) -> CardSet:
        """What the seat discarded in the draft and has seen, also cards that came back in an exchange."""
        return self.state.discards[self.seat]

    @property
    def unseen(self) -> CardSet:
        """The cards of the deck that the seat cannot place: in hidden hands, in discards it did not see, in the stock
        or left over. Its own discards are placed here even if an opponent may since have taken some: `may_hold`.
        """
        return self.state.unplaced

    def may_hold(self, seat: Seat) -> CardSet:
        """The cards that may be among the hidden ones of another seat: unseen cards of suits not shown void, and own
        discards that it may have taken in an exchange.
        """
        return self.state.may_hold(seat)

    @property
    def known(self) -> tuple[CardSet, ...]:
        """By seat: cards the seat is known to hold, that is one's own, and gifts that the partner still holds."""
        return self.state.hands

    @property
    def hidden(self) -> tuple[int, ...]:
        """By seat: how many cards it holds besides the known ones."""
        return self.state.hidden

    @property
    def counts(self) -> tuple[int, ...]:
        """By seat: how many cards it holds in all."""
        state = self.state
        return tuple(cards.bit_count() + more for cards, more in zip(state.hands, state.hidden, strict=True))

    @property
    def voids(self) -> tuple[frozenset[Suit], ...]:
        """By seat: the suits it has shown not to hold."""
        return self.state.voids

    @property
    def void_cards(self) -> tuple[CardSet, ...]:
        """By seat: the same as a set of cards."""
        return self.state.void_cards

    @property
    def exchanged(self) -> tuple[int, ...]:
        """By seat: how many cards it has exchanged."""
        return self.state.exchanged

    @property
    def thrown(self) -> CardSet:
        """The cards that the seat threw in an exchange with the discards."""
        return self.state.thrown[self.seat]

    @property
    def picked(self) -> CardSet:
        """The cards that it took in that exchange."""
        return self.state.picked[self.seat]

    @property
    def received(self) -> CardSet:
        """The cards that the partner gave to the seat."""
        partner = self.partner
        return EMPTY if partner is None else self.state.given[partner]

    @property
    def bids(self) -> tuple[Bid | None, ...]:
        """By seat: its bid, None before."""
        return self.state.bids

    @property
    def blind(self) -> frozenset[Seat]:
        """The seats that called blind nil."""
        return self.state.blind

    @property
    def looked(self) -> frozenset[Seat]:
        """The seats that may have seen cards of this hand."""
        return self.state.looked

    @property
    def taken(self) -> tuple[int, ...]:
        """By seat: tricks won."""
        return self.state.taken

    @property
    def trick(self) -> Trick:
        """Pairs (seat, card) on the table, in order."""
        return self.state.trick

    @property
    def last_trick(self) -> Trick:
        """The same of the trick completed last."""
        return self.state.last_trick

    @property
    def leader(self) -> Seat | None:
        """Who led, or will lead, the trick on the table."""
        return self.state.leader

    @property
    def trick_number(self) -> int:
        """Tricks completed."""
        return self.state.trick_number

    @property
    def broken(self) -> bool:
        """Whether spades are broken."""
        return self.state.broken

    @property
    def played(self) -> CardSet:
        """All cards played in this hand."""
        return self.state.played

    @property
    def totals(self) -> tuple[int, int]:
        """By side."""
        return self.state.totals

    @property
    def bags(self) -> tuple[int, int]:
        """By side: running bags."""
        return self.state.bags

    @property
    def number(self) -> int:
        """Number of the hand."""
        return self.state.number

    @property
    def hands_played(self) -> int:
        """Hands scored."""
        return self.state.hands_played

    @property
    def first(self) -> Seat | None:
        """First seat of the hand."""
        return self.state.first

    @property
    def last_score(self) -> tuple[Breakdown, Breakdown] | None:
        """By side: the score of the hand before."""
        return self.state.last_score

    @property
    def history(self) -> tuple[Step, ...]:
        """The events of this hand as the seat was told them."""
        return self.state.history

    @property
    def legal(self) -> tuple[Action, ...]:
        """The seat's legal actions; empty when it is not its turn."""
        return legal_actions(self.state) if self.state.turn is self.seat else ()
