"""Checks that an installation works: the rules, the dealer, the kernel, the player, on small known cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from spades_engine.engine import Limits, choose
from spades_engine.game import (
    PRESETS,
    Dealer,
    Phase,
    RuleSet,
    View,
    advance,
    commitment,
    deal,
    new_game,
    parse_bid,
    score_side,
    seed_streams,
)
from spades_engine.search.double_dummy import solve


@dataclass(frozen=True, slots=True)
class Outcome:
    """One check: its name, whether it passed, and what went wrong."""

    name: str
    passed: bool
    text: str


def check_scores() -> None:
    """The worked examples of the specification."""
    draft, partners = RuleSet.preset_named("draft"), RuleSet.preset_named("partners")
    cases = [
        (draft, ["7"], [8], 0, 71, 1),
        (draft, ["4"], [9], 6, -55, 1),
        (draft, ["nil"], [0], 0, 100, 0),
        (draft, ["blindnil"], [1], 0, -200, 0),
        (partners, ["3", "2"], [4, 3], 0, 52, 2),
        (partners, ["4", "nil"], [3, 2], 0, -138, 2),
    ]
    for rules, bids, tricks, bags, points, after in cases:
        result = score_side(rules, tuple(parse_bid(bid, rules) for bid in bids), tuple(tricks), bags)
        expect(f"{rules.preset} {bids} {tricks}", (result.points, result.bags_after), (points, after))


def check_shuffle() -> None:
    """A deck that follows from its seed, and a commitment."""
    for preset in PRESETS:
        rules = RuleSet.preset_named(preset)
        deck = Dealer(rules, seed_streams("7")).deck(1)
        expect(f"{preset}: cards of the deck", sorted(deck), sorted(rules.deck))
    expect("commitment", commitment("7")[:16], COMMITMENT_OF_7)


def check_player() -> None:
    """A hand of every preset, searched with few nodes at every decision, without an illegal action."""
    for preset in PRESETS:
        rules = RuleSet.preset_named(preset)
        dealer = Dealer(rules, seed_streams("selftest"))
        state, _ = deal(dealer, new_game(rules, rules.seats[0]))
        while state.phase is not Phase.DEAL:
            if state.turn is None:
                raise AssertionError("nobody is to act")
            view = View.of(state, state.turn)
            choice = choose(view, Limits(nodes=20), seed="0", overhead=0, is_stopped=lambda: False)
            state, _ = advance(dealer, state, choice.action)
        expect(f"{preset}: tricks of a hand", sum(state.taken), 13)


def check_kernel() -> None:
    """The compiled kernel and its plain twin agree, nodes included."""
    rules = RuleSet.preset_named("duel")
    dealer = Dealer(rules, seed_streams("selftest"))
    state, _ = deal(dealer, new_game(rules, rules.seats[0]))
    while state.phase is not Phase.DEAL:
        if state.phase is Phase.PLAY and state.trick_number == 6 and not state.trick:
            expect("compiled and plain kernel", solve(state, kernel="compiled"), solve(state, kernel="plain"))
        if state.turn is None:
            raise AssertionError("nobody is to act")
        state, _ = advance(dealer, state, View.of(state, state.turn).legal[0])


COMMITMENT_OF_7 = "29257b23c7422061"
CHECKS = (check_scores, check_shuffle, check_player, check_kernel)


def expect(what: str, found: object, wanted: object) -> None:
    """Raise AssertionError unless both are equal."""
    if found != wanted:
        raise AssertionError(f"{what}: {found} instead of {wanted}")


def run_checks(is_stopped: Callable[[], bool]) -> list[Outcome]:
    """Run every check; a check that fails, in whatever way, is an outcome."""
    outcomes = []
    for check in CHECKS:
        if is_stopped():
            break
        name = check.__name__.removeprefix("check_")
        try:
            check()
        except Exception as error:  # noqa: BLE001  # the outcome of a check is what it is about
            outcomes.append(Outcome(name, False, f"{type(error).__name__}: {error}"))
        else:
            outcomes.append(Outcome(name, True, ""))
    return outcomes
