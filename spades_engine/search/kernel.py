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
from contextlib import nullcontext
from types import SimpleNamespace

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ModuleNotFoundError:  # not compiled, and no Cython about: the one word of it used here means nothing then
    cython = SimpleNamespace(nogil=nullcontext())

SOLVED = 0
"""Status: the answer is exact."""
STOPPED = 1
"""Status: the stop flag was found set."""
NODE_LIMIT = 2
"""Status: `max_nodes` was reached."""

_STOPPED = STOPPED  # the same, as C integers
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
            lead = best = 0
            for place in (6, 5, 4, 3, 2, 1, 0):
                lead += (mine >> place & 1) - (theirs >> place & 1)
                best = max(best, lead)
            table[mine << 7 | theirs] = best
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
        self.stop = bytearray(1)
        self.nodes = 0
        self.pause = 0
        self.limit = 0
        self.status = SOLVED
        self.payoff = array("q", bytes(8 * 14))
        self.steps = array("q", bytes(8 * 14))
        self.step_count = 0
        self.hands = array("Q", bytes(8 * 4 * 14))
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
        self.moves = array("Q", bytes(8 * 13))
        self.move_count = 0
        self.tried = 0
        self.best = 0
        self.value = 0

    def clear(self) -> None:
        """Forget everything learned; answers stay the same, node counts become those of a new solver."""
        self._check_in()
        try:
            self._wipe()
        finally:
            self.busy = False

    def _check_in(self) -> None:
        if self.busy:
            raise RuntimeError("a solver can be used by one thread at a time")
        self.busy = True

    def _wipe(self) -> None:
        for index in range(len(self.table)):
            self.table[index] = 0

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
        """Return the proof for the start of a trick: `left` tricks to play, `want` counting side 0's from here."""
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
        for suit in range(3):
            cards = mine >> (16 * suit) & 0xFFFF
            others = theirs >> (16 * suit) & 0xFFFF
            if cards > others:
                count = _LENGTH[cards] - _LENGTH[others]
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
        hungry = 1 if want >> high or not want & _ONE[low] else 0
        legal = mine & _PLAIN
        if broken or legal == 0:
            legal = mine
        legal ^= legal & legal << 1
        failed = 0
        rest = legal ^ first
        while rest or first:
            if first:
                card = first
                first = 0
            else:
                card = rest & (rest - 1) ^ rest
                rest ^= card
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
        failed = 0
        while legal:
            if winners and (hungry or losers == 0):
                card = winners & (winners - 1) ^ winners
                winners ^= card
            else:
                card = losers & (losers - 1) ^ losers
                losers ^= card
            legal ^= card
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
        """Return the proof for the start of trick `level`: `left` tricks to play, `want` counting side 0's from here."""
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
        quick = self._quick4(mine, self.hands[at + (leader + 1 & 3)], self.hands[at + (leader ^ 2)], self.hands[at + (leader + 3 & 3)])
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
        hungry = 1 if want >> high or not want & _ONE[low] else 0
        legal = mine & _PLAIN
        if broken or legal == 0:
            legal = mine
        legal ^= legal & legal << 1
        failed = 0
        rest = legal ^ first
        while rest or first:
            if first:
                card = first
                first = 0
            else:
                card = rest & (rest - 1) ^ rest
                rest ^= card
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
        """Return the proof for `seat` to follow after `count` cards, the set `gone`, of which `winning` of `winner` wins."""
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
        if (seat ^ winner) & 1 == 0:
            early = 1 - hungry
        failed = 0
        while legal:
            if winners and (early or losers == 0):
                card = winners & (winners - 1) ^ winners
                winners ^= card
            else:
                card = losers & (losers - 1) ^ losers
                losers ^= card
            legal ^= card
            proof = self._play4(level, left, seat, count, broken, want, hungry, lane, winning, winner, gone, card, no_ruff)
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
            card = gone & (gone - 1) ^ gone
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
            return self._finish2(
                hand0, hand1, self.left, self.leader, self.broken, want, self.winning, self.led, card
            )
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

    def _unlocked(self, first: int, last: int) -> int:
        """Settle without the interpreter's lock."""
        done = 0
        with cython.nogil:
            done = self._settle(first, last)
        return done

    def solve(
        self,
        hands: Sequence[int],
        leader: int,
        trick: Sequence[int] = (),
        payoff: Sequence[int] | None = None,
        broken: bool = False,
        anytime: bool = False,
        no_first_ruff: bool = False,
        max_nodes: int = 1 << 62,
        stop: bytearray | None = None,
    ) -> tuple[int, int, int, int]:
        """Return (status, value, best card, nodes)."""
        self._check_in()
        try:
            cards = self._set_up(hands, leader, trick, payoff, broken or anytime, no_first_ruff, max_nodes, stop)
            if self.left == 0:
                return SOLVED, self.payoff[0], -1, 0
            if not self._unlocked(0, self.move_count):
                return self.status, 0, -1, self.nodes
            return SOLVED, self.value, cards[self.best], self.nodes
        finally:
            self.busy = False

    def solve_each(
        self,
        hands: Sequence[int],
        leader: int,
        trick: Sequence[int] = (),
        payoff: Sequence[int] | None = None,
        broken: bool = False,
        anytime: bool = False,
        no_first_ruff: bool = False,
        max_nodes: int = 1 << 62,
        stop: bytearray | None = None,
    ) -> tuple[int, list[tuple[int, int]], int]:
        """Return (status, [(card, value)], nodes)."""
        self._check_in()
        try:
            cards = self._set_up(hands, leader, trick, payoff, broken or anytime, no_first_ruff, max_nodes, stop)
            values: list[tuple[int, int]] = []
            for index in range(self.move_count):
                if not self._unlocked(index, index + 1):
                    return self.status, values, self.nodes
                values.append((cards[index], self.value))
            return SOLVED, values, self.nodes
        finally:
            self.busy = False

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
    ) -> list[int]:
        """Lay the position out in lanes and return the cards that `moves` stands for."""
        seats = len(hands)
        played = len(trick)
        union = 0
        for hand in hands:
            union |= hand
        for card in trick:
            union |= 1 << card
        left = max(hand.bit_count() for hand in hands)
        place = {}
        at = 0
        for suit in range(4):
            at = 16 * suit
            for card in range(13 * suit, 13 * suit + 13):
                if union >> card & 1:
                    place[card] = 1 << at
                    at += 1
        lanes = [0, 0, 0, 0]
        for seat in range(seats):
            for card, bit in place.items():
                if hands[seat] >> card & 1:
                    lanes[seat] |= bit
        for seat in range(4):
            self.hands[seat] = lanes[seat]
        self.seats = seats
        self.left = left
        self.leader = leader
        self.broken = 1 if broken else 0
        self.no_ruff = 1 if no_first_ruff else 0
        self.played = played
        self.mover = (leader + played) % seats
        self.led = 0
        self.winning = 0
        self.winner = leader
        self.gone = 0
        seat = leader
        for card in trick:
            bit = place[card]
            self.gone |= bit
            if self.led == 0:
                self.led = _lane_of(bit)
                self.winning = bit
            elif bit > self.winning and bit & (self.led | _SPADES):
                self.winning = bit
                self.winner = seat
            if bit & _SPADES:
                self.broken = 1
            seat = (seat + 1) % seats
        mine = lanes[self.mover]
        if played:
            legal = mine & self.led
            if legal == 0:
                legal = mine
                if no_first_ruff and mine & _PLAIN:
                    legal = mine & _PLAIN
        else:
            legal = mine & _PLAIN
            if self.broken or legal == 0:
                legal = mine
        legal ^= legal & legal << 1
        cards: list[int] = []
        for card, bit in place.items():
            if legal & bit:
                self.moves[len(cards)] = bit
                cards.append(card)
        self.move_count = len(cards)
        if payoff is None:
            payoff = range(left + 1)
        steps = sorted(set(payoff))
        for index in range(left + 1):
            self.payoff[index] = payoff[index]
        for index in range(len(steps)):
            self.steps[index] = steps[index]
        self.step_count = len(steps)
        self.stop = bytearray(1) if stop is None else stop
        self.nodes = 0
        self.pause = 0
        self.limit = max_nodes
        self.status = SOLVED
        return cards
