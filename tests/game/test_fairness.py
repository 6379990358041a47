"""Dealing follows from the seed as SPEC.md section 20 says, and is even."""

import hashlib
from collections.abc import Sequence
from random import Random
from typing import cast

import pytest

from spades_engine.game import (
    Action,
    Dealer,
    RuleSet,
    SeedStream,
    advance,
    commitment,
    deal,
    format_event,
    new_game,
    parse_card,
    parse_event,
)
from tests.game import oracle_dealing
from tests.game.chi_square import CARDS, Counts, Fit, count_deals, fits
from tests.game.oracle import PRESET_NAMES, Game, Table
from tests.game.oracle_dealing import Stream, shuffled

FALSE_ALARM = 1e-9


def dealer_of(preset: str, seed: str, changes: dict[str, str] | None = None) -> Dealer:
    """The engine's dealer for a preset and a seed."""
    rules = RuleSet.preset_named(preset).with_options(changes or {})
    return Dealer(rules, lambda name: SeedStream(seed, name))


def test_words_of_a_stream() -> None:
    """The words of a stream are those of SHA-256 over `USP1:<seed>:<name>:<i>`, each digest eight words, big-endian."""
    stream, engine_stream = Stream("abc", "deal.1"), SeedStream("abc", "deal.1")
    digests = b"".join(hashlib.sha256(f"USP1:abc:deal.1:{i}".encode("ascii")).digest() for i in range(3))
    words = [int.from_bytes(digests[4 * i : 4 * i + 4], "big") for i in range(24)]
    assert [stream.word() for _ in range(24)] == words
    assert [engine_stream.below(2**32) for _ in range(24)] == words


@pytest.mark.parametrize("n", [1, 2, 3, 7, 52, 2**31, 2**31 + 1, 3 * 2**30, 2**32 - 1, 2**32])
def test_numbers_below_n(n: int) -> None:
    """Engine and oracle draw the same numbers below n, also where about half of all words must be skipped."""
    stream, engine_stream = Stream("q", "first"), SeedStream("q", "first")
    drawn = [stream.below(n) for _ in range(200)]
    assert [engine_stream.below(n) for _ in range(200)] == drawn
    assert max(drawn) < n


def test_words_at_the_edge_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """For n = 3, 2^32 - 1 is skipped and 2^32 - 2 is not, since 2^32 mod 3 is 1."""
    words = iter([2**32 - 1, 2**32 - 2])
    monkeypatch.setattr(oracle_dealing.Stream, "word", lambda self: next(words))
    assert Stream("", "").below(3) == (2**32 - 2) % 3


@pytest.mark.parametrize("preset", PRESET_NAMES)
def test_decks_follow_from_the_seed(preset: str) -> None:
    """For many seeds and hands the dealer's deck is the one that the oracle derives."""
    cards = Table(preset).cards
    rng = Random(preset)
    for _ in range(60):
        seed = "".join(rng.choice("abcXYZ019._-") for _ in range(rng.randrange(1, 65)))
        number = rng.choice([1, 2, 3, 10, 99, 200, 1000])
        expected = shuffled(cards, Stream(seed, f"deal.{number}"))
        assert [str(card) for card in dealer_of(preset, seed).deck(number)] == expected


def test_decks_without_removed_cards() -> None:
    """Cards that are taken out are not in the deck that is shuffled."""
    removed = "3C,AC,2D,TS,AS"
    expected = shuffled(Table("duel", {"removed": removed}).cards, Stream("7", "deal.4"))
    assert len(expected) == 47
    assert [str(card) for card in dealer_of("duel", "7", {"removed": removed}).deck(4)] == expected


@pytest.mark.parametrize("preset", PRESET_NAMES)
def test_first_seats_follow_from_the_seed(preset: str) -> None:
    """The first seat is a number below the count of seats from the stream `first`, and every seat comes up."""
    seats = Table(preset).seats
    found = [dealer_of(preset, str(seed)).first_seat().name for seed in range(60)]
    assert found == [seats[Stream(str(seed), "first").below(len(seats))] for seed in range(60)]
    assert set(found) == set(seats)


