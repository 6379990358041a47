"""The options of a rule set: their names, values, texts and meanings, in the order of the specification's table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from spades_engine.game.cards import Card, card_set, cards_of, format_cards, parse_cards
from spades_engine.game.errors import OptionError, UnreadableEvent

OptionValue = int | bool | str | None | tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option. `parse` reads a value's text (raises `OptionError`), `format` writes it back."""

    name: str
    kind: str  # "number", "yes-no", "word" or "cards"
    allowed: str
    meaning: str
    parse: Callable[[str], OptionValue]
    format: Callable[[OptionValue], str]


def _number(name: str, low: int, high: int, meaning: str, word: str = "") -> OptionSpec:
    """An int in low..high; with `word`, also that word, which stands for None."""
    allowed = f"{word}, {low}..{high}" if word else f"{low}..{high}"

    def parse(text: str) -> OptionValue:
        if word and text == word:
            return None
        digits = text[1:] if text[:1] in ("+", "-") else text
        if not (digits.isascii() and digits.isdigit()):
            meant = word if word and text.lower() in ("off", "none", "no") else ""
            raise OptionError(name, f"{name}={text}: {name} takes {allowed}", allowed, meant)
        if len(digits) > 18 or not low <= int(text) <= high:
            raise OptionError(name, f"{name}={text}: out of range, {name} takes {allowed}", allowed, "", (low, high))
        return int(text)

    def form(value: OptionValue) -> str:
        return word if value is None else str(value)

    return OptionSpec(name, "number", allowed, meaning, parse, form)


def _words(name: str, words: tuple[str, ...], meaning: str) -> OptionSpec:
    allowed = ", ".join(words)

    def parse(text: str) -> OptionValue:
        if text not in words:
            raise _not_a_word(name, text, words)
        return text

    return OptionSpec(name, "word", allowed, meaning, parse, str)


def _yes_no(name: str, meaning: str) -> OptionSpec:
    def parse(text: str) -> OptionValue:
        if text not in ("yes", "no"):
            raise _not_a_word(name, text, ("yes", "no"))
        return text == "yes"

    def form(value: OptionValue) -> str:
        return "yes" if value else "no"

    return OptionSpec(name, "yes-no", "yes, no", meaning, parse, form)


def _cards(name: str, meaning: str) -> OptionSpec:
    allowed = "none, list of cards"

    def parse(text: str) -> OptionValue:
        try:
            cards = parse_cards(text)
        except UnreadableEvent as error:
            raise OptionError(name, f"{name}={text}: {error.text}", allowed) from None
        known = [card for card in cards if card is not None]
        if len(known) != len(cards):
            raise OptionError(name, f"{name}={text}: the cards taken out cannot be hidden", allowed)
        mask = card_set(known)
        if mask.bit_count() != len(known):
            raise OptionError(name, f"{name}={text}: one card is named twice", allowed)
        return cards_of(mask)

    def form(value: OptionValue) -> str:
        assert isinstance(value, tuple)
        return format_cards(value)

    return OptionSpec(name, "cards", allowed, meaning, parse, form)


def _not_a_word(name: str, text: str, words: tuple[str, ...]) -> OptionError:
    allowed = ", ".join(words)
    return OptionError(name, f"{name}={text}: {name} takes {allowed}", allowed, nearest(text.lower(), words))


def nearest(text: str, words: Iterable[str]) -> str:
    """The word a person most likely meant, "" when none is near: at most a third of its letters differ."""
    best, best_cost = "", 1000
    for word in words:
        cost = _distance(text[:40], word)
        if cost < best_cost and 3 * cost <= max(len(word), 3):
            best, best_cost = word, cost
    return best


def _distance(left: str, right: str) -> int:
    """Insertions, deletions and replacements that turn one word into the other (Levenshtein)."""
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        previous, row[0] = row[0], i
        for j, b in enumerate(right, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (a != b))
    return row[-1]


OPTIONS: tuple[OptionSpec, ...] = (
    _number("target", 50, 5000, "total that ends the game"),
    _number("floor", -5000, -1, "total at or below which a side loses", "none"),
    _number("bag_limit", 1, 20, "bags per penalty", "none"),
    _number("bag_penalty", 0, 1000, "points per penalty"),
    _number("bag_points", 0, 1, "points per bag"),
    _number("nil", 0, 1000, "value of a nil", "off"),
    _number("blind_nil", 0, 1000, "value of a blind nil", "off"),
    _number("blind_deficit", 0, 5000, "points behind needed to call blind nil; 0: no condition"),
    _words("exchange", ("none", "discards", "partner"), "exchange after a blind nil"),
    _number("exchange_count", 0, 4, "cards exchanged (at most, or exactly)"),
    _yes_no("failed_nil_bags", "are a failed nil's tricks bags"),
    _yes_no("failed_nil_helps", "do they help the partner's contract"),
    _words("peek", ("seen", "unseen"), "is the second card seen after a keep"),
    _words("draft_choice", ("public", "hidden"), "is keep or pass public"),
    _words("first_bidder", ("first", "second"), "who bids first, counted from the hand's first seat"),
    _words("leader", ("bidder", "other"), "who leads trick 1: the first bidder, or the seat after"),
    _words("lead_spades", ("broken", "anytime"), "may spades be led before they are broken"),
    _yes_no("first_trick_ruff", "may a void seat play a spade to trick 1"),
    _cards("removed", "cards taken out of the deck"),
    _number("hand_cap", 1, 1000, "hands after which the game ends in any case"),
    _number("min_bid", 0, 4, "smallest contract"),
    _yes_no("nil_is_zero", "is a bid of 0 a nil"),
)

OPTION_OF_NAME: dict[str, OptionSpec] = {spec.name: spec for spec in OPTIONS}
