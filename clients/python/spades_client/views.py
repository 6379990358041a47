"""What is played, and what each seat may see of it (SPEC.md, sections 8, 9 and 15)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from spades_protocol.words import format_pair

HIDDEN = "??"
"""What stands for a card that the reader may not see."""

_PARTNERS = {"N": "S", "E": "W", "S": "N", "W": "E"}


@dataclass(frozen=True, slots=True)
class GameSetup:
    """What `newgame` says about a game, whoever deals and watches it.

    `options` are the rule options that differ from the preset, as text; `totals` and `bags` go by side.
    """

    rules: str = "draft"
    first: str | None = None
    seed: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    totals: Mapping[str, int] = field(default_factory=dict)
    bags: Mapping[str, int] = field(default_factory=dict)

    def newgame(self, dealer: Literal["engine", "host"] = "engine", view: str = "all") -> str:
        """Return the `newgame` line. The seed is told only to a program that deals."""
        words = ["newgame", format_pair("rules", self.rules), f"dealer={dealer}", f"view={view}"]
        if self.first is not None:
            words.append(f"first={self.first}")
        if self.seed is not None and dealer == "engine":
            words.append(format_pair("seed", self.seed))
        words += [f"total.{side}={points}" for side, points in self.totals.items()]
        words += [f"bags.{side}={bags}" for side, bags in self.bags.items()]
        words += [format_pair(name, value) for name, value in self.options.items()]
        return " ".join(words)

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats in clockwise order."""
        return ("N", "E", "S", "W") if self.rules == "partners" else ("S", "N")

    @property
    def removed(self) -> tuple[str, ...]:
        """The cards taken out of the deck."""
        text = self.options.get("removed", "2C,2D" if self.rules == "duel" else "none")
        return () if text == "none" else tuple(text.split(","))

    def mask(self, line: str, viewer: str) -> str:
        """Return a record line as the seat `viewer` may see it: section 9, "Masking".

        A line that is masked already stays as it is. Lines without hidden cards are returned unchanged.
        """
        words = line.split()
        match words:
            case ["deal", *_]:
                return " ".join(_mask_hand(word, viewer) for word in words)
            case ["look", seat, cards] if seat != viewer:
                return f"look {seat} {_mask_cards(cards)}"
            case ["draft", seat, choice, _]:
                return f"draft {seat} {self._mask_draft(seat, choice, words[3], viewer)}"
            case ["swap", seat, thrown, got] if seat != viewer:
                return f"swap {seat} {_mask_cards(thrown)} {_mask_cards(got)}"
            case ["swap", seat, given] if viewer not in (seat, _PARTNERS.get(seat)):
                return f"swap {seat} {_mask_cards(given)}"
        return line

    def _mask_draft(self, seat: str, choice: str, card: str, viewer: str) -> str:
        if seat == viewer:
            unseen = choice == "keep" and self.options.get("peek") == "unseen"
            return f"{choice} {HIDDEN if unseen else card}"
        if choice != "draw" and self.options.get("draft_choice") == "hidden":
            choice = HIDDEN
        return f"{choice} {HIDDEN}"


def _mask_cards(cards: str) -> str:
    """Hide every card of a list; how many there are stays."""
    return cards if cards == "none" else ",".join(HIDDEN for _ in cards.split(","))


def _mask_hand(word: str, viewer: str) -> str:
    """Hide the cards of a word `hand.<seat>=<cards>` of another seat."""
    key, equals, cards = word.partition("=")
    if not equals or not key.startswith("hand.") or key == f"hand.{viewer}":
        return word
    return f"{key}={_mask_cards(cards)}"
