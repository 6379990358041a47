"""Cards and sets of cards."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_engine.game import (
    CARDS,
    EMPTY,
    FULL,
    SUIT_MASK,
    Card,
    Rank,
    Suit,
    UnreadableEvent,
    card_set,
    cards_of,
    count,
    format_card,
    format_cards,
    has_card,
    in_suit,
    parse_card,
    parse_cards,
)

cards = st.sampled_from(CARDS)


def test_card_order_is_suit_by_suit_from_the_deuce() -> None:
    """The 52 cards in order are clubs, diamonds, hearts, spades, each from the deuce to the ace."""
    order = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
    assert [str(card) for card in CARDS] == order
    assert [int(card) for card in CARDS] == list(range(52))


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_a_card_knows_its_suit_and_rank(card: Card) -> None:
    """A card's number is suit * 13 + rank - 2, and its text reads back as the very same object."""
    assert card.suit * 13 + card.rank - 2 == card
    assert isinstance(card.suit, Suit)
    assert isinstance(card.rank, Rank)
    assert parse_card(str(card)) is card
    assert f"{card}" == format_card(card)
    assert Card(int(card)) is card
    assert pickle.loads(pickle.dumps(card)) is card


@pytest.mark.parametrize("number", [-1, 52])
def test_no_other_numbers_are_cards(number: int) -> None:
    """Only 0 to 51 are cards."""
    with pytest.raises(ValueError, match="0 to 51"):
        Card(number)


@pytest.mark.parametrize("text", ["", "S", "1S", "10S", "as", "SA", "AX", "??", "A S", "AS ", "\uff21S"])
def test_other_texts_are_not_cards(text: str) -> None:
    """Anything but rank and suit in capitals is unreadable."""
    with pytest.raises(UnreadableEvent):
        parse_card(text)


@pytest.mark.parametrize(("text", "meant"), [("as", "AS"), ("10H", "TH"), ("SA", "AS"), ("10d", "TD")])
def test_a_misspelt_card_is_guessed(text: str, meant: str) -> None:
    """The message names the card that was most likely meant."""
    with pytest.raises(UnreadableEvent, match=f"did you mean {meant}"):
        parse_card(text)


@given(st.lists(st.one_of(st.none(), cards)))
def test_lists_read_back(items: list[Card | None]) -> None:
    """A list of cards and hidden cards reads back in the order written."""
    assert parse_cards(format_cards(items)) == tuple(items)


def test_an_empty_list_is_none() -> None:
    """The empty list is written "none"."""
    assert format_cards(()) == "none"
    assert parse_cards("none") == ()


@pytest.mark.parametrize("text", ["", "AS,", ",AS", "AS,,KS", "AS KS", "none,AS", "AS,none"])
def test_bad_lists_are_unreadable(text: str) -> None:
    """Every item of a list is a card or ??."""
    with pytest.raises(UnreadableEvent):
        parse_cards(text)


@given(st.sets(cards), st.sets(cards))
def test_sets_are_sets(left: set[Card], right: set[Card]) -> None:
    """A mask behaves as the set of cards it stands for."""
    a, b = card_set(left), card_set(right)
    assert cards_of(a) == tuple(sorted(left))
    assert set(cards_of(a & b)) == left & right
    assert set(cards_of(a & ~b)) == left - right
    assert count(a | b) == len(left | right)
    assert all(has_card(a, card) == (card in left) for card in CARDS)
    assert all(set(cards_of(in_suit(a, suit))) == {c for c in left if c.suit is suit} for suit in Suit)


def test_the_suits_make_up_the_deck() -> None:
    """The four suits are disjoint and together the whole deck."""
    assert sum(SUIT_MASK) == FULL
    assert [count(mask) for mask in SUIT_MASK] == [13] * 4
    assert cards_of(EMPTY) == ()
    assert cards_of(FULL) == CARDS
