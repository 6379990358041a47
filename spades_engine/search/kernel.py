"""Exact solver for the play of the cards with every hand seen, for two hands and for four.

This file is one source for two modules. Imported as it stands it is the readable reference,
`spades_engine.search.kernel`. Compiled with the C types of `_kernel.pxd` it becomes `spades_engine.search._kernel`,
which visits the same nodes in the same order and gives the same answers some hundred times faster. It takes integers
and buffers, gives integers, prints nothing, and while it searches it holds no lock of the interpreter.

**Cards and hands.** A card is an int 0..51, suit * 13 + (rank - 2) with the suits clubs, diamonds, hearts, spades;
a hand is a mask of such bits. Seats go clockwise from 0; side 0 is seat 0 of two, or seats 0 and 2 of four.

**Lanes.** The search sees each suit as a lane of 16 bits. At the start of a trick the cards still held are pressed
together at the bottom of their lane, so a card's place tells its rank among the cards left, and positions that differ
only in cards gone become the same position. Two cards of one hand in adjacent places are equivalent: one is tried.

**Sets of outcomes.** An outcome is the number of tricks that side 0 takes from some point on; a set of outcomes is a
mask of such bits. The search answers one question: can side 0 force the outcome into the set `want`? Its answer is a
set as well, the proof: if it lies inside `want`, side 0 can force an outcome in it; otherwise it lies outside `want`
and side 1 can force an outcome in it; 0 means that the search was cut short. Any payoff, rising or not, is settled by
a few such questions, and what the table keeps is true for every payoff, deal and call.

Written so that both modules agree: no intermediate value is negative or passes 64 bits, shifts are of variables
declared 64 bits wide, nothing is divided.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ModuleNotFoundError:  # not compiled, and no Cython about: the one word of it used here means nothing then
    from contextlib import nullcontext
    from types import SimpleNamespace

    cython = SimpleNamespace(nogil=nullcontext())

SOLVED = 0
"""Status: the answer is exact."""
STOPPED = 1
"""Status: the stop flag was found set."""
NODE_LIMIT = 2
"""Status: `max_nodes` was reached."""
NO_LIMIT = 1 << 62
"""As many nodes as it takes."""

_SOLVED = SOLVED  # the same, as C integers
_STOPPED = STOPPED
_NODE_LIMIT = NODE_LIMIT

_STRIDE = 4096  # nodes between two looks at the stop flag

_LOW32 = 0xFFFFFFFF
_MIX0 = 0x9E3779B1
_MIX1 = 0x85EBCA6B
_MIX2 = 0xC2B2AE35
_MIX3 = 0x27D4EB2F

_LANE = array("Q", [0xFFFF << (16 * suit) for suit in range(4)])
_ONE = array("Q", [1 << bit for bit in range(64)])
_SPADES = 0xFFFF << 48
_PLAIN = 0xFFFF_FFFF_FFFF
_FLOORS = 0x0001_0001_0001_0001  # the lowest place of every lane
_LEADER = 1 << 14  # bits 14 and 15 of a lane are never cards: the key holds the rest of the position there
_BROKEN = 1 << 30
_FOUR = 1 << 31
_UPPER = 0xFFFF_0000
_UNKNOWN = 0xFFFF_FFFF


def _bit_lengths() -> bytes:
    """Return the bit length of every number below 2**14."""
    return bytes(number.bit_length() for number in range(1 << 14))


def _bit_counts() -> bytes:
    """Return the number of ones in every number below 2**14."""
    return bytes(number.bit_count() for number in range(1 << 14))


def _surpluses() -> bytes:
    """Return, for seven places of mine and seven of theirs (index mine << 7 | theirs), my greatest lead from the top.

    Going down through the places, a card of mine adds one and a card of theirs takes one off; the greatest value met,
    at least 0, is the number of my cards left over when each of theirs has been set against a lower one of mine.
    """
    table = bytearray(1 << 14)
    for mine in range(128):
        for theirs in range(128):
            top = (1 << (mine | theirs).bit_length()) >> 1  # the rest is in the table already
            lead = table[(mine & (top - 1)) << 7 | theirs & (top - 1)] if top else 0
            if mine & top:
                lead += 1
            if theirs & top and lead:
                lead -= 1
            table[mine << 7 | theirs] = lead
    return bytes(table)


_LENGTH = _bit_lengths()
_COUNT = _bit_counts()
_SURPLUS = _surpluses()


def _sure(mine: int, theirs: int) -> int:
    """Return the number of tricks that the spades `mine` of one hand must take against `theirs`, however played.

    One of mine loses only to a higher one of theirs in the same trick, and each of theirs falls in one trick.
    """
    top = _SURPLUS[(mine >> 7) << 7 | theirs >> 7]
    bottom = _COUNT[mine >> 7] + _SURPLUS[(mine & 127) << 7 | theirs & 127]
    spent = _COUNT[theirs >> 7]
    if bottom > top + spent:
        return bottom - spent
    return top


def _drop(hand: int, card: int, lane: int) -> int:
    """Return `hand`, which does not hold `card`, with the places of `lane` above `card` moved down by one."""
    above = hand & (lane ^ (lane & ((card << 1) - 1)))
    return (hand ^ above) | (above >> 1)


def _low(cards: int) -> int:
    """Return the lowest of `cards`, of which there must be one."""
    return cards & (cards - 1) ^ cards


def _top(cards: int) -> int:
    """Return the highest of `cards`, of which there must be one."""
    shift = 48
    while cards >> shift == 0:
        shift -= 16
    return _ONE[shift + _LENGTH[cards >> shift] - 1]


def _hunger(want: int, low: int, high: int) -> int:
    """Return, for outcomes from `low` to `high`, 1 if both sides want tricks, 0 if neither does, 2 if who knows."""
    if want >> high:
        return 2 if want & _ONE[low] else 1
    return 0 if want & _ONE[low] else 2


def _lane_of(card: int) -> int:
    """Return the lane that the single bit `card` is in."""
    if card <= _LANE[1]:
        return _LANE[0] if card <= _LANE[0] else _LANE[1]
    return _LANE[2] if card <= _LANE[2] else _LANE[3]


class Solver:
    """Solves positions, and keeps what it learns about them for the next.

    A solver holds its table, 64 << `table_bits` bytes, for its whole life; it may go from deal to deal, from payoff to
    payoff and between two hands and four. Only one thread may be in it at a time: a second one is refused with
    RuntimeError. `table_bits` outside 0..24 raises ValueError.
    """

    def __init__(self, table_bits: int = 14) -> None:
        if not 0 <= table_bits <= 24:
            raise ValueError("table_bits must be in 0..24")
        self.buckets = (1 << table_bits) - 1
        self.table = array("Q", bytes(64 << table_bits))
        self.busy = False
        # How the search goes.
        self.unset = bytearray(1)
        self.stop = self.unset
        self.status = SOLVED
        self.nodes = 0
        self.pause = 0
        self.limit = 0
        # The payoff by tricks of side 0, and its different values from the lowest to the highest.
        self.payoff = array("q", bytes(8 * 14))
        self.steps = array("q", bytes(8 * 14))
        self.step_count = 0
        # Hands in lanes: those of the position asked about come first, then, for four, those of every later trick.
        self.hands = array("Q", bytes(8 * 4 * 14))
        # The rest of the position asked about, cards in lanes, and where each of the 52 went.
        self.seats = 2
        self.left = 0
        self.leader = 0
        self.broken = 0
        self.no_ruff = 0
        self.played = 0
        self.led = 0
        self.winning = 0
        self.winner = 0
        self.gone = 0
        self.mover = 0
        self.place = array("Q", bytes(8 * 52))
        # The moves there, one for each group of equivalent cards; the one that answered last; what came out.
        self.moves = array("Q", bytes(8 * 13))
        self.move_count = 0
        self.tried = 0
        self.best = 0
        self.value = 0

    def _paused(self) -> int:
        """Return whether the search must end now, with the reason in `status`; set the node count to ask again at."""
        if self.stop[0]:
            self.status = _STOPPED
            return 1
        if self.nodes >= self.limit:
            self.status = _NODE_LIMIT
            return 1
        self.pause = self.nodes + _STRIDE
        if self.pause > self.limit:
            self.pause = self.limit
        return 0

    # The table. An entry is four words: the two of the key; the two proofs, that of side 0 in the low half and that of
    # side 1 in the high half, with the tricks left above them; and the leader's best card. No proof yet is all ones.

    def _find(self, key: int, more: int) -> int:
        """Return the place of the entry for the key, or that of the bucket's first entry plus one."""
        mixed = (key & _LOW32) * _MIX0 ^ (key >> 32) * _MIX1 ^ (more & _LOW32) * _MIX2 ^ (more >> 32) * _MIX3
        at = (mixed >> 32 & self.buckets) << 3
        if self.table[at] == key and self.table[at + 1] == more:
            return at
        if self.table[at + 4] == key and self.table[at + 5] == more:
            return at + 4
        return at + 1

    def _keep(self, key: int, more: int, left: int, side: int, proof: int, card: int) -> int:
        """Keep what side 0 (`side` 0) or side 1 has been shown to force, and the card to lead for it (0: none)."""
        at = self._find(key, more)
        if at & 1:
            at ^= 1
            if self.table[at] and self.table[at + 2] >> 32 > left:
                at += 4
            self.table[at] = key
            self.table[at + 1] = more
            self.table[at + 2] = left << 32 | _UNKNOWN
            self.table[at + 3] = 0
        word = self.table[at + 2]
        if side == 0:
            self.table[at + 2] = (word ^ (word & 0xFFFF)) | proof
        else:
            self.table[at + 2] = (word ^ (word & _UPPER)) | proof << 16
        if card:
            self.table[at + 3] = card
        return 1

    # Two hands.

    def _lead2(self, hand0: int, hand1: int, left: int, leader: int, broken: int, want: int) -> int:
        """Return the proof for the start of a trick: `left` to play, `want` of side 0's tricks from here."""
        if self.nodes >= self.pause and self._paused():
            return 0
        self.nodes += 1
        if left == 1:
            first = hand1 if leader else hand0
            word = hand0 if leader else hand1
            if word > first and word & (_lane_of(first) | _SPADES):
                leader = 1 - leader
            return 1 if leader else 2
        low = _sure(hand0 >> 48, hand1 >> 48)
        high = left - _sure(hand1 >> 48, hand0 >> 48)
        full = _ONE[high + 1] - _ONE[low]
        want &= full
        if want == 0 or want == full:
            return full
        mine = hand0
        theirs = hand1
        if leader:
            mine = hand1
            theirs = hand0
        quick = 0
        tops = mine >> (48 + _LENGTH[theirs >> 48]) << (48 + _LENGTH[theirs >> 48])
        ruffed = 0
        for suit in range(3):
            cards = mine >> (16 * suit) & 0xFFFF
            others = theirs >> (16 * suit) & 0xFFFF
            if others == 0 and theirs & _SPADES:
                ruffed |= _LANE[suit]
            elif cards > others:
                shift = _LENGTH[others]
                tops |= cards >> shift << (shift + 16 * suit)
                count = _LENGTH[cards] - shift
                if count < _COUNT[others]:
                    quick += count
                elif theirs & _SPADES:
                    quick += _COUNT[others]
                else:
                    quick += _COUNT[cards]
        if quick:
            if leader == 0:
                proof = _ONE[high + 1] - _ONE[low + quick]
                if proof & want == proof:
                    return proof
            else:
                proof = _ONE[high + 1 - quick] - _ONE[low]
                if proof & want == 0:
                    return proof
        key = (hand0 | hand1) + _FLOORS + hand1
        if leader:
            key |= _LEADER
        if broken:
            key |= _BROKEN
        first = 0
        at = self._find(key, 0)
        if at & 1 == 0:
            word = self.table[at + 2]
            proof = word & 0xFFFF
            if proof & want == proof:
                return proof
            proof = word >> 16 & 0xFFFF
            if proof & want == 0:
                return proof
            first = self.table[at + 3]
        hungry = _hunger(want, low, high)
        rest = mine & _PLAIN
        if broken or rest == 0:
            rest = mine
        rest ^= rest & rest << 1
        rest ^= first
        # The card that did best before, then the winners, and last the suits that will be ruffed.
        tops &= rest
        ruffed &= rest ^ tops
        rest ^= tops | ruffed
        failed = 0
        while first or tops or rest or ruffed:
            if first:
                card = first
                first = 0
            elif tops:
                card = _low(tops)
                tops ^= card
            elif rest:
                card = _top(rest)
                rest ^= card
            else:
                card = _top(ruffed)
                ruffed ^= card
            if leader == 0:
                proof = self._reply2(hand0 ^ card, hand1, left, 0, broken, want, hungry, card, _lane_of(card), 0)
            else:
                proof = self._reply2(hand0, hand1 ^ card, left, 1, broken, want, hungry, card, _lane_of(card), 0)
            if proof == 0:
                return 0
            if (proof & want != 0) == (leader == 0):
                self._keep(key, 0, left, leader, proof, card)
                return proof
            failed |= proof
        self._keep(key, 0, left, 1 - leader, failed, 0)
        return failed

    def _reply2(
        self,
        hand0: int,
        hand1: int,
        left: int,
        leader: int,
        broken: int,
        want: int,
        hungry: int,
        led: int,
        lane: int,
        no_ruff: int,
    ) -> int:
        """Return the proof for the second card of a trick, `led` in `lane` being the first and out of its hand."""
        if self.nodes >= self.pause and self._paused():
            return 0
        self.nodes += 1
        mine = hand0 if leader else hand1
        legal = mine & lane
        if legal == 0:
            legal = mine
            if no_ruff and mine & _PLAIN:
                legal = mine & _PLAIN
        legal ^= legal & legal << 1
        winners = legal & (lane | _SPADES)
        winners ^= winners & (led - 1)
        losers = legal ^ winners
        early = hungry
        if hungry == 2 and mine & lane == 0:
            early = 0
        failed = 0
        while winners or losers:
            if winners and (early or losers == 0):
                card = _low(winners) if hungry else _top(winners)
                winners ^= card
            else:
                card = _low(losers) if hungry else _top(losers)
                losers ^= card
            if leader:
                proof = self._finish2(hand0 ^ card, hand1, left, 1, broken, want, led, lane, card)
            else:
                proof = self._finish2(hand0, hand1 ^ card, left, 0, broken, want, led, lane, card)
            if proof == 0:
                return 0
            if (proof & want != 0) == (leader != 0):
                return proof
            failed |= proof
        return failed

    def _finish2(
        self, hand0: int, hand1: int, left: int, leader: int, broken: int, want: int, led: int, lane: int, card: int
    ) -> int:
        """Return the proof for a full trick of `led` in `lane`, then `card`, both out of their hands."""
        other = _lane_of(card)
        if (led | card) & _SPADES:
            broken = 1
        if card > led:
            hand0 = _drop(_drop(hand0, card, other), led, lane)
            hand1 = _drop(_drop(hand1, card, other), led, lane)
            if card & (lane | _SPADES):
                leader = 1 - leader
        else:
            hand0 = _drop(_drop(hand0, led, lane), card, other)
            hand1 = _drop(_drop(hand1, led, lane), card, other)
        if left == 1:
            return 1 if leader else 2
        if leader:
            return self._lead2(hand0, hand1, left - 1, 1, broken, want)
        return self._lead2(hand0, hand1, left - 1, 0, broken, want >> 1) << 1

    # Four hands. The hands at the start of each trick stand in `hands`, four to a trick, until it is over.

    def _lead4(self, level: int, left: int, leader: int, broken: int, want: int) -> int:
        """Return the proof for the start of trick `level`: `left` to play, `want` of side 0's tricks from here."""
        if self.nodes >= self.pause and self._paused():
            return 0
        self.nodes += 1
        at = level << 2
        hand0 = self.hands[at]
        hand1 = self.hands[at + 1]
        hand2 = self.hands[at + 2]
        hand3 = self.hands[at + 3]
        odd = hand1 | hand3
        even = hand0 | hand2
        low = _sure(hand0 >> 48, odd >> 48)
        count = _sure(hand2 >> 48, odd >> 48)
        if count > low:
            low = count
        high = _sure(hand1 >> 48, even >> 48)
        count = _sure(hand3 >> 48, even >> 48)
        if count > high:
            high = count
        high = left - high
        full = _ONE[high + 1] - _ONE[low]
        want &= full
        if want == 0 or want == full:
            return full
        mine = self.hands[at + leader]
        after = self.hands[at + (leader + 1 & 3)]
        across = self.hands[at + (leader ^ 2)]
        before = self.hands[at + (leader + 3 & 3)]
        quick = self._quick4(mine, after, across, before)
        if quick:
            if leader & 1 == 0:
                proof = _ONE[high + 1] - _ONE[low + quick]
                if proof & want == proof:
                    return proof
            else:
                proof = _ONE[high + 1 - quick] - _ONE[low]
                if proof & want == 0:
                    return proof
        key = (odd | even) + _FLOORS + odd
        key |= _FOUR
        if leader & 1:
            key |= _LEADER
        if leader & 2:
            key |= _LEADER << 1
        if broken:
            key |= _BROKEN
        more = hand2 | hand3
        first = 0
        at = self._find(key, more)
        if at & 1 == 0:
            word = self.table[at + 2]
            proof = word & 0xFFFF
            if proof & want == proof:
                return proof
            proof = word >> 16 & 0xFFFF
            if proof & want == 0:
                return proof
            first = self.table[at + 3]
        hungry = _hunger(want, low, high)
        rest = mine & _PLAIN
        if broken or rest == 0:
            rest = mine
        rest ^= rest & rest << 1
        rest ^= first
        # First the suits whose highest card is ours or our partner's, and those that our partner can ruff; last the
        # plain suits that an opponent can ruff.
        tops = 0
        ruffed = 0
        for suit in range(4):
            cards = mine >> (16 * suit) & 0xFFFF
            others = (after | before) >> (16 * suit) & 0xFFFF
            partner = across >> (16 * suit) & 0xFFFF
            if suit < 3 and (
                (after & _SPADES and after & _LANE[suit] == 0) or (before & _SPADES and before & _LANE[suit] == 0)
            ):
                ruffed |= _LANE[suit]
            elif cards > others and cards > partner:
                count = _LENGTH[others | partner]
                tops |= cards >> count << (count + 16 * suit)
            elif partner > others or (suit < 3 and partner == 0 and across & _SPADES):
                tops |= _LANE[suit]
        tops &= rest
        ruffed &= rest ^ tops
        rest ^= tops | ruffed
        failed = 0
        while first or tops or rest or ruffed:
            if first:
                card = first
                first = 0
            elif tops:
                card = _low(tops)
                tops ^= card
            elif rest:
                card = _low(rest)
                rest ^= card
            else:
                card = _low(ruffed)
                ruffed ^= card
            proof = self._play4(level, left, leader, 0, broken, want, hungry, 0, 0, 0, 0, card, 0)
            if proof == 0:
                return 0
            if (proof & want != 0) == (leader & 1 == 0):
                self._keep(key, more, left, leader & 1, proof, card)
                return proof
            failed |= proof
        self._keep(key, more, left, 1 - (leader & 1), failed, 0)
        return failed

    def _quick4(self, mine: int, after: int, across: int, before: int) -> int:
        """Return how many tricks in plain suits the leader can take at once, no other seat having a chance to ruff."""
        quick = 0
        for suit in range(3):
            cards = mine >> (16 * suit) & 0xFFFF
            others = (after | across | before) >> (16 * suit) & 0xFFFF
            if cards > others:
                run = _LENGTH[cards] - _LENGTH[others]
                if after & _SPADES:
                    run = min(run, _COUNT[after >> (16 * suit) & 0xFFFF])
                if across & _SPADES:
                    run = min(run, _COUNT[across >> (16 * suit) & 0xFFFF])
                if before & _SPADES:
                    run = min(run, _COUNT[before >> (16 * suit) & 0xFFFF])
                quick += run
        return quick

    def _follow4(
        self,
        level: int,
        left: int,
        seat: int,
        count: int,
        broken: int,
        want: int,
        hungry: int,
        lane: int,
        winning: int,
        winner: int,
        gone: int,
        no_ruff: int,
    ) -> int:
        """Return the proof for `seat` to follow to `count` cards, the set `gone`; `winning` of `winner` is ahead."""
        if self.nodes >= self.pause and self._paused():
            return 0
        self.nodes += 1
        mine = self.hands[(level << 2) + seat]
        legal = mine & lane
        if legal == 0:
            legal = mine
            if no_ruff and mine & _PLAIN:
                legal = mine & _PLAIN
        legal ^= legal & legal << 1
        winners = legal & (lane | _SPADES)
        winners ^= winners & (winning - 1)
        losers = legal ^ winners
        early = hungry
        if hungry == 2 and mine & lane == 0:
            early = 0
        elif (seat ^ winner) & 1 == 0:
            early = 0 if hungry else 1
            if hungry and count < 3:
                # Our partner is winning, but perhaps not for long.
                after = self.hands[(level << 2) + (seat + 1 & 3)]
                others = after & lane
                if others == 0:
                    others = after & _SPADES
                if others > winning:
                    early = 1
        failed = 0
        while winners or losers:
            if winners and (early or losers == 0):
                card = _low(winners)
                winners ^= card
            else:
                card = _low(losers) if hungry else _top(losers)
                losers ^= card
            proof = self._play4(
                level, left, seat, count, broken, want, hungry, lane, winning, winner, gone, card, no_ruff
            )
            if proof == 0:
                return 0
            if (proof & want != 0) == (seat & 1 == 0):
                return proof
            failed |= proof
        return failed

    def _play4(
        self,
        level: int,
        left: int,
        seat: int,
        count: int,
        broken: int,
        want: int,
        hungry: int,
        lane: int,
        winning: int,
        winner: int,
        gone: int,
        card: int,
        no_ruff: int,
    ) -> int:
        """Return the proof after `seat` plays `card` to a trick of `count` cards."""
        if count == 0:
            lane = _lane_of(card)
            winning = card
            winner = seat
        elif card > winning and card & (lane | _SPADES):
            winning = card
            winner = seat
        if card & _SPADES:
            broken = 1
        gone |= card
        if count < 3:
            return self._follow4(
                level, left, seat + 1 & 3, count + 1, broken, want, hungry, lane, winning, winner, gone, no_ruff
            )
        if left == 1:
            return 1 if winner & 1 else 2
        at = level << 2
        hand0 = self.hands[at] ^ (self.hands[at] & gone)
        hand1 = self.hands[at + 1] ^ (self.hands[at + 1] & gone)
        hand2 = self.hands[at + 2] ^ (self.hands[at + 2] & gone)
        hand3 = self.hands[at + 3] ^ (self.hands[at + 3] & gone)
        while gone:
            card = _low(gone)
            lane = _lane_of(card)
            gone = _drop(gone ^ card, card, lane)
            hand0 = _drop(hand0, card, lane)
            hand1 = _drop(hand1, card, lane)
            hand2 = _drop(hand2, card, lane)
            hand3 = _drop(hand3, card, lane)
        at += 4
        self.hands[at] = hand0
        self.hands[at + 1] = hand1
        self.hands[at + 2] = hand2
        self.hands[at + 3] = hand3
        if winner & 1:
            return self._lead4(level + 1, left - 1, winner, broken, want)
        return self._lead4(level + 1, left - 1, winner, broken, want >> 1) << 1

    # The position asked about, which may be in the middle of a trick.

    def _try(self, card: int, want: int) -> int:
        """Return the proof once the seat to move has played `card`."""
        if self.seats == 4:
            return self._play4(
                0,
                self.left,
                self.mover,
                self.played,
                self.broken,
                want,
                1,
                self.led,
                self.winning,
                self.winner,
                self.gone,
                card,
                self.no_ruff,
            )
        hand0 = self.hands[0]
        hand1 = self.hands[1]
        if self.mover:
            hand1 ^= card
        else:
            hand0 ^= card
        if self.played:
            return self._finish2(hand0, hand1, self.left, self.leader, self.broken, want, self.winning, self.led, card)
        return self._reply2(
            hand0, hand1, self.left, self.leader, self.broken, want, 1, card, _lane_of(card), self.no_ruff
        )

    def _answer(self, first: int, last: int, want: int) -> int:
        """Return the proof for the position if only the moves from `first` to before `last` may be made."""
        failed = 0
        for index in range(first, last):
            proof = self._try(self.moves[index], want)
            if proof == 0:
                return 0
            if (proof & want != 0) == (self.mover & 1 == 0):
                self.tried = index
                return proof
            failed |= proof
        return failed

    def _settle(self, first: int, last: int) -> int:
        """Find the value of the position over those moves, into `value`, and the first move seen to reach it, `best`.

        Return 0 if the search was cut short, else 1.
        """
        low = 0
        high = self.step_count - 1
        self.best = first
        while low < high:
            step = low + high + 1 >> 1
            want = 0
            for index in range(self.left + 1):
                if self.payoff[index] >= self.steps[step]:
                    want |= _ONE[index]
            proof = self._answer(first, last, want)
            if proof == 0:
                return 0
            # The proof may say more than was asked: its lowest payoff is forced, or its highest is not passed.
            at = self.step_count - 1 if proof & want else 0
            for index in range(self.left + 1):
                if proof & _ONE[index]:
                    if proof & want:
                        while self.steps[at] > self.payoff[index]:
                            at -= 1
                    else:
                        while self.steps[at] < self.payoff[index]:
                            at += 1
            if proof & want:
                low = at
            else:
                high = at
            if (proof & want != 0) == (self.mover & 1 == 0):
                self.best = self.tried
        self.value = self.steps[low]
        return 1

    def solve(
        self,
        hands: Sequence[int],
        leader: int,
        trick: Sequence[int] = (),
        payoff: Sequence[int] | None = None,
        broken: bool = False,
        anytime: bool = False,
        no_first_ruff: bool = False,
        max_nodes: int = NO_LIMIT,
        stop: bytearray | None = None,
    ) -> tuple[int, int, int, int]:
        """Return (status, value, card, nodes): what side 0 gets with best play, and a best card for the seat to move.

        `hands` are 2 or 4 masks by seat; `leader` led or leads to the present trick; `trick` are the cards played to it
        so far, in order, which are no longer in the hands. Cards that are in no hand are out of play. `broken` tells
        whether spades had been broken before this trick; a spade in `trick` breaks them without being told. Until then
        a spade may be led from a hand of spades only, unless `anytime` is set. With `no_first_ruff` a seat that cannot
        follow to the present trick, and to no later one, may not play a spade while it holds another suit.

        `payoff[t]` is what side 0 gets, and side 1 loses, if side 0 takes `t` of the tricks still to be won, the
        present one included; any 64-bit numbers. None is the trick count, 0, 1, 2 and so on.

        `max_nodes` is the greatest number of nodes, one for each turn to play that is looked at; the first byte of
        `stop` ends the search within some thousand nodes when it is set, from any thread. Both leave status NODE_LIMIT
        or STOPPED, value 0 and card -1. Otherwise status is SOLVED, and card -1 if there is none to play. Of equivalent
        best cards it is the lowest.

        Raises ValueError for anything that is not such a position, OverflowError for a payoff out of range.
        """
        self._enter()
        try:
            self._check(hands, leader, trick, payoff, stop)
            legal = self._set_up(
                hands, leader, trick, payoff, broken or anytime, no_first_ruff, min(max_nodes, NO_LIMIT), stop
            )
            if self.left == 0:
                return SOLVED, self.value, -1, 0
            if not self._settle_unlocked(0, self.move_count):
                return self.status, 0, -1, self.nodes
            return SOLVED, self.value, min(card for card, index in legal if index == self.best), self.nodes
        finally:
            self._leave()

    def solve_each(
        self,
        hands: Sequence[int],
        leader: int,
        trick: Sequence[int] = (),
        payoff: Sequence[int] | None = None,
        broken: bool = False,
        anytime: bool = False,
        no_first_ruff: bool = False,
        max_nodes: int = NO_LIMIT,
        stop: bytearray | None = None,
    ) -> tuple[int, list[tuple[int, int]], int]:
        """Return (status, [(card, value), ...], nodes): every legal card in order, and what side 0 gets after it.

        Takes what `solve` takes. A search cut short gives the cards whose values were found until then.
        """
        self._enter()
        try:
            self._check(hands, leader, trick, payoff, stop)
            legal = self._set_up(
                hands, leader, trick, payoff, broken or anytime, no_first_ruff, min(max_nodes, NO_LIMIT), stop
            )
            values: list[int] = []
            for index in range(self.move_count):
                if not self._settle_unlocked(index, index + 1):
                    break
                values.append(self.value)
            return self.status, [(card, values[index]) for card, index in legal if index < len(values)], self.nodes
        finally:
            self._leave()

    def clear(self) -> None:
        """Forget everything learned; answers stay the same, node counts become those of a new solver."""
        self._enter()
        try:
            self._wipe()
        finally:
            self._leave()

    def _enter(self) -> None:
        if self.busy:
            raise RuntimeError("a solver takes one thread at a time")
        self.busy = True

    def _leave(self) -> None:
        self.stop = self.unset
        self.busy = False

    def _wipe(self) -> None:
        for index in range(len(self.table)):
            self.table[index] = 0

    def _settle_unlocked(self, first: int, last: int) -> int:
        """Settle, leaving the interpreter's lock to others."""
        done = 0
        with cython.nogil:
            done = self._settle(first, last)
        return done

    def _check(
        self,
        hands: Sequence[int],
        leader: int,
        trick: Sequence[int],
        payoff: Sequence[int] | None,
        stop: bytearray | None,
    ) -> None:
        seats = len(hands)
        played = len(trick)
        if seats not in (2, 4):
            raise ValueError("there must be two hands or four")
        if not 0 <= leader < seats:
            raise ValueError("leader must be a seat")
        if played >= seats:
            raise ValueError("the trick is full")
        seen = 0
        for hand in hands:
            if hand < 0 or hand >> 52:
                raise ValueError("a hand must be a mask of 52 bits")
            if hand & seen:
                raise ValueError("a card is in two hands")
            seen |= hand
        for card in trick:
            if not 0 <= card < 52:
                raise ValueError("a card must be in 0..51")
            if seen >> card & 1:
                raise ValueError("a card of the trick is played twice or still in a hand")
            seen |= 1 << card
        left = hands[(leader + played) % seats].bit_count()
        if left > 13:
            raise ValueError("a hand has at most 13 cards")
        for turn in range(seats):
            if hands[(leader + turn) % seats].bit_count() != (left - 1 if turn < played else left):
                raise ValueError("the hands are not of equal length before the trick")
        if stop is not None and not stop:
            raise ValueError("stop must have a byte")
        if payoff is not None and len(payoff) != left + 1:
            raise ValueError("payoff must have one entry more than there are tricks to play")

    def _set_up(
        self,
        hands: Sequence[int],
        leader: int,
        trick: Sequence[int],
        payoff: Sequence[int] | None,
        broken: bool,
        no_first_ruff: bool,
        max_nodes: int,
        stop: bytearray | None,
    ) -> list[tuple[int, int]]:
        """Lay the position out in lanes; return the legal cards in order, each with the index of its move."""
        self.seats = len(hands)
        self.leader = leader
        self.played = len(trick)
        self.mover = (leader + self.played) % self.seats
        self.left = hands[self.mover].bit_count()
        self.broken = 1 if broken else 0
        self.no_ruff = 1 if no_first_ruff else 0
        self.led = 0
        self.winning = 0
        self.winner = leader
        self.gone = 0
        union = 0
        for seat in range(self.seats):
            self.hands[seat] = hands[seat]
            union |= self.hands[seat]
        for card in trick:
            union |= _ONE[card]

        # Press the suits together: for every card still about, from below, its place in its lane.
        lane0 = lane1 = lane2 = lane3 = 0
        for suit in range(4):
            at = 16 * suit
            for card in range(13 * suit, 13 * suit + 13):
                self.place[card] = 0
                if union >> card & 1:
                    bit = _ONE[at]
                    self.place[card] = bit
                    at += 1
                    if self.hands[0] >> card & 1:
                        lane0 |= bit
                    elif self.hands[1] >> card & 1:
                        lane1 |= bit
                    elif self.seats == 4 and self.hands[2] >> card & 1:
                        lane2 |= bit
                    elif self.seats == 4 and self.hands[3] >> card & 1:
                        lane3 |= bit
        self.hands[0] = lane0
        self.hands[1] = lane1
        self.hands[2] = lane2
        self.hands[3] = lane3

        for turn in range(self.played):
            card = trick[turn]
            bit = self.place[card]
            self.gone |= bit
            if turn == 0:
                self.led = _lane_of(bit)
            if bit & _SPADES:
                self.broken = 1
            if turn == 0 or (bit > self.winning and bit & (self.led | _SPADES)):
                self.winning = bit
                self.winner = (leader + turn) % self.seats

        mine = self.hands[self.mover]
        if self.played and mine & self.led:
            mine &= self.led
        elif self.played:
            if self.no_ruff and mine & _PLAIN:
                mine &= _PLAIN
        elif self.broken == 0 and mine & _PLAIN:
            mine &= _PLAIN
        self.move_count = 0
        legal: list[tuple[int, int]] = []
        for card in range(52):
            bit = self.place[card]
            if bit & mine:
                if mine & bit >> 1 == 0:  # not equivalent to the card before
                    self.moves[self.move_count] = bit
                    self.move_count += 1
                legal.append((card, self.move_count - 1))

        worth = range(self.left + 1) if payoff is None else payoff
        steps = sorted(set(worth))
        for at in range(self.left + 1):
            self.payoff[at] = worth[at]
        self.step_count = len(steps)
        for at in range(self.step_count):
            self.steps[at] = steps[at]

        self.stop = self.unset if stop is None else stop
        self.status = _SOLVED
        self.value = self.payoff[0]
        self.nodes = 0
        self.pause = 0
        self.limit = max_nodes
        return legal
