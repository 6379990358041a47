"""An answer to a situation that owes nothing to the engine's search: plain minimax over worlds, own scoring, own odds.

Two players. The rest of a hand is solved by trying every card in every world that agrees with what the seat knows, or
in a seeded sample of them where there are too many; each result is scored by rules written out here, and a game that
goes on is worth a logistic curve of the lead, bags taken off at a price. Since the price and the curve are guesses, an
answer has to hold for several of each.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from random import Random

from spades_engine.game import Action, Play, RuleSet, View

SPADE = 3
MODELS = ((60.0, 5.0), (100.0, 9.0), (160.0, 12.0))
"""Points of lead that are worth e to 1, and points that a bag costs in the long run."""
MOST_WORLDS = 700


@dataclass(frozen=True)
class Contract:
    """A bid: tricks, or a nil."""

    tricks: int
    is_nil: bool = False
    is_blind: bool = False


@dataclass(frozen=True)
class Score:
    """One side before the hand."""

    total: int
    bags: int


def hand_score(rules: RuleSet, bid: Contract, tricks: int, bags: int) -> tuple[int, int]:
    """Points of a hand for a lone player, and the bags after it."""
    if bid.is_nil:
        worth = (rules.blind_nil if bid.is_blind else rules.nil) or 0
        points = worth if tricks == 0 else -worth
        extra = tricks if rules.failed_nil_bags else 0
    elif tricks < bid.tricks:
        points, extra = -10 * bid.tricks, 0
    else:
        extra = tricks - bid.tricks
        points = 10 * bid.tricks
    points += extra * rules.bag_points
    bags += extra
    if rules.bag_limit is not None:
        while bags >= rules.bag_limit:
            bags -= rules.bag_limit
            points -= rules.bag_penalty
    return points, bags


def worth(rules: RuleSet, scores: Sequence[Score], bids: Sequence[Contract], tricks: int, model: int) -> float:
    """The probability that the first of two wins the game, if it wins so many tricks of this hand."""
    spread, price = MODELS[model]
    totals, leads = [], []
    for score, bid, won in zip(scores, bids, (tricks, 13 - tricks), strict=True):
        points, bags = hand_score(rules, bid, won, score.bags)
        totals.append(score.total + points)
        leads.append(score.total + points - (price * bags if rules.bag_limit is not None else 0.0))
    over = max(totals) >= rules.target or (rules.floor is not None and min(totals) <= rules.floor)
    if over and totals[0] != totals[1]:
        return 1.0 if totals[0] > totals[1] else 0.0
    return 1.0 / (1.0 + math.exp(-(leads[0] - leads[1]) / spread))


def tricks_by_card(
    mine: int, theirs: int, led: int, broken: bool, anytime: bool, values: tuple[float, ...]
) -> dict[int, float]:
    """What each legal card is worth to me with both hands seen; I am to play, `led` is the card to answer or -1.

    `values[n]`: what n further tricks of mine are worth.
    """

    @cache
    def value(me: int, other: int, turn_is_mine: bool, lead: int, is_broken: bool, won: int) -> float:
        if not me and not other and lead < 0:
            return values[won]
        hand = me if turn_is_mine else other
        results = []
        for card in cards(hand):
            if not allowed(hand, card, lead, is_broken, anytime):
                continue
            rest_me, rest_other = (me & ~(1 << card), other) if turn_is_mine else (me, other & ~(1 << card))
            now_broken = is_broken or card // 13 == SPADE
            if lead < 0:
                results.append(value(rest_me, rest_other, not turn_is_mine, card, now_broken, won))
            else:
                answer_wins = card > lead if card // 13 == lead // 13 else card // 13 == SPADE
                winner_is_me = turn_is_mine == answer_wins
                results.append(value(rest_me, rest_other, winner_is_me, -1, now_broken, won + winner_is_me))
        return max(results) if turn_is_mine else min(results)

    found = {}
    for card in cards(mine):
        if allowed(mine, card, led, broken, anytime):
            rest, now_broken = mine & ~(1 << card), broken or card // 13 == SPADE
            if led < 0:
                found[card] = value(rest, theirs, False, card, now_broken, 0)
            else:
                wins = card > led if card // 13 == led // 13 else card // 13 == SPADE
                found[card] = value(rest, theirs, wins, -1, now_broken, int(wins))
    return found


def cards(mask: int) -> Iterator[int]:
    """The cards of a set."""
    for card in range(52):
        if mask >> card & 1:
            yield card


def allowed(hand: int, card: int, led: int, broken: bool, anytime: bool) -> bool:
    """Whether a card may be led, or laid on the card led."""
    spades = hand >> 39
    if led < 0:
        return card // 13 != SPADE or broken or anytime or hand == spades << 39
    suit = hand >> 13 * (led // 13) & 0x1FFF
    return not suit or card // 13 == led // 13


def worlds(view: View) -> Iterator[int]:
    """The other hand, in every way it can be, or in a sample of ways."""
    other = view.rules.next_seat(view.seat)
    known = int(view.known[other])
    free = list(cards(int(view.may_hold(other)) & ~known))
    count = view.counts[other] - known.bit_count()
    if math.comb(len(free), count) <= MOST_WORLDS:
        for chosen in combinations(free, count):
            yield known | sum(1 << card for card in chosen)
        return
    rng = Random(len(free))
    for _ in range(MOST_WORLDS // 2):
        yield known | sum(1 << card for card in rng.sample(free, count))


def contract_of(view: View, seat: int) -> Contract:
    """A bid of the view's as it is here."""
    bid = view.bids[view.rules.seats[seat]]
    assert bid is not None
    return Contract(bid.tricks, bid.is_nil, view.rules.seats[seat] in view.blind)


@dataclass(frozen=True)
class Answer:
    """For every legal card: the mean probability of winning by each model, and the share of worlds in which none is
    better by more than a hair.
    """

    means: dict[Action, tuple[float, ...]]
    best_in: dict[Action, float]
    count: int

    def margin(self, right: Sequence[Action], wrong: Sequence[Action]) -> float:
        """By how much the worst right action beats the best wrong one, in the model that is the least convinced."""
        return min(
            min(self.means[action][model] for action in right) - max(self.means[action][model] for action in wrong)
            for model in range(len(MODELS))
        )


def solve_play(view: View) -> Answer:
    """The answer to a position in which a card is to be played."""
    rules, me = view.rules, view.rules.seats.index(view.seat)
    bids = [contract_of(view, me), contract_of(view, 1 - me)]
    scores = [Score(view.totals[side], view.bags[side]) for side in (me, 1 - me)]
    taken, left = view.taken[view.seat], 13 - view.trick_number
    tables = [
        tuple(worth(rules, scores, bids, taken + more, model) if more <= left else 0.0 for more in range(14))
        for model in range(len(MODELS))
    ]
    led = int(view.trick[0][1]) if view.trick else -1
    plays = {int(action.card): action for action in view.legal if isinstance(action, Play)}
    sums = {card: [0.0] * len(MODELS) for card in plays}
    best_in = dict.fromkeys(plays, 0)
    count = 0
    for world in worlds(view):
        count += 1
        for model, table in enumerate(tables):
            found = tricks_by_card(int(view.hand), world, led, view.broken, rules.lead_spades == "anytime", table)
            assert set(found) == set(plays)
            for card, value in found.items():
                sums[card][model] += value
            if model == 1:
                most = max(found.values())
                for card, value in found.items():
                    best_in[card] += value >= most - 1e-9
    return Answer(
        {plays[card]: tuple(total / count for total in row) for card, row in sums.items()},
        {plays[card]: number / count for card, number in best_in.items()},
        count,
    )