@pytest.mark.parametrize("count", [1, 3, 4])
def test_exchanges_follow_from_the_seed(count: int) -> None:
    """With two callers both exchanges take the cards that the oracle derives, the second from a smaller pool."""
    changes = {"exchange_count": str(count)}
    for seed in map(str, range(10)):
        dealer = dealer_of("draft", seed, changes)
        state, events = deal(dealer, new_game(dealer.rules, dealer.first_seat()))
        lines = [format_event(event, dealer.rules) for event in events]
        actions: list[str] = []
        while (
            hand := Game(Table("draft", changes), None, [None], [actions], seed).hands[0]
        ).phase in "blind draft swap":
            action = "bid blindnil" if hand.phase == "blind" else hand.legal()[-1]
            actions.append(action)
            read = cast(Action, parse_event(action, dealer.rules, state.turn))
            state, events = advance(dealer, state, read)
            lines += [format_event(event, dealer.rules) for event in events]
        assert lines == hand.lines
        assert sum(line.startswith("swap") for line in lines) == 2


def test_a_named_deck_leaves_the_others() -> None:
    """A deck named for one hand is dealt in that hand; the decks before and after it stay those of the seed."""
    dealer = dealer_of("draft", "9")
    named = tuple(parse_card(card) for card in Table("draft").cards)
    other = dealer.with_deck(2, named)
    assert other.deck(2) == named
    assert [other.deck(n) for n in (1, 3)] == [dealer.deck(n) for n in (1, 3)]
    assert dealer.deck(2) != named


def test_commitment() -> None:
    """The commitment is the SHA-256 of `USP1:commit:<seed>` in lower-case hexadecimal."""
    assert commitment("abc") == oracle_dealing.commitment("abc")
    assert oracle_dealing.commitment("abc") == hashlib.sha256(b"USP1:commit:abc").hexdigest()


def engine_deck(seed: str, number: int) -> Sequence[int]:
    """A hand's deck by the engine, as numbers."""
    return dealer_of("draft", seed).deck(number)


def test_the_shuffle_is_even() -> None:
    """Over 10,000 deals of fixed seeds no card prefers a position, nor do the first two cards prefer each other.

    The seeds are fixed, so the outcome is too; for any other fixed seeds a fair shuffle would fail less often than
    once in 10^9. `run_chi_square.py` looks at a million deals.
    """
    counts = Counts()
    for seed in range(10):
        counts.add_counts(count_deals(engine_deck, f"even.{seed}", 1, 1000))
    for fit in fits(counts):
        assert min(fit.p_value, fit.p_too_good) > FALSE_ALARM / 8, str(fit)


def naive_swaps(seed: str, number: int) -> Sequence[int]:
    """A well-known wrong shuffle: every card changes places with any other."""
    rng = Random(f"{seed}/{number}")
    deck = list(range(CARDS))
    for i in range(CARDS):
        j = rng.randrange(CARDS)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def low_numbers(seed: str, number: int) -> Sequence[int]:
    """A shuffle that takes bytes modulo n, and so favours low numbers."""
    rng = Random(f"{seed}/{number}")
    deck = list(range(CARDS))
    for i in range(CARDS - 1, 0, -1):
        j = rng.randrange(256) % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def test_uneven_shuffles_are_found() -> None:
    """The same test, on as many deals, rejects two shuffles with well-known faults."""
    for shuffle in (naive_swaps, low_numbers):
        results = fits(count_deals(shuffle, "", 1, 10000))
        assert min(fit.p_value for fit in results) < FALSE_ALARM, [str(fit) for fit in results]


def test_a_fixed_order_is_too_good_or_too_bad() -> None:
    """Decks that follow each other in turn are more even than chance, which the test finds as well."""

    def turning(seed: str, number: int) -> Sequence[int]:
        return [(card + number) % CARDS for card in range(CARDS)]

    places = fits(count_deals(turning, "", 1, 100 * CARDS))[0]
    assert places.statistic == 0
    assert places.p_too_good < FALSE_ALARM


@pytest.mark.parametrize(
    ("statistic", "freedom", "p_value"),
    [(18.307, 10, 0.05), (63.167, 50, 0.1), (76.154, 50, 0.01), (124.342, 100, 0.05), (149.449, 100, 0.001)],
)
def test_probabilities_of_the_table(statistic: float, freedom: int, p_value: float) -> None:
    """The approximate probabilities agree with the printed tables of the chi-square distribution."""
    assert Fit("", statistic, freedom).p_value == pytest.approx(p_value, rel=0.02)
