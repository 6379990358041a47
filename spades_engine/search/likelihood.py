"""How well a world agrees with what the other seats have done: what they drafted, and what they bid.

A uniform deal gives an opponent hands that it would never have drafted or never have bid on. Both models are kept flat,
so that a player who drafts or bids otherwise is not misread.
"""

from __future__ import annotations

from spades_engine.bidding.contract import best_contract
from spades_engine.bidding.hand_value import nil_danger, trick_estimate
from spades_engine.search.rng import Rng
from spades_engine.search.table import BIDDING, PLAYING, Table
from spades_engine.search.terms import BLIND, CONTRACT, NIL, NO_BID

_SIDE_ODDS = (5, 5, 5, 5, 5, 5, 5, 5, 6, 8, 14, 26, 32)
_SPADE_ODDS = (24, 24, 25, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34)
_KEPT_ODDS = _SIDE_ODDS * 3 + _SPADE_ODDS
"""By card, tenths: the odds that a seat which drafts for tricks keeps it. The policy's own are steeper."""
_STEPS = 48

_SIDE_KEEP = (4, 4, 4, 4, 4, 4, 4, 5, 6, 8, 20, 85, 96)
_SPADE_KEEP = (80, 82, 84, 86, 88, 90, 92, 93, 95, 96, 97, 97, 97)
_KEEP = _SIDE_KEEP * 3 + _SPADE_KEEP
"""By card, per cent: how often a seat that drafts for tricks keeps it on sight; softer than the policy."""
PLACE_WEIGHTS = [*_KEEP, *[50] * 52, *[100 - keep for keep in _KEEP], *[50] * 104]
"""Weights of a chain's places: kept on sight, taken unjudged, passed on sight, discarded unjudged, not drawn."""

_WEIGHTS = (100, 85, 50, 25, 12, 6, 3)
"""Percent, by how far a contract is from the one that the policy would bid on the world's hand."""
_NIL_SAFE, _NIL_STEP = -500, 700
"""A nil is expected on hands up to this danger (thousandths of log-odds); each step more counts as one trick."""


def tilt_draft(world: Table, seat: int, returned: int, odds: list[int], rng: Rng) -> None:
    """Make a drafted world likelier: exchange cards of the seat's hand with its discards by a Metropolis chain.

    `returned` are cards of the hand that are not its draft's; `odds`, by card in percent, what its plays tell.
    """
    movable = world.hands[seat] & ~returned
    allowed = world.gone[seat] & world.pool & ~world.voids[seat]
    mine = [card for card in range(52) if movable >> card & 1]
    out = [card for card in range(52) if allowed >> card & 1]
    if not mine or not out:
        return
    low = world.kinds[seat] == BLIND
    for _ in range(_STEPS):
        i, j = rng.below(len(mine)), rng.below(len(out))
        old, new = mine[i], out[j]
        gain, loss = _KEPT_ODDS[new], _KEPT_ODDS[old]
        if low:
            gain, loss = loss, gain
        gain *= odds[new]
        loss *= odds[old]
        if rng.below(loss) < gain:
            mine[i], out[j] = new, old
    kept = 0
    for card in mine:
        kept |= 1 << card
    gone = 0
    for card in out:
        gone |= 1 << card
    world.hands[seat] = world.hands[seat] & ~movable | kept
    world.gone[seat] = world.gone[seat] & ~allowed | gone
    world.pool = world.pool & ~allowed | gone


def bid_weight(world: Table, played_by: list[int], me: int) -> int:
    """How well the other seats' hands fit their bids, 1 to 100.

    `played_by` are the cards each seat has played. The policy's bid is worked out without the bids before it.
    """
    if world.stage not in (BIDDING, PLAYING):
        return 100
    terms = world.terms
    weight = 100
    for seat in range(terms.players):
        kind = world.kinds[seat]
        if seat == me or kind in (NO_BID, BLIND):
            continue
        hand = world.hands[seat] | played_by[seat]
        others = terms.deck & ~(hand | world.gone[seat])
        if kind == CONTRACT:
            expected = best_contract(
                trick_estimate(hand, others, terms.form), terms.form, terms.bag_cost, terms.lowest_contract
            )
            off = abs(world.bids[seat] - expected)
        elif kind == NIL:
            off = max(0, nil_danger(hand, others, terms.form) - _NIL_SAFE) // _NIL_STEP
        weight = weight * _WEIGHTS[off if off < len(_WEIGHTS) else -1] // 100
    return max(weight, 1)
