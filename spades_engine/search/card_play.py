"""The rule policy for cards: what it is after on a trick, and the card it follows with. Leads are in `card_lead`.

Everything is read from the seat's own cards and from what is public, so the same code plays a seat of a view and every
seat of a playout.
"""

from __future__ import annotations

from spades_engine.search.card_lead import lead_low, lead_to_win
from spades_engine.search.table import Table, beats, winning_card
from spades_engine.search.terms import CONTRACT, FIRST_SPADE, HAND_SIZE, NIL, PLAIN, SPADES, SUITS

TAKE, AVOID, NIL_ALIVE, HUNT = 0, 1, 2, 3
"""What a seat is after: tricks, no more tricks, no trick at all, or to make an opponent's nil win a trick."""


def choose_card(table: Table, seat: int) -> int:
    """The policy's card for the seat, whose turn it is."""
    legal = table.legal(seat)
    if not legal & (legal - 1):
        return legal.bit_length() - 1
    terms = table.terms
    hand = table.hands[seat]
    threat = terms.deck & ~(table.played | hand | table.gone[seat])
    voids = table.voids
    if terms.players == 2:
        threat &= ~voids[1 - seat]
        partner_nil = False
    else:
        threat &= ~(voids[seat - 1] & voids[(seat + 1) & 3])
        partner = (seat + 2) & 3
        partner_nil = table.kinds[partner] > CONTRACT and not table.taken[partner]
    aim, keep = _aim(table, seat, hand, threat, partner_nil)
    trick = table.trick
    if not trick:
        if aim == HUNT:
            need = table.needs[seat & 1]
            left = HAND_SIZE - table.trick_number
            aim = AVOID if need <= sure_winners(hand, threat) + left // 2 else TAKE
        if aim == TAKE:
            return lead_to_win(table, seat, legal, threat, partner_nil)
        return lead_low(table, seat, legal & ~keep or legal, threat, aim == NIL_ALIVE)
    if aim == HUNT:
        prey = _hunted_card(table, seat, threat)
        lose = legal & ~beats(legal, winning_card(trick))
        spare = lose & ~keep or lose
        if prey > 0 and lose:
            follows = lose & SUITS[trick[0] // 13]
            return spare.bit_length() - 1 if follows else _most_dangerous(hand, spare, threat)
        if prey == 0 and lose:
            return _throw(hand, lose, threat, SUITS[trick[0] // 13])
        aim = TAKE if table.needs[seat & 1] > 0 or terms.bag_cost <= 0 else AVOID
    if aim == TAKE:
        if terms.players == 2:
            win = beats(legal, trick[0])
            return _lowest(win) if win else _throw(hand, legal, threat, SUITS[trick[0] // 13])
        return _follow_to_win(table, seat, hand, legal, threat, partner_nil)
    return _duck(table, hand, legal, threat, keep, aim == NIL_ALIVE)


def _hunted_card(table: Table, seat: int, threat: int) -> int:
    """How this trick stands for breaking a nil of the opponents: 1 if the nil is winning it, 0 if it is still to play
    and may well have to win, -1 if nothing is to be had.
    """
    trick = table.trick
    played = len(trick)
    best = winning_card(trick)
    for back in (1, 3):  # the seat before, and the one after where it has played
        other = (seat - back) & 3
        if table.kinds[other] > CONTRACT and not table.taken[other]:
            if back <= played:
                if trick[played - back] == best:
                    return 1
            elif not table.voids[other] & SUITS[trick[0] // 13] and best // 13 == trick[0] // 13:
                below = threat & SUITS[best // 13] & ((1 << best) - 1)
                if below.bit_count() <= 2:
                    return 0
    return -1


def sure_winners(hand: int, threat: int) -> int:
    """How many tricks the hand can hardly fail to win against the cards that opponents may hold.

    Top spades, spades beyond all the opponents' together, and up to two top cards of each side suit.
    """
    spades = hand & SPADES
    against = threat & SPADES
    count = (spades >> against.bit_length()).bit_count()
    theirs_left = against.bit_count()
    if count >= theirs_left:
        count = spades.bit_count()  # the top ones draw all of theirs
    elif spades.bit_count() - count > theirs_left:
        count = spades.bit_count() - theirs_left
    for suit in SUITS[:3]:
        mine = hand & suit
        if mine:
            theirs = threat & suit
            top = (mine >> theirs.bit_length()).bit_count() if theirs else 0
            if not against:
                top = mine.bit_count() if not theirs else top
            count += top if top < 2 or not against else 2
    return count


def _aim(table: Table, seat: int, hand: int, threat: int, partner_nil: bool) -> tuple[int, int]:
    """What the seat is after, and the cards it must not squander while it avoids tricks."""
    kind = table.kinds[seat]
    if kind > CONTRACT and not table.taken[seat]:
        return NIL_ALIVE, 0
    if partner_nil:
        return TAKE, 0
    terms = table.terms
    side = seat & 1
    other = side ^ 1
    left = HAND_SIZE - table.trick_number
    need = table.needs[side] if table.contracts[side] > 0 else 0
    against = table.needs[other] if table.contracts[other] > 0 else 0
    works = kind == CONTRACT or terms.helps  # whether this seat's tricks count for the contract
    prize = _nil_to_bust(table, other)
    if 0 < need <= left and works:
        if prize and need < left:
            if terms.players == 2:
                return AVOID, _top_spades(hand, threat, need)
            return HUNT, _top_spades(hand, threat, need)
        if terms.bag_cost > 0 and need < left:
            keep = _top_spades(hand, threat, need)
            if keep.bit_count() >= need and not _can_set(left, against, sure_winners(hand, threat) + 3):
                return AVOID, keep
        return TAKE, 0
    if prize:
        return AVOID if terms.players == 2 else HUNT, 0
    if works and 0 < against <= left:
        # One trick more than the sure ones is worth a try: a set costs twenty points a trick bid, a bag about nine.
        hope = 2 if need <= 0 else 3
        if _can_set(left, against, sure_winners(hand, threat) + hope):
            return TAKE, 0
    if need <= 0 and terms.bag_cost <= 0 and works:
        return TAKE, 0
    return AVOID, 0


def _can_set(left: int, against: int, tricks: int) -> bool:
    return 0 < against <= left and tricks > left - against


def _nil_to_bust(table: Table, side: int) -> int:
    """The points at stake in a nil of that side that is still alive, 0 if there is none."""
    for seat in range(side, table.terms.players, 2):
        kind = table.kinds[seat]
        if kind > CONTRACT and not table.taken[seat]:
            return (table.terms.nil if kind == NIL else table.terms.blind) or 0
    return 0


def _top_spades(hand: int, threat: int, most: int) -> int:
    """Up to `most` spades that no other spade can beat, the highest ones."""
    top = hand & SPADES & -1 << (threat & SPADES).bit_length()
    while top.bit_count() > most:
        top &= top - 1
    return top


def _lowest(cards: int) -> int:
    return (cards & -cards).bit_length() - 1


def _throw(hand: int, legal: int, threat: int, led: int) -> int:
    """The least valuable card when the trick is not to be won and tricks are wanted later."""
    plain = legal & PLAIN
    if legal & led or not plain:
        return _lowest(legal)
    best = -1
    best_cost = 1000
    ruffs = hand & SPADES
    for suit in SUITS[:3]:
        mine = plain & suit
        if not mine:
            continue
        low = _lowest(mine)
        theirs = threat & suit
        above = (theirs >> low).bit_count()
        count = mine.bit_count()
        cost = low % 13 - above if above < 3 else low % 13 - 3
        if not above:
            cost += 12  # a winner
        if count == 1:
            if ruffs:
                cost -= 3  # a void to ruff with
        elif count <= 3:
            top_above = (theirs >> mine.bit_length()).bit_count()
            if top_above == count - 1:
                cost += 6  # the guard of an honour
        if cost < best_cost:
            best_cost = cost
            best = low
    return best


def _duck(table: Table, hand: int, legal: int, threat: int, keep: int, nil: bool) -> int:
    """Lose the trick with the highest card that does, or get rid of the most dangerous one."""
    trick = table.trick
    best = winning_card(trick)
    lose = legal & ~beats(legal, best)
    led = SUITS[trick[0] // 13]
    if lose:
        spare = lose & ~keep or lose
        if lose & led:
            return spare.bit_length() - 1
        if nil and spare & SPADES:
            return (spare & SPADES).bit_length() - 1  # under the spade that is winning
        return _most_dangerous(hand, spare, threat)
    if len(trick) == table.terms.players - 1:
        return (legal & ~keep or legal).bit_length() - 1
    return _lowest(legal)


def _most_dangerous(hand: int, cards: int, threat: int) -> int:
    """The card that is likeliest to win a trick it should not, of cards that lose now."""
    best = -1
    best_score = -1000
    for suit in SUITS:
        mine = cards & suit
        if not mine:
            continue
        high = mine.bit_length() - 1
        below = (threat & suit & ((1 << high) - 1)).bit_count()
        guards = (hand & suit).bit_count() - 1
        score = 4 * (high % 13) + 3 * below - 3 * guards
        if score > best_score:
            best_score = score
            best = high
    return best


def _follow_to_win(table: Table, seat: int, hand: int, legal: int, threat: int, partner_nil: bool) -> int:
    """Second, third or last card of a four-handed trick, by a seat that wants tricks."""
    trick = table.trick
    played = len(trick)
    best = winning_card(trick)
    win = beats(legal, best)
    led = SUITS[trick[0] // 13]
    if not win:
        return _throw(hand, legal, threat, led)
    follows = legal & led
    partner_wins = played >= 2 and best == trick[played - 2]
    if partner_nil:
        if partner_wins:
            return _lowest(win)
        if played < 2 and follows:
            return win.bit_length() - 1  # as high as can be, before the nil plays
    elif partner_wins:
        if played == 3 or not follows:
            return _throw(hand, legal, threat, led)
        above = threat & led & -1 << best
        if not above or best >= FIRST_SPADE > trick[0]:
            return _lowest(legal)
        high = win.bit_length() - 1
        if not above & ((1 << high) - 1):
            return _lowest(legal)  # ours is no better than the partner's
        return _lowest(win & -1 << above.bit_length() or 1 << high)
    if played == 3:
        return _lowest(win)
    if not follows:
        if played == 1 and table.voids[seat - 1] & led == 0 and _partner_may_win(table, seat, best, threat):
            return _throw(hand, legal, threat, led)
        return _lowest(win)
    above = threat & led & -1 << best
    sure = win & led & -1 << above.bit_length() if above else win & led
    if played == 1:
        return _lowest(sure) if sure else _lowest(legal)
    if best >= FIRST_SPADE > trick[0]:
        return _lowest(legal)
    return _lowest(sure) if sure else win.bit_length() - 1


def _partner_may_win(table: Table, seat: int, best: int, threat: int) -> bool:
    """Whether the card led is so low that the partner, still to play, will often beat it without help."""
    partner = (seat + 2) & 3
    suit = SUITS[best // 13]
    if table.voids[partner] & suit:
        return False
    return best % 13 < 5 and (threat & suit & -1 << best).bit_count() > 6
