"""The actions to compare: which of the legal ones to play out, and how each is made on a light position."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

from spades_engine.bidding.blind import is_far_behind
from spades_engine.bidding.hand_value import MILLI, nil_danger, trick_estimate
from spades_engine.drafting.exchange import dangerous_cards, gives_as_partner
from spades_engine.game import (
    CONTRACTS,
    NIL,
    Action,
    BidKind,
    BidMade,
    Card,
    Choose,
    Give,
    Look,
    Phase,
    Play,
    Swap,
    View,
    cards_of,
)
from spades_engine.search.card_play import choose_card
from spades_engine.search.playout import answer_blind, make_bid, make_choice, make_swap
from spades_engine.search.policy import others_cards, policy_bid, policy_blind, policy_keep, policy_swap
from spades_engine.search.seat_table import card_mask, kind_of
from spades_engine.search.table import Table
from spades_engine.search.terms import BLIND, CONTRACT

Make = Callable[[Table], None]

_BID_REACH = 2
"""Contracts so far from the rule's one, up and down, are played out."""
_SWAP_POOL = 6
"""The exchange is searched among so many cards, the ones that the rule would part with first."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Actions that come to the same (touching cards of a suit); the first one stands for all."""

    actions: tuple[Action, ...]
    make: Make
    can_win: bool = True
    """Whether it may be chosen over the rule's action, however good it looks."""


def rule_action(view: View, table: Table) -> Action:
    """The rule policy's action for the view whose `seat_table` is `table`."""
    seat = view.seat
    me = table.turn
    match view.phase:
        case Phase.PLAY:
            return Play(seat, Card(choose_card(table, me)))
        case Phase.BID:
            kind, tricks = policy_bid(table, me)
            return BidMade(seat, CONTRACTS[tricks] if kind == CONTRACT else NIL)
        case Phase.DRAFT:
            return Choose(seat, policy_keep(table, me, table.stock[-1]))
        case Phase.SWAP:
            return _swap(view, policy_swap(table, me))
        case Phase.BLIND:
            return view.legal[1 if policy_blind(table, me) else 0]
        case _:
            raise ValueError(f"phase {view.phase}: no seat is to act")


def _swap(view: View, cards: int) -> Action:
    if view.rules.exchange == "partner":
        return Give(view.seat, cards_of(cards))
    return Swap(view.seat, cards_of(cards))


def make_of(action: Action) -> Make:
    """What the action does to a world."""
    match action:
        case Play(_, card):
            return lambda table: table.play(card)
        case BidMade(_, bid):
            if bid.kind is BidKind.BLIND_NIL:
                return lambda table: answer_blind(table, True)
            return lambda table: make_bid(table, kind_of(bid), bid.tricks)
        case Look():
            return lambda table: answer_blind(table, False)
        case Choose(_, keep, _):
            return lambda table: make_choice(table, bool(keep))
        case Swap(_, cards, _) | Give(_, cards):
            mask = card_mask(cards)
            return lambda table: make_swap(table, mask)


def candidates(view: View, table: Table, rule: Action) -> tuple[list[Candidate], list[Action]]:
    """The candidates to play out, the rule's one first, and the legal actions left aside."""
    legal = view.legal
    match view.phase:
        case Phase.PLAY:
            groups = _touching(view, rule)
        case Phase.BID:
            groups = [(action,) for action in _near_bids(table, legal, rule)]
        case Phase.SWAP:
            groups = [(action,) for action in _near_swaps(view, table, rule)]
        case _:
            groups = [(action,) for action in legal]
    groups.sort(key=lambda group: group[0] != rule)
    chosen = {action for group in groups for action in group}
    can_win = view.phase is not Phase.BLIND or may_think_of_blind(view, table)
    return [Candidate(group, make_of(group[0]), can_win) for group in groups], [a for a in legal if a not in chosen]


def may_think_of_blind(view: View, table: Table) -> bool:
    """Whether playouts may talk the policy into a blind nil: their opponents break nils less often than real ones do,
    so only far behind, and never beside a partner's nil.
    """
    if table.terms.partners and table.kinds[(table.turn + 2) & 3] > CONTRACT:
        return False
    return is_far_behind(view.rules, view.side, view.totals)


def _touching(view: View, rule: Action) -> list[tuple[Action, ...]]:
    """The legal cards, those that no card between them tells apart in one group: the rule's first, then the lowest."""
    others = int(view.unseen)
    for seat in view.rules.seats:
        if seat is not view.seat:
            others |= view.known[seat] | view.may_hold(seat)
    for _, led in view.trick:
        others |= 1 << led
    groups: list[list[Action]] = []
    last = -1
    for action in view.legal:
        assert isinstance(action, Play)
        card = int(action.card)
        between = others & (1 << card) - (2 << last) if last >= 0 else -1
        if last >= 0 and card // 13 == last // 13 and not between:
            groups[-1].append(action)
        else:
            groups.append([action])
        last = card
    for group in groups:
        group.sort(key=lambda action: action != rule)
    return [tuple(group) for group in groups]


def _near_bids(table: Table, legal: tuple[Action, ...], rule: Action) -> list[Action]:
    assert isinstance(rule, BidMade)
    seat = table.turn
    hand = table.hands[seat]
    others = others_cards(table, seat)
    centre = rule.bid.tricks
    if rule.bid.is_nil:
        centre = (trick_estimate(hand, others, table.terms.form) + MILLI // 2) // MILLI
    near: list[Action] = []
    for action in legal:
        assert isinstance(action, BidMade)
        if action.bid.is_nil:
            wanted = nil_danger(hand, others, table.terms.form) < 3 * MILLI
        else:
            wanted = abs(action.bid.tricks - centre) <= _BID_REACH
        if wanted or action == rule:
            near.append(action)
    return near


def _near_swaps(view: View, table: Table, rule: Action) -> list[Action]:
    me = table.turn
    terms = table.terms
    hand = table.hands[me]
    if terms.swap_discards or table.kinds[me] == BLIND:
        pool = dangerous_cards(hand, others_cards(table, me), terms.form, _SWAP_POOL)
    else:
        pool = [int(card) for card in cards_of(gives_as_partner(hand, _SWAP_POOL))]
    smallest = 0 if terms.swap_discards else terms.swap_count
    found = [rule]
    for size in range(smallest, terms.swap_count + 1):
        for cards in combinations(sorted(pool), size):
            action = _swap(view, card_mask(tuple(Card(card) for card in cards)))
            if action != rule:
                found.append(action)
    return found
