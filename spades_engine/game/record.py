"""Record lines: the events of a hand as text, and back.

Texts are read whether or not they name the seat that acts, so the same reader serves a record ("bid S 4"), an event of
another program and the command of a player whose seat is plain ("bid 4").
"""

from __future__ import annotations

from collections.abc import Sequence

from spades_engine.game.bids import format_bid, parse_bid
from spades_engine.game.cards import HIDDEN_TEXT, Card, format_card, format_cards, parse_card, parse_cards
from spades_engine.game.errors import IllegalAction, UnreadableEvent
from spades_engine.game.events import (
    PENDING,
    Action,
    BidMade,
    CardList,
    Choose,
    Deal,
    Draw,
    Event,
    GameEnd,
    Give,
    HandScore,
    Look,
    Play,
    Swap,
    TrickWon,
)
from spades_engine.game.ruleset import RuleSet
from spades_engine.game.seats import Seat, Side, format_seat

_FORMS = {
    "deal": "deal <number> first=<seat> [hand.<seat>=<cards> ...]",
    "look": "look [<seat>] [<cards>]",
    "draft": "draft [<seat>] draw|keep|pass [<card>]",
    "swap": "swap [<seat>] <cards> [<cards>]",
    "bid": "bid [<seat>] <bid>",
    "play": "play [<seat>] <card>",
    "trick": "trick <seat>",
    "score": "score <side>=<points> ... bags.<side>=<bags> ... total.<side>=<total> ...",
    "end": "end winner=<side or draw> reason=target|floor|cap total.<side>=<total> ...",
}
_CHOICE_OF_WORD: dict[str, bool | None] = {"keep": True, "pass": False, HIDDEN_TEXT: None}
_WORD_OF_CHOICE = {choice: word for word, choice in _CHOICE_OF_WORD.items()}
_REASONS = ("target", "floor", "cap")


def parse_event(
    text: str,
    rules: RuleSet,
    default_seat: Seat | None = None,
    number: int | None = None,
    first: Seat | None = None,
) -> Event:
    """Read one record line.

    `default_seat` is the seat of a line that names none; `number` and `first` are those of a deal line that leaves them
    out. Raises `UnreadableEvent`, or `IllegalAction` where the text is well formed and can never be legal.
    """
    words = [word for word in text.replace("\t", " ").split(" ") if word]  # other blanks are not blanks here
    if not words or words[0] not in _FORMS:
        raise UnreadableEvent(f"{text}: not a record line, which starts with one of {', '.join(_FORMS)}")
    verb, rest = words[0], words[1:]
    if verb == "deal":
        return _parse_deal(rest, rules, number, first)
    if verb == "score":
        return _parse_score(rest, rules)
    if verb == "end":
        return _parse_end(rest, rules)
    seat = default_seat
    if rest and len(rest[0]) == 1 and rest[0].isalpha():
        seat, rest = _seat(rest[0], rules), rest[1:]
    if seat is None:
        raise UnreadableEvent(f"{text}: names no seat")
    if verb == "trick" and not rest:
        return TrickWon(seat)
    if verb == "look" and len(rest) <= 1:
        return Look(seat, parse_cards(rest[0]) if rest else None)
    if verb == "bid" and len(rest) == 1:
        return BidMade(seat, parse_bid(rest[0], rules))
    if verb == "play" and len(rest) == 1:
        return Play(seat, _open_card(rest[0]))
    if verb == "draft" and 1 <= len(rest) <= 2:
        return _parse_draft(seat, rest)
    if verb == "swap" and 1 <= len(rest) <= 2:
        cards = parse_cards(rest[0])
        if rules.exchange != "partner":
            return Swap(seat, cards, parse_cards(rest[1]) if len(rest) == 2 else None)
        if len(rest) == 1:
            return Give(seat, cards)
    raise _misshapen(verb)


def format_event(event: Event, rules: RuleSet) -> str:
    """The record line of an event; hidden cards are written `??`."""
    match event:
        case Deal(number, first, hands):
            words = [f"deal {number} first={format_seat(first)}"]
            words += [f"hand.{format_seat(seat)}={format_cards(cards)}" for seat, cards in hands]
            return " ".join(words)
        case Draw(seat, card):
            return f"draft {format_seat(seat)} draw {format_card(card)}"
        case TrickWon(seat):
            return f"trick {format_seat(seat)}"
        case HandScore(points, bags, totals):
            names = [rules.format_side(side) for side in rules.sides]
            words = [f"{name}={value:+d}" for name, value in zip(names, points, strict=True)]
            words += [f"bags.{name}={value}" for name, value in zip(names, bags, strict=True)]
            words += [f"total.{name}={value}" for name, value in zip(names, totals, strict=True)]
            return " ".join(["score", *words])
        case GameEnd(winner, reason, totals):
            words = [f"total.{rules.format_side(side)}={totals[side]}" for side in rules.sides]
            name = "draw" if winner is None else rules.format_side(winner)
            return " ".join([f"end winner={name} reason={reason}", *words])
        case _:
            verb, _, rest = format_action(event, rules).partition(" ")
            line = f"{verb} {format_seat(event.seat)}"
            return f"{line} {rest}" if rest else line


