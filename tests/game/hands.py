"""Hands to test with: played at random, played by a plan, or told line by line."""

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from hypothesis import strategies as st

from spades_engine.game import (
    BLIND_NIL,
    CARDS,
    PRESETS,
    Action,
    BidMade,
    Card,
    Choose,
    Dealer,
    Event,
    Give,
    Look,
    OptionError,
    Phase,
    Play,
    RuleSet,
    Seat,
    State,
    Swap,
    advance,
    card_set,
    cards_of,
    deal,
    legal_actions,
    legal_cards,
    new_game,
    parse_bid,
    parse_cards,
    parse_event,
    seed_streams,
)

S, N, E, W = Seat.S, Seat.N, Seat.E, Seat.W


class Moment(NamedTuple):
    """One call of `deal` or `advance`."""

    before: State
    events: tuple[Event, ...]
    after: State


def rules_of(preset: str, **options: str) -> RuleSet:
    """A preset with some options changed."""
    return RuleSet.preset_named(preset).with_options(options)


def hand(text: str) -> str:
    """A comma list from suits with their ranks: "C23 SAK" is 2C,3C,KS,AS; "" is none."""
    wanted = {rank + part[0] for part in text.split() for rank in part[1:]}
    return ",".join(str(card) for card in CARDS if str(card) in wanted) or "none"


def hidden(size: int = 13) -> str:
    """A list of hidden cards."""
    return ",".join(["??"] * size)


def told(state: State, *lines: str) -> State:
    """The state after record lines, in which the seat, the number and the first seat may be left out."""
    for line in lines:
        event = parse_event(line, state.rules, state.turn, state.number + 1, state.first)
        state = state.apply(event)
    return state


def played(state: State, cards: str) -> State:
    """The state after the cards, played by whoever's turn it is."""
    return told(state, *(f"play {card}" for card in cards.split()))


def random_moments(
    rules: RuleSet,
    seed: int,
    hands: int = 1,
    totals: tuple[int, int] = (0, 0),
    bags: tuple[int, int] = (0, 0),
) -> list[Moment]:
    """Whole hands of random legal actions; one seed gives one game."""
    rng = Random(seed)
    dealer = Dealer(rules, seed_streams(str(seed)))
    state = new_game(rules, rng.choice(rules.seats), totals=totals, bags=bags)
    moments = []
    while state.phase is not Phase.OVER and (state.phase is not Phase.DEAL or state.hands_played < hands):
        if state.phase is Phase.DEAL:
            after, events = deal(dealer, state)
        else:
            after, events = advance(dealer, state, random_action(state, rng))
        moments.append(Moment(state, events, after))
        state = after
    return moments


def random_action(state: State, rng: Random) -> Action:
    """A legal action, each size of exchange as likely as the others."""
    seat = state.turn
    assert seat is not None
    if state.phase is not Phase.SWAP:
        return rng.choice(legal_actions(state))
    cards, most = cards_of(state.hands[seat]), state.rules.exchange_count
    if state.rules.exchange == "partner":
        return Give(seat, tuple(rng.sample(cards, most)))
    return Swap(seat, tuple(rng.sample(cards, rng.randint(0, most))))


def planned(
    rules: RuleSet,
    bids: Mapping[Seat, str],
    seed: str = "plan",
    first: Seat | None = None,
    totals: tuple[int, int] = (0, 0),
    bags: tuple[int, int] = (0, 0),
    dealer: Dealer | None = None,
) -> State:
    """The state after one hand in which every seat bids as told, keeps what it draws, exchanges its lowest cards and
    plays its lowest legal card. Without blind nils the bids change nothing about the tricks.
    """
    state = new_game(rules, first or rules.seats[0], totals=totals, bags=bags)
    return finish(state, bids, dealer or Dealer(rules, seed_streams(seed)))


def finish(state: State, bids: Mapping[Seat, str], dealer: Dealer, until: Phase = Phase.DEAL) -> State:
    """Go on by the same plan to the end of the hand, or to the phase `until`."""
    if state.phase is Phase.DEAL:
        state, _ = deal(dealer, state)
    while state.phase not in (until, Phase.DEAL, Phase.OVER):
        state, _ = advance(dealer, state, _plan(state, bids))
    return state


