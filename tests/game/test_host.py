"""A table run by a host that tells one seat's knowledge: what must be named, what must not, what contradicts itself."""

import pytest

from spades_engine.game import (
    GameError,
    IllegalAction,
    Phase,
    State,
    cards_of,
    count,
    new_game,
)
from spades_engine.game.fields import Fields
from tests.game.hands import E, N, S, W, hand, hidden, played, rules_of, told

FIRST_TURN = ["draft draw AS", "draft keep 2C"]
SOUTH = hand("C4567 D34 H234 SAKQJ")


def duel(*lines: str, **options: str) -> State:
    """A hand for two as S sees it; S is first."""
    return told(new_game(rules_of("duel", **options), S, S), f"deal hand.S={SOUTH} hand.N={hidden()}", *lines)


def draft(*lines: str, **options: str) -> State:
    """A drafted hand as S sees it; S is first."""
    return told(new_game(rules_of("draft300", **options), S, S), "deal", *lines)


def why(state: State, line: str) -> str:
    """Why a line is refused, or "accepted"."""
    try:
        told(state, line)
    except IllegalAction as error:
        return error.why
    except GameError as error:
        return type(error).__name__
    return "accepted"


OWN = SOUTH.split(",")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (f"deal hand.S={SOUTH} hand.N={hidden()}", "accepted"),
        (f"deal hand.S={SOUTH}", "accepted"),
        (f"deal hand.N={hidden()}", "card-needed"),
        ("deal", "card-needed"),
        (f"deal hand.S={hidden()}", "card-needed"),
        (f"deal hand.S={','.join(OWN[1:])},??", "card-needed"),
        (f"deal hand.S={','.join(OWN[1:])}", "wrong-count"),
        (f"deal hand.S={SOUTH},3C", "wrong-count"),
        (f"deal hand.S={','.join(OWN[1:] + OWN[-1:])}", "duplicate-card"),
        (f"deal hand.S={','.join(OWN[1:])},2C", "card-known-elsewhere"),
        (f"deal hand.S={SOUTH} hand.N={hidden(12)}", "wrong-count"),
        (f"deal hand.S={SOUTH} hand.N={hidden(12)},2H", "hidden-card"),
        (f"deal hand.S={SOUTH} hand.N={hand('D5678 H56789TJQK')}", "hidden-card"),
    ],
)
def test_the_deal_as_one_seat_sees_it(line: str, reason: str) -> None:
    """One's own hand is thirteen known cards; the other's are hidden, and may be left out altogether."""
    assert why(new_game(rules_of("duel"), S, S), line) == reason


def test_a_hidden_hand_that_is_left_out_is_the_same_as_a_masked_one() -> None:
    """Both ways of telling the deal give the same state."""
    state = new_game(rules_of("duel"), S, S)
    masked = f"deal hand.N={hidden()} hand.S={','.join(reversed(OWN))}"
    assert told(state, f"deal hand.S={SOUTH}") == told(state, masked)
    partners = told(new_game(rules_of("partners"), N, S), "deal")
    assert told(partners, "look N") == told(partners, f"look N {hidden()}")


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["draft draw AS", "draft keep 2C", "draft draw ??", "draft pass ??"], "accepted"),
        (["draft draw AS", "draft keep 2C", "draft draw ??", "draft pass"], "accepted"),
        (["draft draw ??"], "card-needed"),
        (["draft draw AS", "draft keep ??"], "card-needed"),
        (["draft draw AS", "draft keep"], "card-needed"),
        (["draft draw AS", "draft ?? ??"], "card-needed"),
        (["draft draw AS", "draft keep AS"], "card-known-elsewhere"),
        (["draft draw AS", "draft keep 2C", "draft draw KD"], "hidden-card"),
        (["draft draw AS", "draft keep 2C", "draft draw ??", "draft keep KD"], "hidden-card"),
        (["draft draw AS", "draft keep 2C", "draft draw ??", "draft ?? ??"], "card-needed"),
        (["draft draw AS", "draft keep 2C", "draft draw ??", "draft keep ??", "draft draw 2C"], "card-known-elsewhere"),
        (["draft draw AS", "draft keep 2C", "draft draw ??", "draft keep ??", "draft draw AS"], "card-known-elsewhere"),
        (["draft draw AS", "draft keep 2C", "draft N draw ??", "draft S pass KD"], "WrongSeat"),
    ],
)
def test_the_draft_as_one_seat_sees_it(lines: list[str], reason: str) -> None:
    """One's own cards must be named and the other's must not; whether a card was kept is public."""
    assert why(draft(*lines[:-1]), lines[-1]) == reason


