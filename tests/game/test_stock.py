"""The dealer: streams, shuffles, deals, and what does not disturb them."""

import hashlib
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spades_engine.game import (
    CARDS,
    PRESETS,
    Card,
    Deal,
    Dealer,
    Draw32,
    Hidden,
    IllegalAction,
    Phase,
    Seat,
    SeedStream,
    Swap,
    advance,
    card_set,
    cards_of,
    commitment,
    deal,
    new_game,
    parse_cards,
    seed_streams,
    shuffled,
)
from tests.game.hands import E, N, S, W, finish, planned, random_action, rules_of


def words(seed: str, name: str, size: int) -> list[int]:
    """The first numbers of a stream, straight from the specification."""
    data = b"".join(hashlib.sha256(f"USP1:{seed}:{name}:{i}".encode()).digest() for i in range(size // 8 + 1))
    return [int.from_bytes(data[4 * i : 4 * i + 4], "big") for i in range(size)]


def test_a_stream_is_the_words_of_its_digests() -> None:
    """Below 2**32 nothing is thrown away: the numbers are the words of the digests, block after block."""
    stream = SeedStream("abc", "deal.1")
    assert [stream.below(1 << 32) for _ in range(40)] == words("abc", "deal.1", 40)


@given(st.integers(1, 1 << 32), st.text("abc019._-", min_size=1))
def test_words_that_favour_small_numbers_are_skipped(n: int, seed: str) -> None:
    """A number below n is the first word under the largest multiple of n, mod n."""
    limit = (1 << 32) - (1 << 32) % n
    expected = [word % n for word in words(seed, "x", 40) if word < limit][:8]
    stream = SeedStream(seed, "x")
    assert [stream.below(n) for _ in expected] == expected


@pytest.mark.parametrize("n", [0, -1, (1 << 32) + 1])
def test_numbers_are_drawn_below_one_to_two_to_the_32(n: int) -> None:
    """There is no number below 0, and none beyond a word."""
    with pytest.raises(ValueError, match="below 1"):
        SeedStream("a", "b").below(n)


def test_the_commitment_is_a_digest_of_the_seed() -> None:
    """The commitment is the SHA-256 of USP1:commit: and the seed, in lower-case hex."""
    assert commitment("7") == hashlib.sha256(b"USP1:commit:7").hexdigest()


def test_the_shuffle_goes_down_from_the_last_card() -> None:
    """With the lowest number always drawn every card moves up by one place, the first to the end."""

    class Lowest:
        """A stream of zeros."""

        def below(self, n: int) -> int:
            """Zero."""
            return 0 * n

    stream: Draw32 = Lowest()
    assert shuffled(CARDS, stream) == (*CARDS[1:], CARDS[0])


@given(st.integers(0, 10**9), st.integers(1, 1000))
@settings(max_examples=50)
def test_a_deck_has_every_card_once(seed: int, number: int) -> None:
    """Every deck is a permutation of the cards in use, and the same each time it is asked for."""
    for preset in PRESETS:
        dealer = Dealer(rules_of(preset), seed_streams(str(seed)))
        deck = dealer.deck(number)
        assert sorted(deck) == list(dealer.rules.deck)
        dealer.deck(number + 1)
        assert dealer.deck(number) == deck == Dealer(dealer.rules, seed_streams(str(seed))).deck(number)


@pytest.mark.parametrize("first", [N, E, S, W])
def test_cards_are_dealt_one_at_a_time_from_the_first_seat(first: Seat) -> None:
    """Card k of the deck goes to the k-th seat clockwise from the first one."""
    rules = rules_of("partners", blind_nil="off")
    dealer = Dealer(rules, seed_streams("q"))
    (event, *_) = deal(dealer, new_game(rules, first))[1]
    assert isinstance(event, Deal)
    start = rules.seats.index(first)
    for k, card in enumerate(dealer.deck(1)):
        assert card in dict(event.hands)[rules.seats[(start + k) % 4]]


@pytest.mark.parametrize("first", [N, E, S, W])
def test_a_look_shows_the_cards_that_were_dealt(first: Seat) -> None:
    """Picked up after declining or calling blind nil, a hand is the one that the deck gave the seat."""
    rules = rules_of("partners", exchange="none")
    dealer = Dealer(rules, seed_streams("q"))
    state = finish(new_game(rules, first), {S: "blindnil", N: "3", E: "3", W: "3"}, dealer, Phase.PLAY)
    start = rules.seats.index(first)
    for k, seat in enumerate((*rules.seats, *rules.seats)[start : start + 4]):
        assert state.hands[seat] == card_set(dealer.deck(1)[k::4])


def test_the_rest_of_a_duel_deck_is_left_over() -> None:
    """A duel deals the first 26 cards by turns; the other 24 are in no hand."""
    rules = rules_of("duel")
    dealer = Dealer(rules, seed_streams("q"))
    state, _ = deal(dealer, new_game(rules, N))
    deck = dealer.deck(1)
    assert (state.hands[N], state.hands[S]) == (card_set(deck[0:26:2]), card_set(deck[1:26:2]))
    assert state.unplaced == card_set(deck[26:])


@pytest.mark.parametrize("preset", PRESETS)
def test_the_seed_covers_the_first_seat(preset: str) -> None:
    """Without a first seat it is drawn from the stream `first`; over many seeds every seat comes."""
    rules = rules_of(preset)
    found = set()
    for seed in range(60):
        dealer = Dealer(rules, seed_streams(str(seed)))
        state, _ = deal(dealer, new_game(rules))
        assert state.first is rules.seats[SeedStream(str(seed), "first").below(len(rules.seats))]
        found.add(state.first)
    assert found == set(rules.seats)


@pytest.mark.parametrize("preset", PRESETS)
def test_play_never_touches_the_cards(preset: str) -> None:
    """However a hand is drafted, exchanged, bid and played, the next deck is the same: decks have their own streams."""
    rules = rules_of(preset, floor="none")
    decks = set()
    for player in range(4):
        rng = Random(player)
        dealer = Dealer(rules, seed_streams("same"))
        state, _ = deal(dealer, new_game(rules, rules.seats[0]))
        while state.phase not in (Phase.DEAL, Phase.OVER):
            state, _ = advance(dealer, state, random_action(state, rng))
        decks.add(dealer.deck(2))
    assert len(decks) == 1


def test_streams_do_not_disturb_each_other() -> None:
    """An exchange with the discards draws from a stream of its seat: another seat's exchange does not change it."""
    rules = rules_of("draft")
    dealer = Dealer(rules, seed_streams("5"))
    state = finish(new_game(rules, S), {S: "blindnil", N: "blindnil"}, dealer, Phase.SWAP)
    names: list[str] = []

    def streams(name: str) -> Draw32:
        names.append(name)
        return SeedStream("5", name)

    watched = Dealer(rules, streams)
    state, _ = advance(watched, state, Swap(N, cards_of(state.hands[N])[:2]))
    advance(watched, state, Swap(S, cards_of(state.hands[S])[:1]))
    assert names == ["swap.1.N", "swap.1.S"]
    assert len({SeedStream("5", name).below(1 << 32) for name in ("deal.1", "deal.2", "first", "swap.1.S")}) == 4


def test_a_deck_can_be_given() -> None:
    """A given deck is dealt as it is, for its hand only; the dealer it was given to stays as it was."""
    rules = rules_of("draft")
    dealer = Dealer(rules, seed_streams("5"))
    given_deck = tuple(reversed(CARDS))
    other = dealer.with_deck(2, given_deck)
    assert other.deck(2) == given_deck
    assert other.deck(1) == dealer.deck(1)
    assert dealer.deck(2) != given_deck
    assert other.with_deck(1, CARDS).deck(2) == given_deck


@pytest.mark.parametrize(
    ("preset", "deck", "why"),
    [
        ("draft", CARDS[:51], "wrong-count"),
        ("draft", (*CARDS[:51], CARDS[0]), "duplicate-card"),
        ("draft", (*CARDS, CARDS[0]), "duplicate-card"),
        ("duel", CARDS, "card-known-elsewhere"),
        ("duel", (), "wrong-count"),
    ],
)
def test_a_given_deck_has_every_card_once(preset: str, deck: tuple[Card, ...], why: str) -> None:
    """A deck of other cards than the game's, or with one twice, is refused."""
    with pytest.raises(IllegalAction) as caught:
        Dealer(rules_of(preset), seed_streams("5")).with_deck(1, deck)
    assert caught.value.why == why


def test_the_dealer_acts_in_its_phases_only() -> None:
    """Where a seat must decide there is nothing for the dealer to do."""
    rules = rules_of("duel")
    dealer = Dealer(rules, seed_streams("5"))
    state, _ = deal(dealer, new_game(rules, S))
    with pytest.raises(ValueError, match="not for the dealer"):
        dealer.next_event(state)


def test_the_dealer_needs_to_know_the_discards() -> None:
    """Replacements cannot be drawn at a table that does not know the other seat's discards."""
    rules = rules_of("draft")
    dealer = Dealer(rules, seed_streams("5"))
    state = finish(new_game(rules, S), {S: "blindnil", N: "blindnil"}, dealer, Phase.SWAP)
    with pytest.raises(Hidden):
        dealer.complete(state.masked(N), Swap(N, cards_of(state.hands[N])[:1]))


def test_one_seed_is_one_game() -> None:
    """The same seed and the same decisions give the same game, another seed another one."""
    rules = rules_of("draft")
    bids = {S: "3", N: "4"}
    assert planned(rules, bids, seed="a") == planned(rules, bids, seed="a")
    assert planned(rules, bids, seed="a") != planned(rules, bids, seed="b")


def test_a_known_first_deck() -> None:
    """The deck of hand 1 for seed 7 begins as a separate calculation by hand of the specification gives it."""
    numbers, deck = iter(words("7", "deal.1", 200)), list(CARDS)
    for i in range(51, 0, -1):
        word = next(w for w in numbers if w < (1 << 32) - (1 << 32) % (i + 1))
        j = word % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    assert Dealer(rules_of("draft"), seed_streams("7")).deck(1) == tuple(deck)
    assert parse_cards(",".join(map(str, deck))) == tuple(deck)
