"""Record lines: reading, writing, and what is refused."""

import pytest
from hypothesis import given, settings

from spades_engine.game import (
    PENDING,
    BidMade,
    Choose,
    Deal,
    Draw,
    GameEnd,
    Give,
    HandScore,
    IllegalAction,
    Look,
    Play,
    RuleSet,
    Side,
    Swap,
    TrickWon,
    UnreadableEvent,
    format_action,
    format_event,
    legal_actions,
    mask_event,
    parse_bid,
    parse_card,
    parse_cards,
    parse_event,
)
from tests.game.hands import E, N, S, W, hidden, random_moments, rule_sets, rules_of, seeds

DRAFT, PARTNERS, DUEL = rules_of("draft"), rules_of("partners"), rules_of("duel")
AS, KD = parse_card("AS"), parse_card("KD")


@pytest.mark.parametrize(
    ("rules", "line", "event"),
    [
        (DRAFT, "deal 1 first=S", Deal(1, S)),
        (DUEL, f"deal 12 first=N hand.N={hidden()}", Deal(12, N, ((N, (None,) * 13),))),
        (DRAFT, "look S", Look(S)),
        (PARTNERS, "look E AS,KD", Look(E, (AS, KD))),
        (DRAFT, "draft N draw ??", Draw(N, None)),
        (DRAFT, "draft S draw AS", Draw(S, AS)),
        (DRAFT, "draft S keep", Choose(S, True)),
        (DRAFT, "draft S pass KD", Choose(S, False, KD)),
        (DRAFT, "draft N ?? ??", Choose(N, None, None)),
        (DRAFT, "swap S none none", Swap(S, (), ())),
        (DRAFT, "swap S AS,KD", Swap(S, (AS, KD))),
        (DRAFT, "swap N ??,?? ??,??", Swap(N, (None, None), (None, None))),
        (PARTNERS, "swap W AS,KD", Give(W, (AS, KD))),
        (PARTNERS, "swap W none", Give(W, ())),
        (DRAFT, "bid S 13", BidMade(S, parse_bid("13", DRAFT))),
        (DRAFT, "bid S nil", BidMade(S, parse_bid("0", DRAFT))),
        (DRAFT, "bid N blindnil", BidMade(N, parse_bid("blindnil", DRAFT))),
        (DRAFT, "play N AS", Play(N, AS)),
        (PARTNERS, "trick W", TrickWon(W)),
        (DRAFT, "score S=+42 N=-50 bags.S=2 bags.N=0 total.S=42 total.N=-50", HandScore((42, -50), (2, 0), (42, -50))),
        (
            PARTNERS,
            "score NS=+0 EW=+13 bags.NS=9 bags.EW=10 total.NS=0 total.EW=-100",
            HandScore((0, 13), (9, 10), (0, -100)),
        ),
        (DRAFT, "end winner=N reason=target total.S=12 total.N=500", GameEnd(Side.SECOND, "target", (12, 500))),
        (PARTNERS, "end winner=draw reason=cap total.NS=-5 total.EW=-5", GameEnd(None, "cap", (-5, -5))),
    ],
)
def test_every_kind_of_line(rules: RuleSet, line: str, event: object) -> None:
    """Each record line reads as its event, and the event is written as that line."""
    read = parse_event(line, rules)
    assert read == event
    assert format_event(read, rules) == line
    assert parse_event(f"  {line.replace(' ', '   ')} ", rules) == event


@pytest.mark.parametrize("line", ["look", "draft keep", "draft pass", "swap AS,KD", "swap none", "bid 4", "play AS"])
def test_a_line_without_a_seat_is_the_default_seats(line: str) -> None:
    """An action that names no seat is that of the seat given, and is written without it again."""
    action = parse_event(line, DRAFT, N)
    assert not isinstance(action, Deal | Draw | TrickWon | HandScore | GameEnd)
    assert action.seat is N
    assert format_action(action, DRAFT) == line
    with pytest.raises(UnreadableEvent, match="no seat"):
        parse_event(line, DRAFT)


