"""Find situations: positions in hands played at random scores in which one of the complaints could arise, and in which
the oracle has a clear answer. They are written as text; which of them are kept is a matter of reading.

    python -m tests.situations.run_find [--hands N] [--each N] [--kinds LIST] [--seed N] >FILE
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from random import Random

from spades_engine.game import (
    CONTRACTS,
    NIL,
    Action,
    BidMade,
    Dealer,
    Look,
    Phase,
    Play,
    RuleSet,
    State,
    View,
    advance,
    deal,
    format_action,
    format_event,
    new_game,
    seed_streams,
)
from tests.engine.house import house, view_of
from tests.game.hands import random_action
from tests.situations.oracle import Answer, solve_play
from tests.situations.situations import Situation, written

SCORES = ((0, 0), (0, 0), (350, 350), (440, 470), (470, 440), (480, 490), (200, 460), (455, 200), (420, 430))
OPTIONS: tuple[dict[str, str], ...] = ({}, {}, {}, {"bag_limit": "none"}, {"bag_limit": "5", "bag_penalty": "50"})
FEWEST, MOST = 2, 3
"""Tricks left, counting the one on the table."""
CLEAR, SURE = 0.03, 0.9
"""Least margin in probability of winning, and least share of worlds in which the right cards are the best."""

COMPLAINTS = {
    "cheap": (
        "The last seat wins with a higher card than it needs",
        "The cheapest card that wins keeps the higher one for later.",
    ),
    "set": (
        "The trick that sets is declined",
        "The other side needs every trick that is left: winning this one sets it.",
    ),
    "all": ("Every trick is needed and the wrong card is led", "The contract needs every trick that is left."),
    "own-bag": (
        "A trick is taken that brings the penalty for bags",
        "The contract is made, and one bag more is the one too many.",
    ),
    "feed": (
        "An opponent at its last bag is spared",
        "The other side has made its contract; one bag more costs it the penalty.",
    ),
    "bag-for-set": (
        "A bag is refused that sets the other side",
        "A bag of one's own is cheap beside a contract that fails.",
    ),
    "bust": (
        "A nil is let through",
        "The contract allows it, and the other side's nil fails by its first trick.",
    ),
    "own-first": (
        "The own contract is set for the sake of a nil",
        "The tricks are needed before the nil is.",
    ),
    "nil": ("A nil takes a trick it need not", "A nil ducks while it can, with its highest card that does."),
    "game": (
        "The contract is looked after and the game is lost",
        "At this score the game is decided by this hand.",
    ),
    "duck": ("A trick is taken that nobody needs", "The contract is made; bags are worth less than nothing."),
    "win": ("A trick that is needed is left", "The contract lacks tricks, and this one can be had."),
}


def kind_of(view: View, right: list[Play], wrong: list[Play], margin: float) -> str | None:
    """Which complaint a position belongs to."""
    rules = view.rules
    other = rules.next_seat(view.seat)
    mine, theirs = view.bids[view.seat], view.bids[other]
    assert mine is not None
    assert theirs is not None
    left = 13 - view.trick_number
    need = mine.tricks - view.taken[view.seat]
    other_need = theirs.tricks - view.taken[other]
    limit = rules.bag_limit or 0
    led = int(view.trick[0][1]) if view.trick else -1

    def wins(action: Play) -> bool:
        card = int(action.card)
        return led >= 0 and (card > led if card // 13 == led // 13 else card >= 39)

    all_win, some_win = all(map(wins, right)), any(map(wins, right))
    if mine.is_nil:
        return "nil" if not view.taken[view.seat] else None
    if theirs.is_nil and not view.taken[other]:
        return "own-first" if need > 0 and margin > 0.05 and (all_win or led < 0) else "bust"
    if max(view.totals) > rules.target - 80 and margin > 0.3:
        return "game"
    if need == left:
        return "all" if led < 0 else "win"
    if led >= 0 and all_win and all(map(wins, wrong)):
        return "cheap"
    if other_need == left and all_win:
        return "set" if need > 0 else "bag-for-set"
    if need <= 0 and limit and view.bags[view.side] - need + 1 == limit and not some_win:
        return "own-bag"
    if other_need <= 0 and limit and view.bags[rules.side_of(other)] - other_need + 1 == limit and not some_win:
        return "feed"
    if need <= 0 and not some_win:
        return "duck"
    return "win" if all_win and need > 0 else None


def hands(number: int) -> Iterator[State]:
    """The plays of a hand at some score, with bids at random and one card in four at random."""
    rng = Random(number)
    preset = ("draft", "duel", "draft", "draft300")[number % 4]
    rules = RuleSet.preset_named(preset).with_options(rng.choice(OPTIONS))
    totals = rng.choice(SCORES)
    if rules.target < 500:
        totals = (totals[0] * 3 // 5, totals[1] * 3 // 5)
    most = (rules.bag_limit or 1) - 1
    bags = (rng.choice((0, most, most, most // 2)), rng.choice((0, most, most, most // 2)))
    dealer = Dealer(rules, seed_streams(f"situation {number}"))
    state, _ = deal(dealer, new_game(rules, rng.choice(rules.seats), totals=totals, bags=bags))
    while state.phase not in (Phase.DEAL, Phase.OVER):
        assert state.turn is not None
        action: Action = house(state)
        if state.phase is Phase.BLIND:
            action = Look(state.turn)
        elif state.phase is Phase.BID and _may_duck(state, rng):
            action = BidMade(state.turn, NIL)
        elif state.phase is Phase.PLAY:
            if FEWEST <= 13 - state.trick_number <= MOST:
                yield with_bids_that_matter(state, rng)
            has_nil = any(bid is not None and bid.is_nil for bid in state.bids)
            if rng.random() < (0.01 if has_nil else 0.25):  # a nil would not last long
                action = random_action(state, rng)
        state, _ = advance(dealer, state, action)


def _may_duck(state: State, rng: Random) -> bool:
    """Whether a nil is bid: on a few hands of any kind, and on most with a chance."""
    assert state.turn is not None
    spades = int(state.hands[state.turn]) >> 39
    return rng.random() < (0.8 if spades < 1 << 9 and spades.bit_count() <= 3 else 0.03)


def with_bids_that_matter(state: State, rng: Random) -> State:
    """The position, or one in three times the same with other contracts: the other side's needs every trick left."""
    turn = state.turn
    assert turn is not None
    other = state.rules.next_seat(turn)
    bids = {seat: state.bids[seat] for seat in (turn, other)}
    if rng.random() > 0.33 or any(bid is None or bid.is_nil for bid in bids.values()):
        return state
    left = 13 - state.trick_number
    tricks = {other: state.taken[other] + left, turn: max(1, state.taken[turn] - rng.randint(-2, 1))}
    events = [
        BidMade(step.seat, CONTRACTS[tricks[step.seat]]) if isinstance(step, BidMade) else step
        for step in state.history
    ]
    changed = new_game(state.rules, state.first, totals=state.totals, bags=state.bags)
    for event in events:
        changed = changed.apply(event)
    return changed