@pytest.mark.parametrize(
    ("options", "lines", "reason"),
    [
        ({"draft_choice": "hidden"}, [*FIRST_TURN, "draft draw ??", "draft ?? ??"], "accepted"),
        ({"draft_choice": "hidden"}, [*FIRST_TURN, "draft draw ??", "draft keep ??"], "hidden-card"),
        ({"draft_choice": "hidden"}, ["draft draw AS", "draft ?? 2C"], "card-needed"),
        ({"peek": "unseen"}, ["draft draw AS", "draft keep ??"], "accepted"),
        ({"peek": "unseen"}, ["draft draw AS", "draft keep"], "accepted"),
        ({"peek": "unseen"}, ["draft draw AS", "draft keep 2C"], "hidden-card"),
        ({"peek": "unseen"}, ["draft draw AS", "draft pass 2C"], "accepted"),
        ({"peek": "unseen"}, ["draft draw AS", "draft pass ??"], "card-needed"),
    ],
)
def test_hidden_choices_and_unseen_cards(options: dict[str, str], lines: list[str], reason: str) -> None:
    """draft_choice=hidden hides the other's choice, peek=unseen even one's own discard after a keep."""
    assert why(draft(*lines[:-1], **options), lines[-1]) == reason


LATE = "4C 8C 9C 5C TC 6C JC 7C QC 3D"
"""Five tricks of clubs, the last four led by N, which has eight cards left."""


def in_play(*cards: str, **options: str) -> State:
    """The duel in play as S sees it, after some cards."""
    return played(duel("bid 4", "bid 4", **options), " ".join(cards))


@pytest.mark.parametrize(
    ("cards", "card", "reason"),
    [
        ("4C", "8C", "accepted"),
        ("4C", "5C", "card-known-elsewhere"),  # in the viewer's hand
        ("4C", "2C", "card-known-elsewhere"),  # not in the deck
        ("4C 8C", "8C", "card-known-elsewhere"),  # played
        ("4C 8H 5C", "9C", "void-shown"),
        ("4C 8H 5C 9H 6C", "TC", "void-shown"),
        ("4C 8S", "9C", "void-shown"),
        (LATE, "8S", "accepted"),  # from a hand of spades only
        (f"{LATE} 8S JS 2H", "5H", "void-shown"),
    ],
)
def test_plays_of_a_hidden_hand_are_checked_by_what_is_known(cards: str, card: str, reason: str) -> None:
    """A card of the other seat cannot be one that lies elsewhere, nor of a suit that the seat has shown void."""
    state = in_play(*cards.split())
    assert why(state, f"play {card}") == reason


def test_a_hand_of_spades_is_shown_by_an_early_lead() -> None:
    """A spade led before spades are broken shows that the seat holds no other suit, except with lead_spades=anytime."""
    assert len(in_play(*LATE.split(), "8S").voids[N]) == 3
    assert in_play(*LATE.split(), "8S", lead_spades="anytime").voids[N] == frozenset()


def test_hidden_hands_must_be_possible() -> None:
    """A lead that leaves more hidden cards than there are cards of the suits it may hold is refused."""
    # N leads a spade unbroken and claims to hold 13 spades, of which S holds four.
    state = told(new_game(rules_of("duel"), N, S), f"deal hand.S={SOUTH}", "bid 4", "bid 4")
    assert why(state, "play 9S") == "void-shown"


def partners() -> State:
    """A partnership hand after the exchange as N sees it: N called blind nil and gave 2C, 3C and 4C to S."""
    state = new_game(rules_of("partners"), N, N)
    state = told(state, "deal", "bid blindnil", f"look {hand('C23456789TJQ HA SA')}")
    for _ in range(3):
        state = told(state, "look", "bid 3")
    return told(state, "swap 2C,3C,4C")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("swap 2C,KH,QH", "accepted"),
        ("swap KH,QH,JH", "accepted"),
        ("swap 2C,KH,??", "card-needed"),
        ("swap ??,??,??", "card-needed"),
        ("swap 5C,KH,QH", "card-known-elsewhere"),
        ("swap KH,QH", "wrong-count"),
        ("swap KH,KH,QH", "duplicate-card"),
    ],
)
def test_what_the_partner_gives_back(line: str, reason: str) -> None:
    """The receiver must be told the cards; they are gifts of its own or cards that it has not seen."""
    assert why(partners(), line) == reason


def test_known_cards_of_the_partner_bind_it() -> None:
    """A partner known to hold a club must follow to clubs and must not lead spades before they are broken."""
    state = told(partners(), "swap 2C,KH,QH")
    assert [str(card) for card in cards_of(state.hands[S])] == ["3C", "4C"]
    assert state.held(S) == 13
    following = played(state, "5C 9D")
    assert why(following, "play 2D") == "must-follow"
    assert why(following, "play KC") == "accepted"
    assert why(following, "play 3C") == "accepted"
    assert why(following, "play 6C") == "card-known-elsewhere"
    leading = played(state, "5C 9D AC TD")
    assert leading.turn is S
    assert why(leading, "play 2S") == "spades-not-broken"
    assert why(leading, "play 2D") == "accepted"


