"""The rule policy for cards led to a trick: to win it, or to lose it."""

from __future__ import annotations

from spades_engine.search.table import Table
from spades_engine.search.terms import HAND_SIZE, PLAIN, SPADES, SUITS


def lead_to_win(table: Table, seat: int, legal: int, threat: int, partner_nil: bool) -> int:
    """The lead of a seat that wants tricks: sure winners first, then a suit that gives little away.

    `threat` are the cards that opponents may hold.
    """
    spades = legal & SPADES
    their_spades = threat & SPADES
    left = HAND_SIZE - table.trick_number
    all_in = table.needs[seat & 1] >= left
    top_spades = spades >> their_spades.bit_length()
    if spades and (all_in or not legal & PLAIN):
        if top_spades:
            return _lowest(spades & -1 << their_spades.bit_length())
        if not legal & PLAIN:
            return _lowest(spades) if table.terms.players == 4 and not all_in else spades.bit_length() - 1
    hand = table.hands[seat]
    my_spades = (hand & SPADES).bit_count()
    many = table.terms.players == 4
    best = -1
    best_score = -1000
    winners = 0
    for index in range(3):
        suit = SUITS[index]
        mine = legal & suit
        if not mine:
            continue
        theirs = threat & suit
        others = theirs.bit_count()
        boss = mine & -1 << theirs.bit_length()
        count = mine.bit_count()
        ruffer = many and _opponent_void(table, seat, suit)
        if boss:
            card = _lowest(boss)
            winners += 1
            if not their_spades:
                score = 100 - others
            elif not theirs and not many:
                card = _lowest(mine)
                score = 40 + count  # costs the opponent a spade, or wins
            elif not theirs or ruffer:
                score = -6 + (12 if my_spades == 0 else 0)
            else:
                score = 60 + others if others >= (5 if many else 2) else 18 + others
        else:
            above = (theirs >> mine.bit_length()).bit_count()
            high = all_in or not many or (partner_nil and above <= 1)
            card = mine.bit_length() - 1 if high else _lowest(mine)
            score = 8 + count - (8 if above <= 2 and count <= 3 and not all_in else 0)
            if all_in:
                score = 30 - 3 * above
            elif count == 1 and my_spades:
                score += 6
            if many:
                score += _partner_bonus(table, seat, suit, threat) - (10 if ruffer else 0)
            if partner_nil:
                score -= 10
        if score > best_score:
            best_score = score
            best = card
    if spades:
        count = spades.bit_count()
        if top_spades:
            drawing = their_spades.bit_count()
            score = 50 if winners and drawing <= 2 * count else 25 if count >= 5 else 12
            if partner_nil:
                score = 58
            elif not many and drawing <= count:
                score = 45
            if not their_spades:
                score = 5
            if best < 0 or score > best_score:
                return _lowest(spades & -1 << their_spades.bit_length())
        elif many and count >= 5 and best_score < 12:
            return _lowest(spades)
    return best if best >= 0 else _lowest(legal)


def lead_low(table: Table, seat: int, cards: int, threat: int, nil: bool) -> int:
    """The lead of a seat that wants to lose the trick: the low card that most of the cards out can beat.

    With a nil of the opponents' alive, a suit its seat has shown not to hold is of no use.
    """
    hunted = 0
    if not nil:
        terms = table.terms
        for other in range((seat & 1) ^ 1, terms.players, 2):
            if table.kinds[other] > 0 and not table.taken[other]:
                hunted |= table.voids[other]
    best = -1
    best_score = -1000
    for index in range(4):
        suit = SUITS[index]
        mine = cards & suit
        if not mine:
            continue
        low = _lowest(mine)
        theirs = threat & suit
        above = (theirs >> low).bit_count()
        below = theirs.bit_count() - above
        score = 4 * above - 5 * below - low % 13
        if not above:
            score -= 60
        if hunted & suit:
            score -= 30
        if index == 3:
            score -= 4
        if mine & (mine - 1) and nil:
            score += 2  # something left to duck with
        if score > best_score:
            best_score = score
            best = low
    return best


def _lowest(cards: int) -> int:
    return (cards & -cards).bit_length() - 1


def _opponent_void(table: Table, seat: int, suit: int) -> bool:
    """Whether an opponent of a four-handed game has shown to be void in the suit and may still ruff."""
    for other in (seat - 1, (seat + 1) & 3):
        void = table.voids[other]
        if void & suit and not void & SPADES:
            return True
    return False


def _partner_bonus(table: Table, seat: int, suit: int, threat: int) -> int:
    """How much a lead of the suit helps because the partner can ruff it."""
    void = table.voids[(seat + 2) & 3]
    return 30 if void & suit and not void & SPADES and threat & suit else 0