def format_action(action: Action, rules: RuleSet) -> str:
    """The command that makes the action, without the seat; with its outcome, if it has one already."""
    match action:
        case Look(_, cards):
            return "look" if cards is None else f"look {format_cards(cards)}"
        case Choose(_, keep, card):
            word = f"draft {_WORD_OF_CHOICE[keep]}"
            return word if card is PENDING else f"{word} {format_card(card)}"
        case Swap(_, thrown, taken):
            word = f"swap {format_cards(thrown)}"
            return word if taken is None else f"{word} {format_cards(taken)}"
        case Give(_, cards):
            return f"swap {format_cards(cards)}"
        case BidMade(_, bid):
            return f"bid {format_bid(bid)}"
        case Play(_, card):
            return f"play {format_card(card)}"


def _misshapen(verb: str) -> UnreadableEvent:
    return UnreadableEvent(f"{verb}: the line reads {_FORMS[verb]}")


def _seat(text: str, rules: RuleSet) -> Seat:
    for seat in rules.seats:
        if seat.name == text:
            return seat
    raise UnreadableEvent(f"{text}: the seats of this game are {', '.join(map(format_seat, rules.seats))}")


def _open_card(text: str) -> Card:
    if text == HIDDEN_TEXT:
        raise IllegalAction("card-needed", f"{text}: a card played is never hidden")
    return parse_card(text)


def _parse_draft(seat: Seat, rest: Sequence[str]) -> Event:
    word = rest[0]
    card = None if len(rest) < 2 or rest[1] == HIDDEN_TEXT else parse_card(rest[1])
    if word == "draw" and len(rest) == 2:
        return Draw(seat, card)
    if word in _CHOICE_OF_WORD:
        return Choose(seat, _CHOICE_OF_WORD[word], card if len(rest) == 2 else PENDING)
    raise _misshapen("draft")


def _pairs(verb: str, words: Sequence[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words:
        key, sign, value = word.partition("=")
        if not sign or not value:
            raise _misshapen(verb)
        if key in pairs:
            raise UnreadableEvent(f"{verb}: {key} is given twice")
        pairs[key] = value
    return pairs


def _integer(verb: str, text: str) -> int:
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 18:
        raise UnreadableEvent(f"{verb}: {text} is not a number")
    return int(text)


def _parse_deal(words: list[str], rules: RuleSet, number: int | None, first: Seat | None) -> Deal:
    if words and "=" not in words[0]:
        number, words = _integer("deal", words[0]), words[1:]
    hands: list[tuple[Seat, CardList]] = []
    for key, value in _pairs("deal", words).items():
        if key == "first":
            first = _seat(value, rules)
        elif key.startswith("hand."):
            hands.append((_seat(key[5:], rules), parse_cards(value)))
        else:
            raise UnreadableEvent(f"deal: {key} is not a key of this line")
    if number is None or first is None:
        raise UnreadableEvent(f"deal: names no {'number' if number is None else 'first seat'}")
    return Deal(number, first, tuple(sorted(hands, key=lambda item: rules.seats.index(item[0]))))


def _by_side(verb: str, pairs: dict[str, str], prefix: str, rules: RuleSet) -> tuple[int, int]:
    values = []
    for side in rules.sides:
        key = prefix + rules.format_side(side)
        if key not in pairs:
            raise UnreadableEvent(f"{verb}: {key}= is missing")
        values.append(_integer(verb, pairs.pop(key)))
    return (values[0], values[1])


def _no_more(verb: str, pairs: dict[str, str]) -> None:
    for key in pairs:
        raise UnreadableEvent(f"{verb}: {key} is not a key of this line")


def _parse_score(words: list[str], rules: RuleSet) -> HandScore:
    pairs = _pairs("score", words)
    points = _by_side("score", pairs, "", rules)
    bags = _by_side("score", pairs, "bags.", rules)
    totals = _by_side("score", pairs, "total.", rules)
    _no_more("score", pairs)
    return HandScore(points, bags, totals)


def _parse_end(words: list[str], rules: RuleSet) -> GameEnd:
    pairs = _pairs("end", words)
    winner: Side | None = None
    name, reason = pairs.pop("winner", ""), pairs.pop("reason", "")
    if name != "draw":
        winner = rules.parse_side(name)
    if reason not in _REASONS:
        raise UnreadableEvent(f"end: reason= is one of {', '.join(_REASONS)}")
    totals = _by_side("end", pairs, "total.", rules)
    _no_more("end", pairs)
    return GameEnd(winner, reason, totals)
