"""Worlds agree with everything that a seat knows, and each is as likely as the others."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from spades_engine.game import PRESETS, Phase, RuleSet, State, View
from spades_engine.search.belief import Belief, Deals
from spades_engine.search.choose import equity_of
from spades_engine.search.rng import Rng
from spades_engine.search.seat_table import seat_table
from spades_engine.search.table import DRAFTING, SWAPPING, Table
from spades_engine.search.terms import SUITS
from tests.engine.house import hand_states, mixed, random_rules, view_of
from tests.game.hands import told


def belief_of(view: View) -> Belief:
    """The worlds of a view."""
    return Belief(view, seat_table(view, equity_of(view.rules)))


def cards_once(world: Table, view: View) -> None:
    """Every card of the deck is in one place at most, and all of them are somewhere in a draft."""
    places = [*world.hands, world.played]
    if world.stock:
        stock = 0
        for card in world.stock:
            assert not stock >> card & 1
            stock |= 1 << card
        places.append(stock)
    if world.stage in (DRAFTING, SWAPPING) and world.terms.form == 0:
        places.append(world.pool)
    found = 0
    for place in places:
        assert not found & place
        found |= place
    assert not found & ~world.terms.deck
    if world.stage == DRAFTING and world.terms.form == 0:
        assert found == world.terms.deck


def check_world(world: Table, view: View) -> None:
    """A world gives every seat its count, its known cards, and no card it cannot hold."""
    cards_once(world, view)
    me = world.turn
    for index, seat in enumerate(view.rules.seats):
        hand = world.hands[index]
        assert hand.bit_count() == view.counts[seat]
        assert not hand & view.void_cards[seat]
        assert hand & view.known[seat] == view.known[seat]
        if index != me:
            assert not hand & ~(view.known[seat] | view.may_hold(seat))
    if view.rules.is_drafted:
        assert len(world.stock) == view.state.stock_left + (view.draw is not None)
        if view.draw is not None:
            assert world.stock[-1] == view.draw


@pytest.mark.parametrize("preset", PRESETS)
def test_worlds_agree_with_the_view(preset: str) -> None:
    """In every position of random and of sensible hands, whatever the options, worlds fit counts, voids and cards."""
    rng = Random(f"{preset} worlds")
    for number in range(24):
        rules = random_rules(rng, preset)
        act = mixed(rng, 1.0 if number % 2 else 0.1)
        for state in list(hand_states(rules, rng.randrange(10**6), act))[:-1]:
            view = view_of(state)
            belief = belief_of(view)
            stream = Rng(number)
            for _ in range(2):
                world, weight = belief.draw(stream)
                assert weight == 1.0
                check_world(world, view)


def test_an_exchanged_hand_may_hold_my_discards() -> None:
    """After the opponent's exchange my own discards turn up in its hand now and then, never more than it took."""
    rules = RuleSet.preset_named("draft")
    rng = Random(5)
    seen: Counter[int] = Counter()
    for seed in range(40):
        for state in list(hand_states(rules, seed, mixed(rng, 0.1)))[:-1]:
            view = view_of(state)
            other = next(seat for seat in rules.seats if seat is not view.seat)
            if state.phase is not Phase.BID or not view.exchanged[other]:
                continue
            belief, stream = belief_of(view), Rng(seed)
            for _ in range(50):
                world, _ = belief.draw(stream)
                held = world.hands[rules.seats.index(other)] & view.discards & ~view.picked
                assert held.bit_count() <= view.exchanged[other]
                seen[held.bit_count()] += 1
    assert len(seen) > 1


def all_deals(cards: int, sizes: list[int], barred: list[int]) -> set[tuple[int, ...]]:
    """All deals, by trying every one."""
    if not sizes:
        return {()} if not cards else set()
    places = [1 << n for n in range(52) if cards >> n & 1]
    found = set()
    for chosen in combinations(places, sizes[0]):
        hand = sum(chosen)
        if not hand & barred[0]:
            found |= {(hand, *rest) for rest in all_deals(cards & ~hand, sizes[1:], barred[1:])}
    return found


def test_small_endings_are_drawn_evenly() -> None:
    """Against a list of all deals that fit: each of them comes up, about equally often, and no other."""
    rng = Random(3)
    checked = 0
    while checked < 25:
        holders = rng.randint(2, 3)
        sizes = [rng.randint(1, 3) for _ in range(holders)]
        cards = sum(1 << card for card in rng.sample(range(52), sum(sizes)))
        barred = [sum(suit for suit in SUITS if rng.random() < 0.3) for _ in range(holders)]
        deals = all_deals(cards, sizes, barred)
        if not deals:
            with pytest.raises(ValueError, match="no deal"):
                Deals(cards, sizes, barred)
            continue
        checked += 1
        ways, stream = Deals(cards, sizes, barred), Rng(checked)
        draws = 60 * len(deals)
        counts = Counter(tuple(ways.draw(stream)) for _ in range(draws))
        assert set(counts) == deals
        chi_square = sum((counts[one] - 60) ** 2 / 60 for one in deals)
        free = len(deals) - 1
        assert chi_square < free + 5 * (2 * free) ** 0.5 + 12


def test_one_deal_left() -> None:
    """Where the voids leave a single deal it is found at once, however many cards there are."""
    clubs, rest = SUITS[0], SUITS[1] | SUITS[2]
    ways = Deals(clubs | rest, [13, 13, 13], [rest, clubs | SUITS[2], clubs | SUITS[1]])
    assert ways.draw(Rng(1)) == [clubs, SUITS[1], SUITS[2]]


def test_shown_void_is_never_dealt_back() -> None:
    """A seat that has not followed hearts holds no heart in any world."""
    rules = RuleSet.preset_named("duel")
    rng = Random(8)
    shown = 0
    for seed in range(30):
        for state in list(hand_states(rules, seed, mixed(rng, 0.5)))[:-1]:
            view = view_of(state)
            other = next(seat for seat in rules.seats if seat is not view.seat)
            if view.void_cards[other]:
                shown += 1
                world, _ = belief_of(view).draw(Rng(seed))
                assert not world.hands[1 - world.turn] & view.void_cards[other]
    assert shown > 50


def test_gifts_stay_where_they_were_given() -> None:
    """The cards a blind caller gave to its partner, and that the partner still holds, are there in every world."""
    rules = RuleSet.preset_named("partners")
    rng = Random(2)
    gifts = 0
    for seed in range(12):
        for state in list(hand_states(rules, seed, mixed(rng, 0.2)))[:-1]:
            view = view_of(state)
            assert view.partner is not None
            known = view.known[view.partner]
            if known:
                gifts += 1
                for n in range(3):
                    world, _ = belief_of(view).draw(Rng(n))
                    assert world.hands[rules.seats.index(view.partner)] & known == known
    assert gifts > 10


def state_after(*lines: str) -> State:
    """A duel told from its start."""
    from spades_engine.game import Seat, new_game

    return told(new_game(RuleSet.preset_named("duel"), Seat.S, viewer=Seat.S), *lines)


def test_worlds_of_a_host_table() -> None:
    """A table that was told one hand only gives worlds as any other."""
    hand = "3C,4C,5C,6C,7C,8C,9C,TC,JC,QC,KC,AC,AS"
    state = state_after(f"deal hand.S={hand}", "bid 13")
    state = state.apply(told(state, "bid 1").history[-1])
    view = view_of(state)
    world, _ = belief_of(view).draw(Rng(4))
    check_world(world, view)
    assert world.hands[1].bit_count() == 13
