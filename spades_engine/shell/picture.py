"""The `state` line: everything this side of the pipe may know of the game, as one JSON object (SPEC.md, section 17)."""

from __future__ import annotations

import json

from spades_engine.game import (
    Card,
    CardSet,
    Phase,
    Seat,
    State,
    cards_of,
    format_action,
    format_bid,
    format_card,
    format_seat,
    legal_actions,
)
from spades_engine.shell.table import CHANCE, Table

HIDDEN = "??"


def picture(table: Table) -> str:
    """The JSON text for the table as its view may see it."""
    rules = table.rules
    state = table.seen()
    turn = table.turn_text()
    in_hand = state.phase not in (Phase.DEAL, Phase.OVER)
    names = {seat: format_seat(seat) for seat in rules.seats}
    sides = {side: rules.format_side(side) for side in rules.sides}
    over = state.phase is Phase.OVER
    score = state.last_score
    facts = {
        "rules": rules.preset,
        "options": rules.overrides(),
        "dealer": "host" if table.dealer is None else "engine",
        "view": "all" if table.view is None else format_seat(table.view),
        "seats": list(names.values()),
        "hand": state.number,
        "hands_played": state.hands_played,
        "phase": state.phase.value,
        "turn": turn or None,
        "first": None if state.first is None else format_seat(state.first),
        "hands": {name: listed(state.hands[seat], state.hidden[seat]) for seat, name in names.items()},
        "draw": format_card(state.draw) if state.has_draw else None,
        "discards": {name: listed(state.discards[seat], state.hidden_discards[seat]) for seat, name in names.items()},
        "bids": {name: bid_text(state, seat) for seat, name in names.items()},
        "blind": [name for seat, name in names.items() if seat in state.blind],
        "tricks": {name: state.taken[seat] for seat, name in names.items()},
        "trick": cards_played(state.trick),
        "last_trick": cards_played(state.last_trick),
        "broken": in_hand and state.phase is Phase.PLAY and (state.broken or rules.lead_spades == "anytime"),
        "totals": {name: state.totals[side] for side, name in sides.items()},
        "bags": {name: state.bags[side] for side, name in sides.items()},
        "last_score": None
        if score is None
        else {
            name: {
                "points": score[side].points,
                "contract": score[side].contract,
                "overtricks": score[side].overtricks,
                "nil": score[side].nil,
                "blindnil": score[side].blindnil,
                "penalty": score[side].penalty,
            }
            for side, name in sides.items()
        },
        "legal": legal_texts(table),
        "winner": ("draw" if state.winner is None else sides[state.winner]) if over else None,
        "reason": state.reason if over else None,
    }
    return json.dumps(facts, separators=(",", ":"))


def listed(known: CardSet, hidden: int) -> list[str]:
    """Known cards in card order, then `??` for each hidden one."""
    return [format_card(card) for card in cards_of(known)] + [HIDDEN] * hidden


def bid_text(state: State, seat: Seat) -> str | None:
    """The bid of a seat, None before it has bid."""
    bid = state.bids[seat]
    return None if bid is None else format_bid(bid)


def cards_played(trick: tuple[tuple[Seat, Card], ...]) -> list[list[str]]:
    """`[seat, card]` for each card of a trick, in the order played."""
    return [[format_seat(seat), format_card(card)] for seat, card in trick]


def legal_texts(table: Table) -> list[str] | None:
    """The actions of the seat to act, None where they are hidden."""
    if table.state.phase in CHANCE:
        return []
    if table.is_foreign(table.state.turn):
        return None
    return [format_action(action, table.rules) for action in legal_actions(table.state)]
