"""A beginner's rules, for two players: what somebody plays who was told the rules an hour ago.

Keeps honours and spades; bids aces, guarded kings and all spades beyond two; wins what it can as cheaply as it can
until the bid is made, and then loses what it can.
"""

from __future__ import annotations

from spades_engine.game import (
    Action,
    BidKind,
    BidMade,
    Choose,
    Look,
    Phase,
    Play,
    Swap,
    View,
)

_SPADE = 39


def beginner(view: View) -> Action:
    """The beginner's action for the seat to act."""
    hand = [card for card in range(52) if int(view.hand) >> card & 1]
    match view.phase:
        case Phase.BLIND:
            return next(action for action in view.legal if isinstance(action, Look))
        case Phase.DRAFT:
            assert view.draw is not None
            keep = int(view.draw) >= _SPADE or int(view.draw) % 13 >= 10
            return next(action for action in view.legal if isinstance(action, Choose) and action.keep is keep)
        case Phase.SWAP:
            return next(action for action in view.legal if isinstance(action, Swap) and not action.thrown)
        case Phase.BID:
            wanted = min(_count(hand), 10)
            contracts = [a for a in view.legal if isinstance(a, BidMade) and a.bid.kind is BidKind.CONTRACT]
            return min(contracts, key=lambda action: abs(action.bid.tricks - wanted))
        case _:
            return _card(view)


def _count(hand: list[int]) -> int:
    """Tricks as a beginner counts them."""
    spades = [card for card in hand if card >= _SPADE]
    tricks = max(0, len(spades) - 2)
    for suit in range(3):
        ranks = [card % 13 for card in hand if card // 13 == suit]
        tricks += (12 in ranks) + (11 in ranks and len(ranks) > 1)
    return tricks


def _card(view: View) -> Action:
    plays = [action for action in view.legal if isinstance(action, Play)]
    bid = view.bids[view.seat]
    wants = bid is not None and view.taken[view.seat] < bid.tricks
    ranked = sorted(plays, key=lambda action: (int(action.card) >= _SPADE, int(action.card) % 13))
    if not view.trick:
        side = [action for action in ranked if int(action.card) < _SPADE]
        return (side or ranked)[-1 if wants else 0]
    led = int(view.trick[0][1])
    wins = [a for a in ranked if _beats(int(a.card), led)]
    loses = [a for a in ranked if not _beats(int(a.card), led)]
    if wants:
        return wins[0] if wins else ranked[0]
    return loses[-1] if loses else ranked[0]


def _beats(card: int, led: int) -> bool:
    return card > led if card // 13 == led // 13 else card >= _SPADE
