"""Worlds: full deals that agree with everything a seat knows, likelier ones more often.

A world begins as a deal drawn evenly among those that give every seat its number of cards and none of a suit it has
shown not to hold. The draw is exact and never repeats a try: suits that the same seats may hold are taken together, how
many cards of such a group each seat gets is drawn with the number of deals behind it as weight, and then which ones.
What the others drafted and bid (`likelihood`) then decides which worlds are used more often.

Of two players, where nobody has exchanged cards, a world comes from a chain over the places that the unseen cards may
have (`chain`). It knows what each turn of a public draft says about them, and what the cards played so far say
(`evidence`).
"""

from __future__ import annotations

from math import comb

from spades_engine.game import Choose, Play, View
from spades_engine.search._chain import Chain
from spades_engine.search.chain import PLACES
from spades_engine.search.evidence import EVEN, odds_of
from spades_engine.search.likelihood import PLACE_WEIGHTS, bid_weight, tilt_draft
from spades_engine.search.rng import Rng
from spades_engine.search.table import DRAFTING, Table
from spades_engine.search.terms import BLIND, DRAFT, HAND_SIZE, SUITS

_TRIES = 8
"""So many worlds are tried before the one that fits the bids best is taken."""

_FIRST_STEPS, _STEPS = 60, 150
"""Steps of the chain: for each card before the first world, and from one world to the next."""
_IN_HAND, _OUT_OF_HAND = 0b00011, 0b11100
"""Places of the chain, as masks."""
_HELD_PLACES = (0, 1)
_DEALT_WEIGHTS = [50] * (PLACES * 52)
_FINE = 20
"""Weights are so many times finer than those of the draft alone."""

_Counts = tuple[int, ...]


class Deals:
    """All ways to deal a set of cards to holders of given sizes, of whom each may not get certain cards.

    `barred[i]` is a set of whole suits. The sizes sum to the number of cards. Raises `ValueError` when there is no way.
    """

    __slots__ = ("_barred", "_cards", "_groups", "_sizes", "_ways")

    def __init__(self, cards: int, sizes: list[int], barred: list[int]) -> None:
        self._sizes = tuple(sizes)
        self._barred = barred
        self._cards = [card for card in range(52) if cards >> card & 1]
        self._groups: list[tuple[tuple[int, ...], list[int]]] = []
        self._ways: dict[tuple[int, _Counts], int] = {}
        if sum(sizes) != len(self._cards):
            raise ValueError(f"{len(self._cards)} cards cannot be dealt as {sizes}")
        if any(barred[i] & cards for i in range(len(sizes)) if sizes[i]):
            members: dict[tuple[int, ...], list[int]] = {}
            for suit in SUITS:
                allowed = tuple(i for i in range(len(sizes)) if not barred[i] & suit)
                members.setdefault(allowed, []).extend(card for card in self._cards if suit >> card & 1)
            # The group that all may hold comes last: it fills what is left in one way.
            self._groups = sorted(members.items(), key=lambda item: (len(item[0]), item[0]))
            if not self._count(0, self._sizes):
                raise ValueError("no deal agrees with the suits shown void")

    def _count(self, group: int, room: _Counts) -> int:
        """How many ways there are to deal the groups from `group` on into that room."""
        if group == len(self._groups):
            return 0 if any(room) else 1
        key = (group, room)
        ways = self._ways.get(key)
        if ways is None:
            ways = sum(self._share_ways(group, share, room) for share in self._shares(group, room))
            self._ways[key] = ways
        return ways

    def _share_ways(self, group: int, share: _Counts, room: _Counts) -> int:
        left = len(self._groups[group][1])
        ways = self._count(group + 1, tuple(have - got for have, got in zip(room, share, strict=True)))
        for got in share:
            ways *= comb(left, got)
            left -= got
        return ways

    def _shares(self, group: int, room: _Counts) -> list[_Counts]:
        """How the cards of a group may be shared out, as counts by holder."""
        allowed, cards = self._groups[group]
        if group == len(self._groups) - 1:
            fits = sum(room) == len(cards) and all(i in allowed for i, have in enumerate(room) if have)
            return [room] if fits else []
        shares: list[_Counts] = []

        def extend(at: int, left: int, share: list[int]) -> None:
            if at == len(allowed):
                if not left:
                    shares.append(tuple(share))
                return
            holder = allowed[at]
            for got in range(min(left, room[holder]) + 1):
                share[holder] = got
                extend(at + 1, left - got, share)
            share[holder] = 0

        extend(0, len(cards), [0] * len(room))
        return shares

    def draw(self, rng: Rng) -> list[int]:
        """One deal, each equally likely: a card mask by holder."""
        hands = [0] * len(self._sizes)
        if not self._groups:
            cards = self._cards[:]
            rng.shuffle(cards)
            at = 0
            for holder, size in enumerate(self._sizes):
                for card in cards[at : at + size]:
                    hands[holder] |= 1 << card
                at += size
            return hands
        room = self._sizes
        for group, (_, members) in enumerate(self._groups):
            ticket = rng.big_below(self._count(group, room))
            share = room
            for share in self._shares(group, room):
                ticket -= self._share_ways(group, share, room)
                if ticket < 0:
                    break
            cards = members[:]
            rng.shuffle(cards)
            at = 0
            for holder, got in enumerate(share):
                for card in cards[at : at + got]:
                    hands[holder] |= 1 << card
                at += got
            room = tuple(have - got for have, got in zip(room, share, strict=True))
        return hands


