"""The exchanges after a blind nil, with the discards and with the partner."""

from random import Random

import pytest

from spades_engine.game import (
    Dealer,
    Give,
    IllegalAction,
    Phase,
    Seat,
    SeedStream,
    State,
    Swap,
    WrongPhase,
    WrongSeat,
    advance,
    card_set,
    cards_of,
    count,
    legal_actions,
    new_game,
    seed_streams,
)
from spades_engine.game.cards import format_cards
from tests.game.hands import E, N, S, W, finish, hand, rules_of, told

BOTH = {S: "blindnil", N: "blindnil"}


def drafted(bids: dict[Seat, str] | None = None, seed: str = "6", **options: str) -> tuple[State, Dealer]:
    """A drafted hand that waits for an exchange, and its dealer."""
    rules = rules_of("draft", **options)
    dealer = Dealer(rules, seed_streams(seed))
    return finish(new_game(rules, S), bids or BOTH, dealer, Phase.SWAP), dealer


def lowest(state: State, size: int) -> str:
    """The lowest cards of the seat to act, as a list."""
    assert state.turn is not None
    return format_cards(cards_of(state.hands[state.turn])[:size])


# With the discards.


def test_callers_exchange_in_bidding_order() -> None:
    """In `draft` the second drawer exchanges first; after the last exchange comes the bidding or, both blind, play."""
    state, dealer = drafted()
    assert (state.phase, state.turn, state.swaps_due) == (Phase.SWAP, N, (N, S))
    state, _ = advance(dealer, state, Swap(N, ()))
    assert (state.phase, state.turn) == (Phase.SWAP, S)
    state, _ = advance(dealer, state, Swap(S, ()))
    assert (state.phase, state.turn) == (Phase.PLAY, N)


def test_only_callers_exchange() -> None:
    """A seat that looked has no exchange, and bids after the caller's."""
    state, dealer = drafted({S: "blindnil", N: "3"})
    assert state.swaps_due == (S,)
    state, _ = advance(dealer, state, Swap(S, ()))
    assert (state.phase, state.turn) == (Phase.BID, N)


@pytest.mark.parametrize("size", range(4))
def test_cards_leave_first_and_as_many_come_from_the_discards(size: int) -> None:
    """Thrown cards leave the hand and never come back; the taken ones were discarded in the draft, by either seat."""
    state, dealer = drafted()
    thrown = cards_of(state.hands[N])[:size]
    after, (event,) = advance(dealer, state, Swap(N, thrown))
    assert isinstance(event, Swap)
    assert event.taken is not None
    taken = card_set(card for card in event.taken if card is not None)
    pool = state.discards[S] | state.discards[N]
    assert count(taken) == len(event.taken) == size
    assert taken & ~pool == 0
    assert after.hands[N] == state.hands[N] & ~card_set(thrown) | taken
    assert (after.thrown[N], after.picked[N], after.exchanged[N]) == (card_set(thrown), taken, size)
    assert after.discard_pool == pool & ~taken


def test_the_draw_of_replacements_is_the_specified_one() -> None:
    """The pool in card order; for each card due a number below its size is drawn and that card removed."""
    state, dealer = drafted(seed="pool")
    state, (event,) = advance(dealer, state, Swap(N, cards_of(state.hands[N])[:3]))
    assert isinstance(event, Swap)
    pool = sorted(cards_of(state.discards[S] | state.discards[N]))
    stream, expected = SeedStream("pool", "swap.1.N"), []
    for _ in range(3):
        expected.append(pool.pop(stream.below(len(pool))))
    assert list(event.taken or ()) == sorted(expected)
    state, (event,) = advance(dealer, state, Swap(S, cards_of(state.hands[S])[:2]))
    assert isinstance(event, Swap)
    stream = SeedStream("pool", "swap.1.S")
    assert set(event.taken or ()) == {pool.pop(stream.below(len(pool))) for _ in range(2)}