def test_a_deal_may_leave_out_what_is_known() -> None:
    """Number and first seat of a deal line may be given beforehand; said again, the line counts."""
    assert parse_event("deal", DRAFT, None, 4, N) == Deal(4, N)
    assert parse_event("deal 5", DRAFT, None, 4, N) == Deal(5, N)
    assert parse_event("deal first=S", DRAFT, None, 4, N) == Deal(4, S)
    for line in ("deal", "deal 1"):
        with pytest.raises(UnreadableEvent):
            parse_event(line, DRAFT)


@pytest.mark.parametrize(
    "line",
    [
        "", " ", "pass", "Bid S 4", "event bid S 4", "bid", "bid S", "bid S 4 5", "bid X 4", "bid E 4", "bid s 4",
        "bid S four", "play", "play S", "play S AS KD", "play S A", "play S as", "look S AS KD", "look Q",
        "draft S", "draft S take AS", "draft S draw", "draft S keep AS KD", "draft S keep A", "draft S KEEP AS",
        "swap S", "swap S AS KD 2C", "swap S AS,", "swap S ,", "trick", "trick S 1", "trick E",
        "deal one first=S", "deal 1 first=E", "deal 1 first=", "deal 1 first=S first=S", "deal 1 S",
        "deal 1 first=S hand=AS",
        "deal 1 first=S hand.E=AS", "deal 1 first=S hand.S=", "deal 1 first=S hand.S=AS hand.S=AS",
        "deal \u0661 first=S",
        "deal 1 2 first=S", "deal 9999999999999999999 first=S",
        "score", "score S=1 N=2", "score S=1 N=2 bags.S=1 bags.N=1 total.S=1", "score NS=1 EW=2",
        "score S=x N=2 bags.S=1 bags.N=1 total.S=1 total.N=2",
        "score S=1 N=2 bags.S=1 bags.N=1 total.S=1 total.N=2 x=1",
        "score S=1 S=1 N=2 bags.S=1 bags.N=1 total.S=1 total.N=2",
        "end", "end winner=E reason=cap total.S=1 total.N=1", "end winner=S reason=luck total.S=1 total.N=1",
        "end winner=S total.S=1 total.N=1", "end winner=S reason=cap total.S=1", "end reason=cap total.S=1 total.N=1",
    ],
)  # fmt: skip
def test_lines_that_cannot_be_read(line: str) -> None:
    """Anything that is not a record line of this table is unreadable, with a sentence that says why."""
    with pytest.raises(UnreadableEvent) as caught:
        parse_event(line, DRAFT)
    assert caught.value.text


def test_a_played_card_is_never_hidden() -> None:
    """`play ??` is refused wherever it is said: every table must know the card."""
    with pytest.raises(IllegalAction) as caught:
        parse_event("play S ??", DRAFT)
    assert caught.value.why == "card-needed"


def test_an_exchange_with_the_partner_has_one_list() -> None:
    """Two lists are an exchange with the discards and no line of a partnership game."""
    with pytest.raises(UnreadableEvent):
        parse_event("swap E AS KD", PARTNERS)


@given(rule_sets(), seeds)
@settings(max_examples=40)
def test_whole_games_read_back(rules: RuleSet, seed: int) -> None:
    """Every event of random hands, plain and as each seat sees it, is written and read back as itself."""
    for moment in random_moments(rules, seed, 2):
        for event in moment.events:
            assert parse_event(format_event(event, rules), rules) == event
            for seat in rules.seats:
                shown = mask_event(event, rules, seat)
                assert parse_event(format_event(shown, rules), rules) == shown


@given(rule_sets(), seeds)
@settings(max_examples=15)
def test_every_legal_action_reads_back(rules: RuleSet, seed: int) -> None:
    """A legal action written without its seat is read back as itself for the seat to act."""
    for moment in random_moments(rules, seed):
        state = moment.after
        for action in legal_actions(state)[:100]:
            assert parse_event(format_action(action, rules), rules, state.turn) == action


def test_the_text_of_a_pending_choice() -> None:
    """A choice whose card is still to come is written without a card, which is not the same as a hidden one."""
    assert format_event(Choose(S, True, PENDING), DRAFT) == "draft S keep"
    assert format_event(Choose(S, True, None), DRAFT) == "draft S keep ??"
    assert parse_event("draft S keep", DRAFT) != parse_event("draft S keep ??", DRAFT)
    assert parse_cards("??") == (None,)
