"""The numbers of a rule set that the choosers need, as plain ints: what a playout may ask a thousand times a second."""

from __future__ import annotations

from functools import lru_cache

from spades_engine.game import Form, RuleSet, card_set

SUITS = (0x1FFF, 0x1FFF << 13, 0x1FFF << 26, 0x1FFF << 39)
"""The cards of each suit, clubs first."""
SPADES = SUITS[3]
PLAIN = SUITS[0] | SUITS[1] | SUITS[2]
SPADE = 3
"""The index of the trumps."""
FIRST_SPADE = 39
HAND_SIZE = 13

CONTRACT, NIL, BLIND = 0, 1, 2
"""Kinds of bid in a light position; `NO_BID` where none was made."""
NO_BID = -1

DRAFT, PARTNERS, DUEL = 0, 1, 2
"""Forms of the game."""

_FORMS = {Form.DRAFT: DRAFT, Form.PARTNERS: PARTNERS, Form.DUEL: DUEL}


class Terms:
    """One rule set in numbers. Seats are indices in the order of `rules.seats`; the side of seat i is i & 1.

    `bag_cost` is what one more bag costs in the long run, in points (negative where bags are only worth having).
    """

    __slots__ = (
        "bag_cost", "blind", "deck", "first_trick_ruff", "form", "helps", "lead_anytime", "lowest_contract", "nil",
        "partners", "players", "rules", "swap_count", "swap_discards", "swap_partner", "unseen_discard",
    )  # fmt: skip

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.form = _FORMS[rules.form]
        self.players = len(rules.seats)
        self.partners = rules.has_partners
        self.deck = int(card_set(rules.deck))
        self.nil = rules.nil
        self.blind = rules.blind_nil
        self.helps = rules.failed_nil_helps
        self.lead_anytime = rules.lead_spades == "anytime"
        self.first_trick_ruff = rules.first_trick_ruff
        self.lowest_contract = max(rules.min_bid, 1) if rules.nil_is_zero else rules.min_bid
        self.swap_count = rules.exchange_count if rules.exchange != "none" else 0
        self.swap_discards = rules.exchange == "discards" and self.swap_count > 0
        self.swap_partner = rules.exchange == "partner" and self.swap_count > 0
        self.unseen_discard = rules.peek == "unseen"
        penalty = 0.0 if rules.bag_limit is None else rules.bag_penalty / rules.bag_limit
        self.bag_cost = penalty - rules.bag_points


@lru_cache(maxsize=32)
def terms_of(rules: RuleSet) -> Terms:
    """The numbers of a rule set; the same object for equal rules."""
    return Terms(rules)