class Belief:
    """The worlds of one view. `draw` gives a full table and its weight; all weights are 1, because worlds that fit the
    others' drafts and bids badly are already drawn less often.
    """

    __slots__ = (
        "_back", "_back_draws", "_back_weights", "_chain", "_deals", "_discards", "_hidden", "_keeps", "_known_theirs",
        "_me", "_me_unseen", "_odds", "_others", "_own_discards", "_played_by", "_reads", "_root", "_thrown", "_unseen",
    )  # fmt: skip

    def __init__(self, view: View, root: Table, *, reads: bool = True) -> None:
        """`root` is the view's `seat_table`; without `reads` nothing is heeded but the voids shown."""
        self._reads = reads
        seats = view.rules.seats
        self._root = root
        self._me = root.turn
        self._unseen = int(view.unseen)
        self._hidden = [view.hidden[seat] for seat in seats]
        self._others = [n for n, hidden in enumerate(self._hidden) if hidden]
        self._deals: dict[int, Deals] = {}
        self._played_by = [0] * len(seats)
        plays = [(seats.index(step.seat), int(step.card)) for step in view.history if isinstance(step, Play)]
        for seat, card in plays:
            self._played_by[seat] |= 1 << card
        self._discards = self._me_unseen = self._thrown = 0
        self._own_discards = self._back = self._back_draws = 0
        self._back_weights: list[int] = [1]
        if view.rules.is_drafted:
            other = seats[1 - self._me]
            self._own_discards = int(view.discards & ~view.picked)
            self._me_unseen = view.state.hidden_discards[view.seat]
            self._discards = view.state.hidden_discards[other]
            self._thrown = view.exchanged[other]
            if self._thrown:
                self._weigh_returns()
        self._keeps: list[bool] | None = None
        self._odds: list[int] = []
        self._chain: Chain | None = None
        if root.terms.players == 2 and reads:
            theirs = 1 - self._me
            self._odds = odds_of(plays, theirs, root.kinds[theirs], root.bids[theirs])
            is_open = view.rules.draft_choice == "public" if view.rules.is_drafted else not self._hidden[self._me]
            if is_open and not (self._thrown or view.thrown) and root.kinds[theirs] != BLIND:
                turns = [step for step in view.history if isinstance(step, Choose) and step.seat is seats[theirs]]
                self._keeps = [bool(step.keep) for step in turns]
                self._known_theirs = int(view.known[seats[theirs]]) | self._played_by[theirs]

    def _weigh_returns(self) -> None:
        """How many of the seat's own discards the opponent may hold since its exchange, and with what weights."""
        root = self._root
        other = 1 - self._me
        self._back = self._own_discards & ~root.played & ~root.voids[other]
        draws = self._thrown - (self._own_discards & root.played).bit_count()
        size = self._hidden[other]
        free = (self._unseen & ~root.voids[other]).bit_count()
        pool = self._discards + self._me_unseen
        weights = []
        for back in range(max(draws, 0) + 1):
            fits = back <= size <= free + back
            weights.append(comb(self._back.bit_count(), back) * comb(pool, draws - back) if fits else 0)
        if not any(weights):
            raise ValueError("no deal agrees with the exchange")
        self._back_weights = weights

    def draw(self, rng: Rng) -> tuple[Table, float]:
        """A world drawn at random, ready to be played on, and its weight."""
        best, highest = self.draw_evenly(rng), 0
        if not self._reads:
            return best, 1.0
        world = best
        for _ in range(_TRIES):
            weight = bid_weight(world, self._played_by, self._me)
            if rng.below(100) < weight:
                return world, 1.0
            if weight > highest:
                best, highest = world, weight
            world = self.draw_evenly(rng)
        return best, 1.0

    def draw_evenly(self, rng: Rng) -> Table:
        """A world drawn without regard to the bids."""
        world = self._root.copy()
        world.salt = rng.next64() >> 8
        if self._keeps is not None:
            self._lay_out_chain(world, self._keeps, rng)
            return world
        returned = self._draw_returned(rng)
        dealt = self._ways_to_deal(returned.bit_count()).draw(rng)
        for seat, cards in zip(self._others, dealt, strict=False):  # the last holder is no seat
            world.hands[seat] |= cards
        if world.terms.form == DRAFT:
            world.hands[1 - self._me] |= returned
            self._lay_out(world, dealt[-1], returned, rng)
            if self._reads:
                tilt_draft(world, 1 - self._me, returned, self._odds, rng)
        return world

    def _draw_returned(self, rng: Rng) -> int:
        """Which of the seat's own discards the opponent holds."""
        if len(self._back_weights) == 1:
            return 0
        ticket = rng.big_below(sum(self._back_weights))
        count = 0
        while ticket >= self._back_weights[count]:
            ticket -= self._back_weights[count]
            count += 1
        cards = [card for card in range(52) if self._back >> card & 1]
        rng.shuffle(cards)
        returned = 0
        for card in cards[:count]:
            returned |= 1 << card
        return returned

    def _ways_to_deal(self, returned: int) -> Deals:
        """How the unseen cards may lie when the opponent holds so many others; the last holder is nobody."""
        deals = self._deals.get(returned)
        if deals is None:
            sizes = [self._hidden[seat] for seat in self._others]
            if returned:
                sizes[0] -= returned
            barred = [self._root.voids[seat] for seat in self._others]
            sizes.append(self._unseen.bit_count() - sum(sizes))
            deals = Deals(self._unseen, sizes, [*barred, 0])
            self._deals[returned] = deals
        return deals

    def _lay_out_chain(self, world: Table, keeps: list[bool], rng: Rng) -> None:
        """Lay out all unseen cards as the chain has them after some more steps."""
        if self._chain is None:
            self._chain = self._new_chain(keeps, rng)
        else:
            self._chain.run(_STEPS)
        other = 1 - self._me
        judged, taken, passed, unjudged, nowhere = self._chain.masks()
        world.hands[other] = (judged | taken) & ~self._played_by[other]
        world.gone[other] = passed if world.terms.unseen_discard else passed | unjudged
        rest = [card for card in range(52) if nowhere >> card & 1]
        rng.shuffle(rest)
        discards = passed | unjudged
        for card in rest[: self._me_unseen]:  # the seat's own, discarded unseen
            discards |= 1 << card
        world.pool = discards | self._own_discards
        if world.stage == DRAFTING:
            world.stock = rest[self._me_unseen :] + world.stock

    def _new_chain(self, keeps: list[bool], rng: Rng) -> Chain:
        """A chain over the places of all cards that the seat does not know, settled."""
        held = self._known_theirs
        out = self._unseen & self._root.voids[1 - self._me]
        free = self._unseen & ~(held | out)
        cards = [card for card in range(52) if (held | out | free) >> card & 1]
        allowed = [
            _IN_HAND if held >> card & 1 else _OUT_OF_HAND if out >> card & 1 else _IN_HAND | _OUT_OF_HAND
            for card in cards
        ]
        kept = sum(keeps)
        passed = len(keeps) - kept
        sizes = [kept, passed, passed, kept, len(cards) - 2 * len(keeps)]
        if self._root.terms.form != DRAFT:  # a dealt hand is one place
            sizes = [HAND_SIZE, 0, 0, 0, len(cards) - HAND_SIZE]
        chain = Chain(cards, sizes, allowed, self._place_weights(), rng.next64())
        chain.run(_FIRST_STEPS * len(cards))
        return chain

    def _place_weights(self) -> list[int]:
        """The weights of the chain's places, with what was played."""
        drafted = self._root.terms.form == DRAFT
        weights = [weight * _FINE for weight in (PLACE_WEIGHTS if drafted else _DEALT_WEIGHTS)]
        for card, odds in enumerate(self._odds):
            for place in _HELD_PLACES:
                at = 52 * place + card
                weights[at] = max(weights[at] * odds // EVEN, 1)
        return weights

    def _lay_out(self, world: Table, rest: int, returned: int, rng: Rng) -> None:
        """Lay the cards in no hand out as discards and stock."""
        other = 1 - self._me
        cards = [card for card in range(52) if rest >> card & 1]
        rng.shuffle(cards)
        discards = 0
        for card in cards[: self._discards]:
            discards |= 1 << card
        world.gone[other] = discards
        if world.stage == DRAFTING:
            seen = self._discards + self._me_unseen
            for card in cards[self._discards : seen]:
                discards |= 1 << card
            world.pool = discards | self._own_discards
            world.stock = cards[seen:] + world.stock
            return
        thrown = 0
        for card in cards[len(cards) - self._thrown :]:
            thrown |= 1 << card
        world.gone[other] |= thrown
        world.pool = (self._own_discards & ~returned | rest) & ~thrown