def test_opponents_of_an_exchange_see_counts_only() -> None:
    """For an opponent three hidden cards go over and three come back; naming one is refused."""
    state = told(new_game(rules_of("partners"), N, E), "deal", "bid blindnil", "look", f"look {hand('D23456789TJQKA')}")
    state = told(state, "bid 3", "look", "bid 3", "look", "bid 3")
    assert why(state, "swap 2C,3C,4C") == "hidden-card"
    assert why(state, "swap ??,??") == "wrong-count"
    state = told(state, f"swap {hidden(3)}")
    assert (state.held(N), state.held(S)) == (10, 16)
    assert (told(state, f"swap {hidden(3)}").held(N), state.hands[N]) == (13, 0)


def with_discards(*lines: str) -> State:
    """A drafted hand as S sees it, N having called blind nil; S keeps the high cards and discards the clubs."""
    state = told(new_game(rules_of("draft"), S, S), "deal", "look")
    clubs, kept = hand("C23456789TJQKA").split(","), hand("H23456789 SAKQJT").split(",")
    for turn, (card, gone) in enumerate(zip(kept, clubs, strict=True)):
        state = told(state, f"draft draw {card}", f"draft keep {gone}")
        state = told(state, *(["bid blindnil"] if turn == 0 else []), "draft draw ??", "draft pass ??")
    return told(state, *lines)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("swap ??,?? ??,??", "accepted"),
        ("swap ??,??", "accepted"),
        ("swap none none", "accepted"),
        ("swap ??,??,??,?? ??,??,??,??", "wrong-count"),
        ("swap ??,?? ??", "wrong-count"),
        ("swap 9D,?? ??,??", "hidden-card"),
        ("swap ??,?? 2C,??", "hidden-card"),
    ],
)
def test_the_others_exchange_is_counts(line: str, reason: str) -> None:
    """Of the other seat's exchange only the number of cards is told."""
    assert why(with_discards(), line) == reason


def test_own_discards_can_come_back_as_far_as_they_were_exchanged() -> None:
    """N may play a card that S discarded only if it exchanged, and no more of them than it took."""
    none = told(with_discards(), "swap none none", "bid 4")
    assert count(none.may_hold(N)) == 26
    assert why(none, "play AC") == "card-known-elsewhere"
    two = told(with_discards(), "swap ??,?? ??,??", "bid 4")
    assert count(two.may_hold(N)) == 39
    assert why(two, "play AC") == "accepted"
    state = two
    for card, reply in (("AC", "2H"), ("KC", "3H")):
        assert state.turn is N
        state = played(state, f"{card} {reply}")
    assert why(state, "play QC") == "card-known-elsewhere"
    assert count(state.may_hold(N)) == 26


def test_an_own_exchange_is_checked() -> None:
    """The viewer's own exchange must be told with cards; what it takes cannot be in its hand."""
    state = told(new_game(rules_of("draft"), S, S), "deal", "bid blindnil")
    clubs, kept = hand("C23456789TJQKA").split(","), hand("H23456789 SAKQJT").split(",")
    for turn, (card, gone) in enumerate(zip(kept, clubs, strict=True)):
        state = told(state, f"draft draw {card}", f"draft keep {gone}", *(["look"] if turn == 0 else []))
        state = told(state, "draft draw ??", "draft pass ??")
    assert (state.phase, state.turn) == (Phase.SWAP, S)
    for line, reason in [
        ("swap AS,KS", "card-needed"), ("swap AS,KS ??,2C", "card-needed"), ("swap ??,KS 2C,3C", "card-needed"),
        ("swap AS,KS AS,2C", "card-known-elsewhere"), ("swap AS,KS QS,2C", "card-known-elsewhere"),
        ("swap AS,KS 2C,3C", "accepted"), ("swap AS,KS 9D,TD", "accepted"), ("swap AS,KS 2C", "wrong-count"),
        ("swap AD 2C", "not-in-hand"), ("swap none", "accepted"), ("swap none none", "accepted"),
    ]:  # fmt: skip
        assert why(state, line) == reason, line
    after = told(state, "swap AS,KS 2C,9D", "bid 4")
    assert why(after, "play N AS") == "WrongSeat" or after.turn is N
    assert count(after.hands[S]) == 13


def contents(state: State) -> list[object]:
    """Everything a state holds."""
    return [getattr(state, name) for name in Fields.__slots__]


def test_a_refused_line_changes_nothing() -> None:
    """After any objection the state is the very same object with the very same contents."""
    state = in_play("4C", "8H", "5C")
    before = contents(state)
    for line in ("play 9C", "play 5C", "play S 6C", "bid 3", "deal 2 first=N", "trick N", "swap none none"):
        with pytest.raises(GameError):
            told(state, line)
    assert contents(state) == before


def test_three_hidden_hands_have_room() -> None:
    """When the last seat that could hold the rest of a suit shows void in it, the line is refused."""
    state = new_game(rules_of("partners", blind_nil="off"), N, N)
    state = told(state, f"deal hand.N={hand('C23456789TJQK SA')}", *["bid 3"] * 4)
    state = played(state, "2C 2D 2H")
    assert why(state, "play 3D") == "void-shown"  # the ace of clubs would be nowhere
    assert why(state, "play AC") == "accepted"
    assert state.turn is W
