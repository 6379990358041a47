"""The learned value of cards held in the middle of a draft."""

from __future__ import annotations

from random import Random

import pytest

from spades_engine.drafting.keep import keeps
from spades_engine.drafting.value import DRAFT_VALUE, keeps_for_tricks
from spades_engine.game import RuleSet
from spades_engine.search.kernels import load_kernel
from spades_engine.search.playout import make_choice
from spades_engine.search.rng import Rng
from spades_engine.search.selfplay import new_hand
from spades_engine.search.table import DRAFTING, Table
from spades_engine.search.terms import terms_of

DECK = (1 << 52) - 1
SPADES = range(39, 52)


def random_draft(rng: Random) -> tuple[int, int, int]:
    """Cards held, cards gone, the card drawn."""
    turn = rng.randint(0, 12)
    cards = rng.sample(range(52), 2 * turn + 1)
    return sum(1 << c for c in cards[:turn]), sum(1 << c for c in cards[turn : 2 * turn]), cards[-1]


def moved(cards: int) -> int:
    """The set with clubs, diamonds and hearts moved on by one suit."""
    side = cards & (1 << 39) - 1
    return cards >> 39 << 39 | side << 13 & (1 << 39) - 1 | side >> 26


def test_side_suits_are_alike() -> None:
    """Exchanging the plain suits changes neither a value nor a margin."""
    rng = Random(1)
    for _ in range(400):
        hand, out, card = random_draft(rng)
        other = card if card >= 39 else (card + 13) % 39
        assert DRAFT_VALUE.margin(hand, out, card) == DRAFT_VALUE.margin(moved(hand), moved(out), other)
        if hand:
            assert DRAFT_VALUE.value(hand, out) == DRAFT_VALUE.value(moved(hand), moved(out))


def test_a_higher_card_is_never_worth_less() -> None:
    """A higher unseen card in place of one of the same suit does not lower the value, all other cards being unseen."""
    rng = Random(2)
    for _ in range(600):
        hand, _, card = random_draft(rng)
        if not hand:
            continue
        suit = card // 13
        mine = [c for c in range(13 * suit, 13 * suit + 13) if hand >> c & 1]
        higher = [c for c in range(13 * suit, 13 * suit + 13) if not hand >> c & 1 and mine and c > mine[0]]
        if higher:
            better = hand ^ 1 << mine[0] ^ 1 << higher[0]
            assert DRAFT_VALUE.value(better, 0) >= DRAFT_VALUE.value(hand, 0)


@pytest.mark.parametrize("card", [11, 12, 24, 25, 37, 38, *SPADES])
def test_the_first_good_card_is_kept(card: int) -> None:
    """On the first turn an ace or a king of any suit, and every spade, is kept; a plain card up to the jack is not."""
    assert keeps_for_tricks(0, 0, card)
    if card < 39:
        assert not any(keeps_for_tricks(0, 0, low) for low in range(10))


def draft(seed: int, threshold_seat: int) -> Table:
    """A finished draft in which one seat keeps by the threshold rule and the other by the learned value."""
    table = new_hand(terms_of(RuleSet.preset_named("draft")), Rng(seed), 0)
    while table.stage == DRAFTING:
        hand, gone, card = table.hands[table.turn], table.gone[table.turn], table.stock[-1]
        is_kept = (
            keeps(hand, gone, card, DECK, False) if table.turn == threshold_seat else keeps_for_tricks(hand, gone, card)
        )
        make_choice(table, is_kept)
    return table


def test_it_drafts_more_tricks_than_the_threshold_rule() -> None:
    """Over 600 stocks, each drafted twice with the seats exchanged, it wins more tricks with both hands seen."""
    solver = load_kernel("compiled").Solver(15)
    lead = 0
    for seed in range(600):
        for threshold_seat in (0, 1):
            table = draft(seed, threshold_seat)
            tricks = solver.solve(table.hands, table.opener)[1]
            lead += 2 * tricks - 13 if threshold_seat else 13 - 2 * tricks
    assert lead > 0
