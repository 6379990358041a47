"""Positions for tests of the house player, and other deals that look the same from one seat."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from spades_engine.game import (
    BLIND_NIL,
    PRESETS,
    Action,
    BidMade,
    Card,
    Choose,
    Deal,
    Dealer,
    Draw,
    GameError,
    Give,
    Look,
    OptionError,
    Phase,
    Play,
    RuleSet,
    Seat,
    State,
    Step,
    Swap,
    View,
    advance,
    cards_of,
    deal,
    new_game,
    seed_streams,
)
from spades_engine.search.choose import Choice, Search, quick_choice
from tests.game.hands import VALUES, random_action

DECISIONS = (Phase.BLIND, Phase.DRAFT, Phase.SWAP, Phase.BID, Phase.PLAY)


def random_rules(rng: Random, preset: str | None = None) -> RuleSet:
    """A preset with some options changed; values that it refuses are left out."""
    rules = RuleSet.preset_named(preset or rng.choice(PRESETS))
    for name in rng.sample(sorted(VALUES), rng.randint(0, 10)):
        try:
            rules = rules.with_options({name: rng.choice(VALUES[name])})
        except OptionError:
            continue
    return rules


def searched(view: View, nodes: int, seed: int = 1) -> Choice:
    """A search with a node limit only."""
    return Search(view, seed, nodes, lambda: False).run()


def view_of(state: State) -> View:
    """The view of the seat to act."""
    assert state.turn is not None
    return View.of(state, state.turn)


def house(state: State) -> Action:
    """The rule policy's action."""
    return quick_choice(view_of(state))


def mixed(rng: Random, randomness: float) -> Callable[[State], Action]:
    """A player of the rule policy that now and then acts at random; it calls blind nil often, to reach exchanges."""

    def act(state: State) -> Action:
        if state.phase is Phase.BLIND:
            assert state.turn is not None
            return BidMade(state.turn, BLIND_NIL) if rng.random() < 0.4 else Look(state.turn)
        return random_action(state, rng) if rng.random() < randomness else house(state)

    return act


def hand_states(
    rules: RuleSet,
    seed: int,
    act: Callable[[State], Action] = house,
    totals: tuple[int, int] = (0, 0),
    bags: tuple[int, int] = (0, 0),
) -> Iterator[State]:
    """Every state of one hand in which a seat is to act, and the last one."""
    rng = Random(seed)
    dealer = Dealer(rules, seed_streams(str(seed)))
    state, _ = deal(dealer, new_game(rules, rng.choice(rules.seats), totals=totals, bags=bags))
    while state.phase not in (Phase.DEAL, Phase.OVER):
        yield state
        state, _ = advance(dealer, state, act(state))
    yield state


def random_scores(rules: RuleSet, rng: Random) -> tuple[tuple[int, int], tuple[int, int]]:
    """Totals and bags of a game in progress."""
    low = -150 if rules.floor is None else max(-150, rules.floor + 1)
    totals = (rng.randrange(low, rules.target), rng.randrange(low, rules.target))
    most = rules.bag_limit or 10
    return totals, (rng.randrange(most), rng.randrange(most))


# The same view, other cards ------------------------------------------------------------------------------------------


def exchanged_cards(state: State, seat: Seat, rng: Random, tries: int = 12) -> State:
    """A state that `seat` cannot tell from `state`, with cards it cannot place put elsewhere.

    Pairs of such cards are exchanged through the whole hand; an exchange that makes the hand illegal is taken back.
    """
    start = new_game(state.rules, state.first, totals=state.totals, bags=state.bags)
    places = list(cards_of(View.of(state, seat).unseen))
    found = {card: card for card in state.rules.deck}
    other = state
    for _ in range(tries):
        if len(places) < 2:
            break
        one, two = rng.sample(places, 2)
        changed = {**found, one: found[two], two: found[one]}
        try:
            replayed = _replayed(start, state.history, changed)
        except GameError:
            continue
        found, other = changed, replayed
    return other


def _replayed(state: State, history: tuple[Step, ...], changed: dict[Card, Card]) -> State:
    def moved(cards: tuple[Card | None, ...] | None) -> tuple[Card | None, ...] | None:
        return cards and tuple(changed[card] for card in cards if card is not None)

    for step in history:
        match step:
            case Deal(_, _, hands):
                step = replace(step, number=state.number + 1, hands=tuple((s, moved(c) or ()) for s, c in hands))
            case Look(_, cards):
                step = replace(step, cards=moved(cards))
            case Draw(_, Card() as card) | Choose(_, _, Card() as card) | Play(_, card):
                step = replace(step, card=changed[card])
            case Swap(_, thrown, taken):
                step = replace(step, thrown=moved(thrown) or (), taken=moved(taken) or ())
            case Give(_, cards):
                step = replace(step, cards=moved(cards) or ())
        state = state.apply(step)
    return state


def hidden_card_positions(seed: int) -> Iterator[tuple[State, State, Seat]]:
    """Endless pairs of full states that the seat to act cannot tell apart, of every phase and preset in turn."""
    rng = Random(seed)
    for number in range(10**9):
        rules = RuleSet.preset_named(PRESETS[number % len(PRESETS)])
        if number % 3 == 2:
            rules = random_rules(rng, rules.preset)
        totals, bags = random_scores(rules, rng)
        states = list(hand_states(rules, rng.randrange(10**6), mixed(rng, 0.2), totals, bags))[:-1]
        by_phase = {phase: [state for state in states if state.phase is phase] for phase in DECISIONS}
        for found in by_phase.values():
            for state in rng.sample(found, min(2, len(found))):
                assert state.turn is not None
                yield state, exchanged_cards(state, state.turn, rng), state.turn