def test_later_callers_cannot_take_what_is_gone() -> None:
    """Neither thrown cards nor those that an earlier caller took are in the pool."""
    rng = Random(1)
    for seed in range(40):
        state, dealer = drafted(seed=str(seed), exchange_count="4")
        state, _ = advance(dealer, state, Swap(N, tuple(rng.sample(cards_of(state.hands[N]), 4))))
        gone = state.thrown[N] | state.picked[N]
        state, _ = advance(dealer, state, Swap(S, tuple(rng.sample(cards_of(state.hands[S]), 4))))
        assert state.picked[S] & (gone | state.thrown[S]) == 0
        assert count(state.hands[S] | state.hands[N]) == 26


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("swap {4}", "wrong-count"),
        ("swap {1},{1}", "duplicate-card"),
        ("swap ??", "card-needed"),
        ("swap {theirs}", "not-in-hand"),
        ("swap {1} none", "wrong-count"),
        ("swap {1}", "card-needed"),
        ("swap {1} ??", "card-needed"),
        ("swap {1} {1}", "card-known-elsewhere"),
        ("swap {2} {theirs},{pool}", "card-known-elsewhere"),
        ("swap {2} {pool},{pool}", "duplicate-card"),
        ("swap S none none", "WrongSeat"),
        ("bid 3", "WrongPhase"),
    ],
)
def test_exchanges_that_are_refused(line: str, why: str) -> None:
    """A full table knows every card of an exchange, checks it, and stays as it was when it is refused."""
    state, _ = drafted()
    line = line.format(
        None, lowest(state, 1), lowest(state, 2), None, lowest(state, 4),
        theirs=cards_of(state.hands[S])[0], pool=cards_of(state.discards[S])[0],
    )  # fmt: skip
    found = "accepted"
    try:
        told(state, line)
    except IllegalAction as error:
        found = error.why
    except (WrongPhase, WrongSeat) as error:
        found = type(error).__name__
    assert found == why
    assert state == drafted()[0]


def test_the_dealer_refuses_before_it_draws() -> None:
    """An illegal exchange is refused by the dealer with its reason, also without its outcome."""
    state, dealer = drafted()
    for action in (Swap(N, cards_of(state.hands[N])[:4]), Swap(N, cards_of(state.hands[S])[:1])):
        with pytest.raises(IllegalAction):
            dealer.complete(state, action)
    with pytest.raises(WrongSeat):
        dealer.complete(state, Swap(S, ()))


@pytest.mark.parametrize("options", [{"exchange": "none"}, {"exchange_count": "0"}])
def test_without_an_exchange_bidding_follows_the_draft(options: dict[str, str]) -> None:
    """exchange=none and exchange_count=0 are the same: nobody is asked."""
    state, _ = drafted({S: "blindnil", N: "3"}, **options)
    assert state.phase is Phase.DEAL
    assert state.exchanged == (0, 0, 0, 0)


def test_legal_exchanges_are_all_of_them_in_order() -> None:
    """1 + 13 + 78 + 286 exchanges of up to three cards, by size and then in card order."""
    state, _ = drafted()
    actions = [action.thrown for action in legal_actions(state) if isinstance(action, Swap)]
    assert len(actions) == len(set(actions)) == 378
    assert actions == sorted(actions, key=lambda thrown: (len(thrown), thrown))


# With the partner.

HANDS = {N: hand("C23456789TJQKA"), E: hand("D23456789TJQKA"), S: hand("H23456789TJQKA"), W: hand("S23456789TJQKA")}


def dealt(calls: str, **options: str) -> State:
    """A partnership hand after the bids; the seats in `calls` call blind nil, the others bid 2."""
    state = told(new_game(rules_of("partners", **options), N), "deal")
    for seat in state.rules.seats:
        look = f"look {HANDS[seat]}"
        state = told(state, *(["bid blindnil", look] if seat.name in calls else [look, "bid 2"]))
    return state