def _plan(state: State, bids: Mapping[Seat, str]) -> Action:
    seat, most = state.turn, state.rules.exchange_count
    assert seat is not None
    match state.phase:
        case Phase.BLIND:
            return BidMade(seat, BLIND_NIL) if bids.get(seat) == "blindnil" else Look(seat)
        case Phase.DRAFT:
            return Choose(seat, True)
        case Phase.BID:
            return BidMade(seat, parse_bid(bids[seat], state.rules))
        case Phase.SWAP:
            lowest = cards_of(state.hands[seat])[:most]
            return Give(seat, lowest) if state.rules.has_partners else Swap(seat, lowest)
        case _:
            return Play(seat, cards_of(legal_cards(state))[0])


def cards_in(text: str) -> list[Card]:
    """The cards of a text as `hand` takes it, in card order."""
    return [card for card in parse_cards(hand(text)) if card is not None]


def draft_deck(first: str, second: str) -> tuple[Card, ...]:
    """A stock from which two seats that always keep end with these hands; what they discard is in card order."""
    hands = [cards_in(first), cards_in(second)]
    assert all(len(cards) == 13 for cards in hands)
    rest = iter(cards_of(card_set(CARDS) & ~card_set(hands[0] + hands[1])))
    return tuple(card for pair in zip(*hands, strict=True) for kept in pair for card in (kept, next(rest)))


def deal_deck(rules: RuleSet, *hands: str) -> tuple[Card, ...]:
    """A deck from which the seats are dealt these hands, the first seat's first; the rest in card order."""
    dealt = [card for round_of_cards in zip(*map(cards_in, hands), strict=True) for card in round_of_cards]
    assert len(dealt) == 13 * len(rules.seats)
    return (*dealt, *(card for card in rules.deck if card not in dealt))


S_LEADS_CLUBS = f"deal hand.S={hand('C3456789TJQKA SA')} hand.N={hand('D3456789TJQKA S2')}"
"""A deal for `duel` in which each seat has one suit and one spade; S, who leads, wins every trick."""

VALUES: dict[str, tuple[str, ...]] = {
    "target": ("50", "120", "500", "5000"),
    "floor": ("none", "-1", "-60", "-5000"),
    "bag_limit": ("none", "1", "2", "5", "10", "20"),
    "bag_penalty": ("0", "50", "100", "1000"),
    "bag_points": ("0", "1"),
    "nil": ("off", "0", "50", "100"),
    "blind_nil": ("off", "0", "200"),
    "blind_deficit": ("0", "1", "100"),
    "exchange": ("none", "discards", "partner"),
    "exchange_count": ("0", "1", "2", "3", "4"),
    "failed_nil_bags": ("yes", "no"),
    "failed_nil_helps": ("yes", "no"),
    "peek": ("seen", "unseen"),
    "draft_choice": ("public", "hidden"),
    "first_bidder": ("first", "second"),
    "leader": ("bidder", "other"),
    "lead_spades": ("broken", "anytime"),
    "first_trick_ruff": ("yes", "no"),
    "removed": ("none", "2C,2D", "AS", "2C,3C,4C,5C,6C,7C,2D,3D,4D,5D,6D,7D,2H,3H,4H,5H,6H,7H,2S,3S,4S,5S,6S,7S"),
    "hand_cap": ("1", "2", "200"),
    "min_bid": ("0", "1", "4"),
    "nil_is_zero": ("yes", "no"),
}


@st.composite
def rule_sets(draw: st.DrawFn, presets: tuple[str, ...] = PRESETS) -> RuleSet:
    """Any rules: a preset with some options changed, those left out that it refuses."""
    rules = RuleSet.preset_named(draw(st.sampled_from(presets)))
    for name in draw(st.lists(st.sampled_from(sorted(VALUES)), unique=True, max_size=8)):
        try:
            rules = rules.with_options({name: draw(st.sampled_from(VALUES[name]))})
        except OptionError:
            continue
    return rules


seeds = st.integers(0, 10**6)
