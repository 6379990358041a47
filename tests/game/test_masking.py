"""One seat's knowledge: masking events and masking states come to the same, and nothing hidden is left over."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spades_engine.game import (
    CARDS,
    PRESETS,
    Card,
    Choose,
    Deal,
    Draw,
    Event,
    Give,
    Hidden,
    Look,
    Phase,
    RuleSet,
    Seat,
    Swap,
    View,
    card_set,
    cards_of,
    format_event,
    legal_actions,
    mask_event,
    new_game,
    parse_event,
)
from tests.game.hands import E, N, S, W, hand, hidden, random_moments, rule_sets, rules_of, seeds, told


@given(rule_sets(), seeds)
@settings(max_examples=40)
def test_masked_states_are_folds_of_masked_events(rules: RuleSet, seed: int) -> None:
    """After every step of random hands each seat's masked state is what its masked events, applied one by one, give."""
    check_folds(rules, seed, 2)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", range(5))
def test_masked_states_of_the_presets(preset: str, seed: int) -> None:
    """The same for several hands of every preset."""
    check_folds(rules_of(preset), seed, 3)


def check_folds(rules: RuleSet, seed: int, hands: int) -> None:
    """Fold the events of random hands for each seat and compare after every step."""
    moments = random_moments(rules, seed, hands)
    for seat in rules.seats:
        state = new_game(rules, moments[0].before.first, seat)
        for moment in moments:
            for event in moment.events:
                state = state.apply(mask_event(event, rules, seat))
            masked = moment.after.masked(seat)
            assert state == masked
            assert masked.masked(seat) is masked


@given(rule_sets(), seeds)
@settings(max_examples=30)
def test_a_seat_knows_its_own_legal_actions(rules: RuleSet, seed: int) -> None:
    """The seat to act has the same actions in its masked state; another seat's hand is `Hidden` where it counts."""
    for moment in random_moments(rules, seed):
        state = moment.after
        if state.turn is None or (state.phase is Phase.SWAP and state.rules.exchange_count > 2):
            continue
        assert legal_actions(state.masked(state.turn)) == legal_actions(state)
        other = state.masked(rules.next_seat(state.turn))
        if state.phase in (Phase.PLAY, Phase.SWAP):
            with pytest.raises(Hidden):
                legal_actions(other)
        else:
            assert legal_actions(other) == legal_actions(state)


def swapped(event: Event, left: Card, right: Card) -> Event:
    """The event with two cards exchanged wherever they are named."""

    def one(card: object) -> object:
        return right if card == left else left if card == right else card

    def many(cards: object) -> object:
        assert isinstance(cards, tuple)
        return tuple(one(card) for card in cards)

    match event:
        case Deal(number, first, hands):
            return Deal(number, first, tuple((seat, many(cards)) for seat, cards in hands))  # type: ignore[misc]
        case Look(seat, cards) if cards is not None:
            return Look(seat, many(cards))  # type: ignore[arg-type]
        case Draw(seat, card):
            return Draw(seat, one(card))  # type: ignore[arg-type]
        case Choose(seat, keep, card):
            return Choose(seat, keep, one(card))  # type: ignore[arg-type]
        case Swap(seat, thrown, taken):
            return Swap(seat, many(thrown), many(taken))  # type: ignore[arg-type]
        case Give(seat, cards):
            return Give(seat, many(cards))  # type: ignore[arg-type]
        case _:
            return event