@pytest.mark.parametrize(
    ("calls", "due"),
    [
        ("", []), ("N", [N, S]), ("E", [E, W]), ("S", [S, N]), ("W", [W, E]), ("NE", [N, S, E, W]), ("NW",
        [N, S, W, E]),
        ("ES", [E, W, S, N]), ("NS", []), ("EW", []), ("NES", [E, W]), ("NEW", [N, S]), ("NESW", []),
    ],
)  # fmt: skip
def test_who_exchanges_with_the_partner(calls: str, due: list[object]) -> None:
    """After the last bid callers act in bidding order, each followed by its partner; two blind partners do not."""
    state = dealt(calls)
    assert list(state.swaps_due) == due
    assert state.phase is (Phase.SWAP if due else Phase.PLAY)
    assert state.turn is (due[0] if due else N)


def test_the_caller_gives_and_the_partner_gives_back() -> None:
    """Three cards go over, then any three come back, also the very cards that were given."""
    state = told(dealt("N"), "swap 2C,3C,4C")
    assert (count(state.hands[N]), count(state.hands[S]), state.turn) == (10, 16, S)
    assert state.given[N] == card_set(cards_of(state.hands[S])[:3])
    after = told(state, "swap 4C,KH,AH")
    assert (count(after.hands[N]), count(after.hands[S])) == (13, 13)
    assert format_cards(cards_of(after.hands[N])[-3:]) == "AC,KH,AH"
    assert after.phase is Phase.PLAY
    assert after.turn is N
    assert told(state, "swap 2C,3C,4C").hands == dealt("N").hands


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("swap 2C,3C", "wrong-count"), ("swap none", "wrong-count"), ("swap 2C,3C,4C,5C", "wrong-count"),
        ("swap 2C,2C,3C", "duplicate-card"), ("swap 2C,3C,2H", "not-in-hand"), ("swap 2C,3C,??", "card-needed"),
        ("swap S 2H,3H,4H", "WrongSeat"), ("play 2C", "WrongPhase"),
    ],
)  # fmt: skip
def test_gifts_that_are_refused(line: str, why: str) -> None:
    """Exactly exchange_count different cards of one's own hand are given, by the seat whose turn it is."""
    found = "accepted"
    try:
        told(dealt("N"), line)
    except IllegalAction as error:
        found = error.why
    except (WrongPhase, WrongSeat) as error:
        found = type(error).__name__
    assert found == why


@pytest.mark.parametrize(("size", "gifts", "returns"), [(1, 13, 14), (2, 78, 105), (3, 286, 560), (4, 715, 2380)])
def test_legal_gifts_are_all_of_them(size: int, gifts: int, returns: int) -> None:
    """The caller chooses among 13 cards, its partner among 13 and the ones just given."""
    state = dealt("N", exchange_count=str(size))
    assert len(legal_actions(state)) == gifts
    state = state.apply(legal_actions(state)[0])
    assert len(legal_actions(state)) == returns
    assert all(isinstance(action, Give) for action in legal_actions(state))


@pytest.mark.parametrize("options", [{"exchange": "none"}, {"exchange_count": "0"}])
def test_without_an_exchange_play_follows_the_bids(options: dict[str, str]) -> None:
    """exchange=none and exchange_count=0 are the same in a partnership game too."""
    assert dealt("N", **options).phase is Phase.PLAY


def test_the_form_of_the_exchange_is_that_of_the_game() -> None:
    """A gift in a drafted game and an exchange with the discards among partners are refused."""
    state, _ = drafted()
    with pytest.raises(IllegalAction) as caught:
        state.apply(Give(N, cards_of(state.hands[N])[:3]))
    assert caught.value.why == "not-allowed"
    with pytest.raises(IllegalAction) as caught:
        dealt("N").apply(Swap(N, (), ()))
    assert caught.value.why == "not-allowed"
