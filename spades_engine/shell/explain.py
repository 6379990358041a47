"""`info explain=`: why an action was chosen, in one or two plain sentences.

Each sentence is a fact that the seat can see for itself, or a figure of the search; nothing else goes into it, so no
hidden card can be named.
"""

from __future__ import annotations

from spades_engine import engine
from spades_engine.engine import Choice, Figures
from spades_engine.game import (
    Action,
    BidMade,
    Card,
    Choose,
    Give,
    Phase,
    Play,
    Suit,
    Swap,
    View,
    format_action,
    format_seat,
)

_TRICKS = 13


def explained(view: View, choice: Choice) -> str:
    """The sentences for a choice of the view's seat."""
    action = choice.action
    if len(view.legal) == 1:
        return "It is the only legal action."
    figures = choice.figures[0]
    match action:
        case Play(_, card):
            sentences = [_trick(view, card), _aim(view, figures)]
        case BidMade():
            sentences = [_bid(view, action, figures), _rival(view, choice)]
        case Choose(_, keep, _):
            sentences = [
                _draft(view, bool(keep)) or f"A blind nil wants cards that win no trick. {_rival(view, choice)}"
            ]
        case Swap() | Give():
            sentences = [_exchange(view, action, figures), _rival(view, choice)]
        case _:
            sentences = ["It looks at its cards before it bids.", _rival(view, choice)]
    return " ".join(sentence for sentence in sentences if sentence)


# Cards --------------------------------------------------------------------------------------------------------------


def _trick(view: View, card: Card) -> str:
    """What the card does in its trick."""
    if not view.trick:
        return _lead(view, card)
    best_seat, best = view.trick[0]
    for seat, other in view.trick[1:]:
        if _beats(other, best):
            best_seat, best = seat, other
    winners = [action.card for action in view.legal if isinstance(action, Play) and _beats(action.card, best)]
    is_last = len(view.trick) == len(view.rules.seats) - 1
    if not winners:
        return "No legal card wins this trick."
    if card not in winners:
        return f"It leaves the trick to the {best} of {format_seat(best_seat)}."
    if not is_last:
        return "It wins the trick so far."
    return "It wins the trick with the cheapest card that does." if card == min(winners) else "It wins the trick."


def _lead(view: View, card: Card) -> str:
    """What may still beat a card that is led."""
    others = 0
    for seat in view.rules.seats:
        if seat is not view.seat:
            others |= int(view.known[seat]) | int(view.may_hold(seat))
    suit, spades = 0x1FFF << 13 * card.suit, 0x1FFF << 13 * Suit.SPADES
    higher = (others & suit & -2 << card).bit_count()
    if higher:
        cards = "card" if higher == 1 else "cards"
        return f"{higher} higher {cards} of its suit may still be out."
    if card.suit is Suit.SPADES or not others & spades:
        return "No card that is still out can beat it."
    return "No higher card of its suit is still out; only a ruff beats it."


def _beats(card: Card, best: Card) -> bool:
    return card > best if card.suit is best.suit else card.suit is Suit.SPADES


def _aim(view: View, figures: Figures) -> str:
    """What the side is after."""
    rules = view.rules
    bid = view.bids[view.seat]
    if bid is not None and bid.is_nil:
        if view.taken[view.seat]:
            return "The nil has failed already."
        return f"The nil must win no trick, and comes home with {_per_cent(figures.make)}."
    for seat in rules.seats:
        other = view.bids[seat]
        if other is not None and other.is_nil and not view.taken[seat]:
            whose = "partner's nil" if seat is view.partner else "other side's nil"
            return f"The {whose} fails with its first trick."
    left = _TRICKS - view.trick_number
    need, theirs = _need(view, own=True), _need(view, own=False)
    if 0 < need <= left:
        made = f"the contract is made with {_per_cent(figures.make)}"
        if need == left:
            return f"Every trick that is left is needed; {made}."
        return f"{need} more of {left} tricks {'is' if need == 1 else 'are'} needed; {made}."
    if 0 < theirs == left:
        return "The other side needs every trick that is left."
    if need > left:
        return "The contract cannot be made any more."
    limit = rules.bag_limit
    if limit is not None and rules.bag_penalty > 0:
        if view.bags[view.side] - need + 1 >= limit:
            return f"The contract is made; one more trick brings the penalty for {limit} bags."
        return "The contract is made; every further trick is a bag."
    return "The contract is made."


def _need(view: View, *, own: bool) -> int:
    """The tricks that a side's contract still lacks; 0 or less if it is made or there is none."""
    need = 0
    for seat in view.rules.seats:
        bid = view.bids[seat]
        if (view.rules.side_of(seat) is view.side) is own and bid is not None:
            need += bid.tricks
            if not bid.is_nil or view.rules.failed_nil_helps:
                need -= view.taken[seat]
    return need


# Other actions ------------------------------------------------------------------------------------------------------


def _bid(view: View, action: BidMade, figures: Figures) -> str:
    if view.phase is Phase.BLIND:
        return f"A blind nil comes home with {_per_cent(figures.make)}."
    if action.bid.is_nil:
        return f"The nil comes home with {_per_cent(figures.make)} and is worth {view.rules.nil} points."
    mean = sum(tricks * chance for tricks, chance in enumerate(figures.tricks))
    made = "the side's contract is made" if view.partner is not None else "the bid is made"
    return f"About {mean:.1f} tricks are expected; {made} with {_per_cent(figures.make)}."


def _draft(view: View, keep: bool) -> str:
    """What a card drawn is worth; empty where the seat does not draft for tricks."""
    margin = engine.draft_margin(view)
    if margin is None:
        return ""
    better = "with it than with the next card" if margin >= 0 else "with the next card than with it"
    tricks = f"The hand is worth {abs(margin):.2f} tricks more {better}, on average"
    return f"{tricks}." if keep is (margin >= 0) else f"{tricks}, which a player of this level misjudges."


def _exchange(view: View, action: Swap | Give, figures: Figures) -> str:
    cards = action.thrown if isinstance(action, Swap) else action.cards
    count = len(cards)
    what = ("No card is exchanged", "One card is exchanged", f"{count} cards are exchanged")[min(count, 2)]
    bid = view.bids[view.seat]
    if bid is not None and bid.is_nil:
        return f"{what}; the nil comes home with {_per_cent(figures.make)}."
    return f"{what}; the contract is made with {_per_cent(figures.make)}."


def _rival(view: View, choice: Choice) -> str:
    """How much better than the next best action it is; empty where the figures do not tell them apart."""
    best, *others = choice.figures
    if not others:
        return ""
    mine, theirs = _per_cent(best.equity), _per_cent(others[0].equity)
    if mine == theirs or best.equity < others[0].equity:
        return ""
    return f"It wins the game with {mine}; the next best, {_named(others[0].action, view)}, with {theirs}."


def _named(action: Action, view: View) -> str:
    return format_action(action, view.rules)


def _per_cent(probability: float) -> str:
    return f"{100 * probability:.0f} per cent"
