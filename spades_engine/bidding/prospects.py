"""What a hand of a two-player game may come to: how likely each number of tricks is, and what the other will bid.

Fitted on 597 hands of `draft` and 386 of `duel`, bid by the rule and played by the search: the tricks won are about
normal around a line in the estimate of the hand and, for the second bidder, in the bid of the first.
"""

from __future__ import annotations

from functools import lru_cache

from spades_engine.bidding.contract import trick_chances
from spades_engine.bidding.hand_value import MILLI
from spades_engine.search.terms import DRAFT

_FIRST = {True: (0.880, 0.600, 1.155), False: (0.868, 0.668, 1.406)}
"""The first bidder's tricks, in a drafted game or a dealt one: slope on the estimate, constant, standard deviation."""
_SECOND = {True: (0.529, -0.549, 6.251, 1.020), False: (0.531, -0.813, 7.735, 1.267)}
"""The second bidder's: slopes on the estimate and on the first bid, constant, standard deviation."""
_REPLY = {True: (-0.575, -0.214, 10.123, 0.514), False: (-0.398, -0.161, 8.759, 0.567)}
"""The second bid: slopes on the first bid and on the first bidder's tricks, constant, standard deviation."""
_AGAINST_NIL = ((7, 0.5), (8, 0.5))
"""The second bid after a nil."""
_NEGLIGIBLE = 0.004
_FAILED_NIL = (0.0, 0.5, 0.3, 0.15, 0.05)
"""The tricks of a nil that fails."""


def tricks_of_contract(estimate: int, form: int, opponent_bid: int | None) -> list[float]:
    """The probabilities of 0 to 13 tricks for a hand of this estimate (thousandths) and the bid of the opponent."""
    is_drafted = form == DRAFT
    if opponent_bid is None:
        slope, constant, spread = _FIRST[is_drafted]
        mean = slope * estimate / MILLI + constant
    else:
        slope, on_bid, constant, spread = _SECOND[is_drafted]
        mean = slope * estimate / MILLI + on_bid * opponent_bid + constant
    return _kept(trick_chances(mean, spread))


def tricks_of_nil(chance: float) -> list[float]:
    """The same of a nil that is made with that probability."""
    failed = [(1.0 - chance) * share for share in _FAILED_NIL]
    return [chance, *failed[1:], *[0.0] * 9]


def believed(bid: int, usual: int) -> int:
    """What a first bid is taken for, in thousandths, if `usual` is the bid that the hand would be expected to make.

    The fit knows usual bids only. A bid far from them is taken to tell little: else it would be found profitable to
    mislead an opponent who takes every bid at its word.
    """
    return usual * MILLI + (bid - usual) * _CREDIT


_CREDIT = 300


@lru_cache(maxsize=1024)
def replies(bid: int, tricks: int, form: int, lowest: int) -> tuple[tuple[int, float], ...]:
    """The second bids to expect, with probabilities, after a first bid of so many thousandths and with these tricks."""
    on_bid, on_tricks, constant, spread = _REPLY[form == DRAFT]
    chances = trick_chances(on_bid * bid / MILLI + on_tricks * tricks + constant, spread)
    found: dict[int, float] = {}
    for reply, chance in enumerate(_kept(chances)):
        if chance:
            found[max(reply, lowest)] = found.get(max(reply, lowest), 0.0) + chance
    return tuple(found.items())


def replies_to_nil() -> tuple[tuple[int, float], ...]:
    """The second bids to expect after a nil."""
    return _AGAINST_NIL


def _kept(chances: list[float]) -> list[float]:
    """The chances without the negligible ones."""
    kept = [chance if chance >= _NEGLIGIBLE else 0.0 for chance in chances]
    total = sum(kept)
    return [chance / total for chance in kept]
