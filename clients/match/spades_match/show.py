"""A results file for a reader: each board with its cards, bids, tricks and scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from spades_engine.game import (
    BidMade,
    Choose,
    Draw,
    GameEnd,
    Give,
    HandScore,
    Play,
    RuleSet,
    Seat,
    State,
    Suit,
    Swap,
    cards_of,
    format_bid,
    format_card,
    format_cards,
    in_suit,
)
from spades_match.outcomes import Outcome
from spades_match.plan import Plan
from spades_match.replay import states

_SUITS = ((Suit.SPADES, "♠"), (Suit.HEARTS, "♥"), (Suit.DIAMONDS, "♦"), (Suit.CLUBS, "♣"))


def show_pair(plan: Plan, pair: Mapping[str, Any], *, has_draft: bool = False) -> Iterator[str]:
    """Yield the lines that tell of a pair; `has_draft` adds every turn of the draft."""
    first, second = pair["engines"]
    yield f"Pair {pair['pair']}: {first} and {second}, {pair['rules']}, seed {pair['seed']}"
    for place, board in enumerate(pair["boards"]):
        yield ""
        yield f"  Board {place + 1}: {_seats(plan.ruleset(), pair, board)}"
        for line in _show_board(plan, board, has_draft):
            yield f"    {line}" if line else ""
        yield f"    {_result(pair, board)}"
    yield ""


def _seats(rules: RuleSet, pair: Mapping[str, Any], board: Mapping[str, Any]) -> str:
    names = pair["engines"][::-1] if board["swapped"] else pair["engines"]
    return ", ".join(f"{rules.format_side(side)} {names[side]}" for side in rules.sides)


def _result(pair: Mapping[str, Any], board: Mapping[str, Any]) -> str:
    outcome = Outcome(board["outcome"])
    first, second = pair["engines"]
    points = f"{first} {board['points'][0]:+d}, {second} {board['points'][1]:+d}"
    won = {None: "", "draw": "; a draw"}.get(board["winner"], f"; {board['winner']} wins")
    if outcome.is_fault:
        return f"{outcome.value} by {board['culprit']}: {board['detail']} ({points}{won})"
    return f"Result: {points}{won}{'; the hand cap was reached' if outcome is Outcome.HAND_CAP else ''}"


def _show_board(plan: Plan, board: Mapping[str, Any], has_draft: bool) -> Iterator[str]:
    if not board["record"]:
        return
    rules = plan.ruleset()
    trick: list[tuple[Seat, str]] = []
    for before, event, after in states(plan, board["record"]):
        match event:
            case Draw(seat, card) if has_draft and card is not None:
                yield f"{seat.name} draws {format_card(card)}"
            case Choose(seat, keep, card) if has_draft:
                yield f"{seat.name} {'keeps' if keep else 'passes'}, the next is {card}"
            case Swap(seat, thrown, taken):
                yield f"{seat.name} throws {format_cards(thrown)} and takes {format_cards(taken or ())}"
            case Give(seat, cards):
                yield f"{seat.name} gives {format_cards(cards)}"
            case BidMade(seat, bid):
                yield f"{seat.name} bids {format_bid(bid)}"
            case Play(seat, card):
                if not before.played:
                    yield from _hands(before)
                trick.append((seat, format_card(card)))
                if not after.trick:
                    yield _trick(after, trick)
                    trick = []
            case HandScore(points, bags, totals):
                yield _score(rules, after, points, bags, totals)
                yield ""
            case GameEnd(_, reason, _):
                yield f"The game is over ({reason})"
            case _:
                if after.number > before.number:
                    yield f"Hand {after.number}, first {after.first.name if after.first is not None else '?'}"
    if trick:
        yield "the trick on the table: " + "  ".join(f"{seat.name} {card}" for seat, card in trick)


def _hands(state: State) -> Iterator[str]:
    for seat in state.rules.seats:
        cards = state.hands[seat]
        suits = []
        for suit, sign in _SUITS:
            ranks = "".join(format_card(card)[0] for card in reversed(cards_of(in_suit(cards, suit))))
            suits.append(f"{sign} {ranks or '-'}")
        yield f"  {seat.name}  {'  '.join(suits)}"


def _trick(after: State, trick: list[tuple[Seat, str]]) -> str:
    winner = after.leader
    cards = "  ".join(f"{seat.name} {card}{'*' if seat is winner else ' '}" for seat, card in trick)
    taken = ", ".join(f"{seat.name} {after.taken[seat]}" for seat in after.rules.seats)
    return f"{after.trick_number:2}.  {cards}   ({taken})"


def _score(
    rules: RuleSet, state: State, points: tuple[int, int], bags: tuple[int, int], totals: tuple[int, int]
) -> str:
    parts = []
    for side in rules.sides:
        bids = [state.bids[seat] for seat in rules.seats if rules.side_of(seat) is side]
        won = sum(state.taken[seat] for seat in rules.seats if rules.side_of(seat) is side)
        bid = "+".join("?" if bid is None else format_bid(bid) for bid in bids)
        parts.append(
            f"{rules.format_side(side)} bid {bid} won {won}: {points[side]:+d}, total {totals[side]}, {bags[side]} bags"
        )
    return "; ".join(parts)