@given(rule_sets(), seeds, st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_cards_that_a_seat_cannot_see_make_no_difference(rules: RuleSet, seed: int, rng: Random) -> None:
    """Up to the first card: exchange two cards that a seat cannot place, and what the seat knows is the same."""
    moments = random_moments(rules, seed)
    start = moments[0].before
    events: list[Event] = []
    for moment in moments:
        if moment.before.phase is Phase.PLAY:
            break
        events += moment.events
        if rng.random() < 0.8:
            continue
        viewer = rng.choice(rules.seats)
        known = moment.after.masked(viewer)
        unseen = cards_of(known.unplaced)
        if len(unseen) < 2:
            continue
        left, right = rng.sample(unseen, 2)
        state = start
        for event in events:
            state = state.apply(swapped(event, left, right))
        assert state.masked(viewer) == known
        assert View.of(state, viewer).may_hold(rules.next_seat(viewer)) == known.may_hold(rules.next_seat(viewer))


def cards_named(text: str) -> int:
    """The set of the cards that a record line names."""
    words = text.replace("=", " ").replace(",", " ").split()
    return card_set(card for card in CARDS if str(card) in words)


@given(rule_sets(), seeds)
@settings(max_examples=30)
def test_no_state_names_a_card_its_seat_has_not_seen(rules: RuleSet, seed: int) -> None:
    """In no field and no line of history of a masked state is there a card that no masked event has named."""
    moments = random_moments(rules, seed)
    for seat in rules.seats:
        seen = 0
        for moment in moments:
            for event in moment.events:
                seen |= cards_named(format_event(mask_event(event, rules, seat), rules))
            state = moment.after.masked(seat)
            named = state.played | (0 if state.draw is None else 1 << state.draw)
            for by_seat in (state.hands, state.discards, state.thrown, state.picked, state.given):
                for cards in by_seat:
                    named |= cards
            assert named & ~seen == 0
        for event in state.history:
            assert cards_named(format_event(event, rules)) & ~seen == 0


def test_what_each_line_hides() -> None:
    """The table of the specification, line by line: who sees what."""
    draft, partners = rules_of("draft"), rules_of("partners")
    hidden_choice, unseen = rules_of("draft", draft_choice="hidden"), rules_of("draft", peek="unseen")
    cards = hand("C23456789TJQKA")
    for rules, line, viewer, shown in [
        (partners, f"deal 1 first=N hand.N={cards}", S, f"deal 1 first=N hand.N={hidden()}"),
        (partners, f"deal 1 first=N hand.N={cards}", N, f"deal 1 first=N hand.N={cards}"),
        (partners, f"look N {cards}", S, f"look N {hidden()}"),
        (partners, f"look N {cards}", N, f"look N {cards}"),
        (draft, "look N", S, "look N"),
        (draft, "draft N draw AS", S, "draft N draw ??"),
        (draft, "draft N draw AS", N, "draft N draw AS"),
        (draft, "draft N keep AS", S, "draft N keep ??"),
        (draft, "draft N pass AS", S, "draft N pass ??"),
        (draft, "draft N keep AS", N, "draft N keep AS"),
        (hidden_choice, "draft N keep AS", S, "draft N ?? ??"),
        (hidden_choice, "draft N pass AS", S, "draft N ?? ??"),
        (hidden_choice, "draft N pass AS", N, "draft N pass AS"),
        (unseen, "draft N keep AS", N, "draft N keep ??"),
        (unseen, "draft N pass AS", N, "draft N pass AS"),
        (unseen, "draft N keep AS", S, "draft N keep ??"),
        (draft, "swap N 2C,3C AS,KS", S, "swap N ??,?? ??,??"),
        (draft, "swap N 2C,3C AS,KS", N, "swap N 2C,3C AS,KS"),
        (draft, "swap N none none", S, "swap N none none"),
        (partners, "swap N 2C,3C,4C", S, "swap N 2C,3C,4C"),
        (partners, "swap N 2C,3C,4C", E, "swap N ??,??,??"),
        (partners, "swap N 2C,3C,4C", W, "swap N ??,??,??"),
        (draft, "bid N blindnil", S, "bid N blindnil"),
        (draft, "play N AS", S, "play N AS"),
        (draft, "trick N", S, "trick N"),
        (draft, "draft N keep", S, "draft N keep"),
    ]:
        assert format_event(mask_event(parse_event(line, rules), rules, viewer), rules) == shown


def test_only_one_seats_knowledge_can_be_had_from_a_masked_state() -> None:
    """A masked state is masked for its own seat only; a view of another seat is refused."""
    state = told(new_game(rules_of("draft"), S), "deal")
    with pytest.raises(Hidden):
        state.masked(S).masked(N)
    with pytest.raises(Hidden):
        View.of(state.masked(S), N)
    with pytest.raises(ValueError, match="masked"):
        View(state, S)
    with pytest.raises(ValueError, match="no seat"):
        state.masked(E)


# Views.


def test_a_view_in_the_draft() -> None:
    """In the draft a seat knows its hand, its draw and its discards; every other card is unseen."""
    state = told(new_game(rules_of("draft300"), S), "deal", "draft draw AS", "draft keep 2C")
    state = told(state, "draft draw KS", "draft pass 3C")
    view = View.of(told(state, "draft draw QS"), S)
    assert [str(card) for card in cards_of(view.hand)] == ["AS"]
    assert [str(card) for card in cards_of(view.discards)] == ["2C"]
    assert str(view.draw) == "QS"
    assert (view.counts[S], view.counts[N]) == (1, 1)
    assert len(cards_of(view.unseen)) == 49
    assert view.legal == legal_actions(view.state)
    other = View.of(told(state, "draft draw QS"), N)
    assert other.draw is None
    assert other.legal == ()
    assert [str(card) for card in cards_of(other.hand)] == ["3C"]


def test_partners_remember_what_they_gave() -> None:
    """The giver knows its partner's cards until they are played or given back; the opponents know nothing."""
    hands = {N: "C23456789TJQKA", E: "D23456789TJQKA", S: "H23456789TJQKA", W: "S23456789TJQKA"}
    state = told(new_game(rules_of("partners"), N), "deal", "bid blindnil", f"look {hand(hands[N])}")
    for seat in (E, S, W):
        state = told(state, f"look {hand(hands[seat])}", "bid 3")
    state = told(state, "swap 2C,3C,4C", "swap 2C,KH,AH")
    view = View.of(state, N)
    assert [str(card) for card in cards_of(view.known[S])] == ["3C", "4C"]
    assert (view.hidden[S], view.counts[S], view.partner) == (11, 13, S)
    assert [str(card) for card in cards_of(view.received)] == ["2C", "KH", "AH"]
    partner = View.of(state, S)
    assert [str(card) for card in cards_of(partner.known[N])] == ["2C", "KH", "AH"]
    opponent = View.of(state, E)
    assert (opponent.known[N], opponent.known[S], opponent.received) == (0, 0, 0)
    after = View.of(told(state, "play N 5C", "play E 2D", "play S 3C"), N)
    assert [str(card) for card in cards_of(after.known[S])] == ["4C"]


def test_what_a_seat_may_hold() -> None:
    """Shown voids narrow what a hidden hand may hold, and an exchange brings own discards back into question."""
    state = told(new_game(rules_of("duel"), S, S), f"deal hand.S={hand('C3456789TJQKA SA')}", "bid 9", "bid nil")
    view = View.of(told(state, "play 3C", "play 5D"), S)
    assert {card.suit.name for card in cards_of(view.may_hold(N))} == {"DIAMONDS", "HEARTS", "SPADES"}
    assert view.voids[N] == {card.suit for card in cards_of(view.void_cards[N])}
    assert len(cards_of(view.unseen)) == 50 - 13 - 1
    assert view.may_hold(S) == 0


def test_every_part_of_a_view_can_be_read() -> None:
    """A view has the documented attributes at every moment, and they are those of the masked state."""
    names = [name for name in vars(View) if isinstance(vars(View)[name], property)]
    assert len(names) > 30
    for preset in PRESETS:
        for moment in random_moments(rules_of(preset), 1):
            for seat in moment.after.rules.seats:
                view = View.of(moment.after, seat)
                for name in names:
                    getattr(view, name)
                assert view.turn is moment.after.turn
                assert view == View(moment.after.masked(seat), seat)
                assert hash(view) == hash(View.of(moment.after, seat))
    with pytest.raises(AttributeError):
        view.seat = Seat.E