def split(answer: Answer) -> tuple[list[Play], list[Play]] | None:
    """The right cards and the wrong ones, if the oracle is clear about it; cards in between are neither."""
    best = max(row[1] for row in answer.means.values())
    right = [action for action, row in answer.means.items() if row[1] > best - 1e-9]
    wrong = [action for action, row in answer.means.items() if row[1] < best - CLEAR]
    if not wrong or answer.margin(right, wrong) < CLEAR or min(answer.best_in[action] for action in right) < SURE:
        return None
    plays = [[action for action in group if isinstance(action, Play)] for group in (right, wrong)]
    return plays[0], plays[1]


def possible(view: View) -> set[str]:
    """The complaints that a position may belong to, before it is solved."""
    other = view.rules.next_seat(view.seat)
    mine, theirs = view.bids[view.seat], view.bids[other]
    assert mine is not None
    assert theirs is not None
    if mine.is_nil:
        return {"nil"}
    if theirs.is_nil and not view.taken[other]:
        return {"own-first", "bust"}
    left = 13 - view.trick_number
    need, other_need = mine.tricks - view.taken[view.seat], theirs.tricks - view.taken[other]
    found = {"game"} if max(view.totals) > view.rules.target - 80 else set()
    if need == left:
        found |= {"win"} if view.trick else {"all"}
    elif other_need == left:
        found |= {"set", "bag-for-set"} if view.trick else set()
    elif view.rules.bag_limit and max(view.bags) == view.rules.bag_limit - 1:
        found |= {"own-bag", "feed", "cheap"}
    elif view.trick:
        found |= {"cheap", "duck", "win"}
    return found


def situation(state: State) -> tuple[str, Situation] | None:
    """The situation that a position is, if it is one."""
    view = view_of(state)
    if len(view.legal) < 2:
        return None
    answer = solve_play(view)
    groups = split(answer)
    if groups is None:
        return None
    right, wrong = groups
    margin = answer.margin(right, wrong)
    kind = kind_of(view, right, wrong, margin)
    if kind is None:
        return None
    title, why = COMPLAINTS[kind]
    rules = view.rules
    options = "".join(f" {name}={value}" for name, value in rules.overrides().items())
    sides = [rules.format_side(side) for side in rules.sides]
    score = "".join(f" total.{name}={total}" for name, total in zip(sides, view.totals, strict=True))
    score += "".join(f" bags.{name}={count}" for name, count in zip(sides, view.bags, strict=True))
    assert view.first is not None
    lines = [f"newgame rules={rules.preset}{options} dealer=host view={view.seat.name} first={view.first.name}{score}"]
    lines += [format_event(event, rules) for event in view.history]
    good, bad = (tuple(format_action(action, rules) for action in group) for group in (right, wrong))
    reason = f"{why} ({answer.count} worlds, margin {margin:.3f})"
    return kind, Situation(title, reason, tuple(lines), good, bad)


def main() -> None:
    """Look through hands until there are enough of each kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=1200)
    parser.add_argument("--each", type=int, default=5, help="situations of each kind")
    parser.add_argument("--kinds", default=",".join(COMPLAINTS), help="which kinds, with commas between")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    kinds = options.kinds.split(",")
    counts: Counter[str] = Counter()
    for number in range(options.seed, options.seed + options.hands):
        rng = Random(number)
        states = list(hands(number))
        full = {kind for kind in COMPLAINTS if kind not in kinds or counts[kind] >= options.each}
        for state in rng.sample(states, len(states)):
            if possible(view_of(state)) <= full:
                continue
            found = situation(state)
            if found is not None and found[0] not in full:
                counts[found[0]] += 1
                sys.stdout.write(written(found[1]) + "\n")
                sys.stdout.flush()
                break  # no two of one hand
        if all(counts[kind] >= options.each for kind in kinds):
            break
    sys.stderr.write(f"{sum(counts.values())} situations: {dict(counts)}\n")


if __name__ == "__main__":
    main()
