"""Explanations say what is so, and name no card that the seat cannot see."""

from __future__ import annotations

import re
from random import Random

import pytest

from spades_engine.game import PRESETS, Card, Phase, Play, RuleSet, State, Suit, View, parse_card
from spades_engine.search.choose import Choice, Search
from spades_engine.shell.explain import explained
from tests.engine.driving import Driver
from tests.engine.house import hand_states, hidden_card_positions, mixed, random_scores, view_of
from tests.protocol.grammar import validate_reply

CARDS = re.compile(r"\b[2-9TJQKA][CDHS]\b")


def chosen(view: View, nodes: int = 600) -> Choice:
    """A small search."""
    return Search(view, 1, nodes, lambda: False).run()


def texts(preset: str, seed: int, hands: int) -> list[tuple[State, View, Choice, str]]:
    """Explanations of every decision of some hands, at scores of all kinds."""
    rng = Random(seed)
    rules = RuleSet.preset_named(preset)
    found = []
    for number in range(hands):
        totals, bags = random_scores(rules, rng)
        for state in list(hand_states(rules, seed + number, mixed(rng, 0.2), totals, bags))[:-1]:
            view = view_of(state)
            choice = chosen(view, 200 if state.phase is Phase.DRAFT else 600)
            found.append((state, view, choice, explained(view, choice)))
    return found


def beats(card: Card, best: Card) -> bool:
    """Whether a card laid on a trick that `best` is winning wins it."""
    return (card.suit is best.suit and card.rank > best.rank) or (
        card.suit is Suit.SPADES and best.suit is not Suit.SPADES
    )


def check_trick(state: State, view: View, card: Card, text: str) -> None:
    """Hold what is said of a trick to the rules, with all hands in sight where that is the question."""
    after = state.apply(Play(view.seat, card))
    best_seat, best = None, None
    for seat, other in view.trick:
        if best is None or beats(other, best):
            best_seat, best = seat, other
    legal = [action.card for action in view.legal if isinstance(action, Play)]
    if "cheapest card that does" in text:
        assert after.trick_number > state.trick_number
        assert after.leader is view.seat
        assert best is not None
        assert not [other for other in legal if beats(other, best) and other < card]
    elif "wins the trick." in text:
        assert after.leader is view.seat
    elif "wins the trick so far" in text:
        assert best is not None
        assert beats(card, best)
        assert after.trick_number == state.trick_number
    if "No legal card wins this trick." in text:
        assert best is not None
        assert not [other for other in legal if beats(other, best)]
    if found := re.search(r"leaves the trick to the (..) of (.)\.", text):
        assert best == parse_card(found[1])
        assert best_seat is not None
        assert best_seat.name == found[2]
        assert not beats(card, best)
        assert [other for other in legal if beats(other, best)]
    hands = [state.hands[seat] for seat in state.rules.seats if seat is not view.seat]
    higher = [other for hand in hands for other in map(Card, range(52)) if hand >> other & 1 and beats(other, card)]
    if "No card that is still out can beat it." in text:
        assert not higher
    if "only a ruff beats it" in text:
        assert all(other.suit is Suit.SPADES for other in higher)
        assert card.suit is not Suit.SPADES


def check_aim(state: State, view: View, text: str) -> None:
    """Hold what is said of contracts to the bids and tricks, for two players."""
    mine, other = view.bids[view.seat], view.bids[view.rules.next_seat(view.seat)]
    assert mine is not None
    assert other is not None
    left = 13 - state.trick_number
    need = mine.tricks - view.taken[view.seat]
    if found := re.search(r"(\d+) more of (\d+) tricks", text):
        assert (int(found[1]), int(found[2])) == (need, left)
    if "Every trick that is left is needed" in text:
        assert need == left
    if "The contract is made;" in text:
        assert not mine.is_nil
        assert need <= 0
    if "brings the penalty" in text:
        assert view.bags[view.side] - need + 1 >= (view.rules.bag_limit or 0)
    if "The other side needs every trick" in text:
        assert other.tricks - view.taken[view.rules.next_seat(view.seat)] == left
    if "cannot be made any more" in text:
        assert need > left
    if "nil has failed" in text:
        assert mine.is_nil
        assert view.taken[view.seat]
    if "other side's nil fails" in text:
        assert other.is_nil
        assert not view.taken[view.rules.next_seat(view.seat)]


@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_said_is_so(preset: str) -> None:
    """In every position of some hands each sentence holds; all are short, and fit a line of the protocol."""
    kinds = set()
    for state, view, choice, text in texts(preset, 11, 5):
        assert text
        assert text.count(". ") <= 1, text
        validate_reply(f'info explain="{text}"')
        kinds.add(re.sub(r"\d+(\.\d+)?|\b[2-9TJQKA][CDHS]\b", "#", text.split(". ")[0]))
        if isinstance(choice.action, Play):
            check_trick(state, view, choice.action.card, text)
            if len(state.rules.seats) == 2 and len(view.legal) > 1:
                check_aim(state, view, text)
        if len(view.legal) == 1:
            assert text == "It is the only legal action."
        if found := re.search(r"wins the game with (\d+) per cent; the next best, .*, with (\d+)", text):
            assert int(found[1]) > int(found[2])
            assert round(100 * choice.figures[0].equity) == int(found[1])
    assert len(kinds) > 5


@pytest.mark.parametrize("preset", PRESETS)
def test_no_hidden_card_is_named(preset: str) -> None:
    """Every card in an explanation is one of the seat's own, or lies on the table."""
    for _, view, _, text in texts(preset, 23, 4):
        seen = {str(card) for _, card in view.trick} | {str(Card(n)) for n in range(52) if view.hand >> n & 1}
        if view.draw is not None:
            seen.add(str(view.draw))
        assert set(CARDS.findall(text)) <= seen


def test_other_cards_elsewhere_change_no_word() -> None:
    """What a seat cannot see changes no explanation."""
    positions = hidden_card_positions(5)
    for _ in range(80):
        state, other, seat = next(positions)
        one, two = View.of(state, seat), View.of(other, seat)
        assert explained(one, chosen(one, 300)) == explained(two, chosen(two, 300))


def test_the_option_asks_for_one_line_before_best() -> None:
    """With `explain=yes` one line says why, whatever `chatter` is; without it there is none."""
    with Driver() as engine:
        engine.ask("position newgame rules=duel dealer=engine seed=5 first=S ; deal")
        assert not [line for line in engine.ask("go nodes=300") if line.startswith("info explain=")]
        engine.ask("set explain=yes chatter=no")
        lines = engine.ask("go nodes=300")
        assert [line.startswith("info explain=") for line in lines] == [True, False]


def test_a_seat_that_is_not_seen_is_not_explained() -> None:
    """At a table with a view the other seat's answers come without a reason."""
    with Driver() as engine:
        engine.ask("set explain=yes")
        engine.ask("newgame rules=duel dealer=engine view=S seed=5 first=N")
        engine.ask("deal")
        assert [line.split()[0] for line in engine.ask("go nodes=300")] == ["best"]
