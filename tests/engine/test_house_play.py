"""How the rule policy plays: facts that a person would call sensible, on positions made for them."""

from random import Random

import pytest

from spades_engine.game import PRESETS, RuleSet, card_set, parse_card
from spades_engine.search.card_play import choose_card, sure_winners
from spades_engine.search.playout import bid_turn, draft_turn
from spades_engine.search.policy import policy_swap
from spades_engine.search.rng import Rng
from spades_engine.search.selfplay import new_hand, start_bidding
from spades_engine.search.table import BIDDING, DONE, DRAFTING, PLAYING, SWAPPING, Table
from spades_engine.search.terms import BLIND, CONTRACT, NIL, Terms
from tests.game.hands import cards_in, rules_of


def mask(text: str) -> int:
    """A set of cards from "C23 SAK"."""
    return int(card_set(cards_in(text)))


def position(
    rules: RuleSet,
    hand: str,
    bids: str,
    taken: tuple[int, ...],
    trick: str = "",
    seen: str = "",
    voids: dict[int, str] | None = None,
    broken: bool = True,
) -> Table:
    """Seat 0 is to play with this hand, and all the other cards but those of `trick` (in order) and `seen` are out.

    `bids` are numbers, "nil" or "blind" by seat; `voids` are whole suits by seat, "C" for clubs.
    """
    table = Table(Terms(rules))
    table.hands[0] = mask(hand)
    table.trick = [int(parse_card(text)) for text in trick.split()]
    table.played = mask(seen) | sum(1 << card for card in table.trick)
    for seat, word in enumerate(bids.split()):
        table.kinds[seat] = {"nil": NIL, "blind": BLIND}.get(word, CONTRACT)
        table.bids[seat] = int(word) if word.isdigit() else 0
    table.taken = list(taken)
    table.trick_number = sum(taken)
    assert table.hands[0].bit_count() == 13 - table.trick_number
    for seat, suits in (voids or {}).items():
        table.voids[seat] = sum(0x1FFF << 13 * "CDHS".index(suit) for suit in suits)
    table.leader = (-len(table.trick)) % table.terms.players
    table.turn = 0
    table.broken = broken
    table.stage = PLAYING
    table.count_contracts()
    return table


def card(table: Table) -> str:
    """The policy's card."""
    chosen = choose_card(table, 0)
    assert table.legal(0) >> chosen & 1
    return "23456789TJQKA"[chosen % 13] + "CDHS"[chosen // 13]


DUEL = rules_of("duel")
PARTNERS = rules_of("partners")


def test_last_seat_wins_with_the_cheapest_card() -> None:
    """Last to play and in need of tricks, it wins with the lowest card that does, in the suit led and with a ruff."""
    assert card(position(DUEL, "C3TQA D234 S2", "5 5", (2, 3), "9C")) == "TC"
    assert card(position(DUEL, "D23 H45 S257K", "5 5", (2, 3), "9C")) == "2S"
    assert card(position(PARTNERS, "C3TQA D234 S2", "5 2 2 2", (2, 1, 1, 1), "9C 4C 5C")) == "TC"
    assert card(position(PARTNERS, "D23 H45 S257K", "5 2 2 2", (2, 1, 1, 1), "4C 9C 6S")) == "7S"


def test_the_lowest_card_loses() -> None:
    """A trick that cannot be won gets the lowest card of the suit."""
    assert card(position(DUEL, "C378 D23 S2 H2 HK", "5 5", (2, 3), "AC")) == "3C"


def test_ducks_once_the_bid_is_made() -> None:
    """With the bid made and the opponents' out of reach it loses the trick with the highest card that does."""
    assert card(position(DUEL, "C37T D23 S2 H23", "2 1", (4, 1), "JC")) == "TC"
    assert card(position(DUEL, "C37A D23 S2 H23", "2 1", (4, 1), "JC")) == "7C"


def test_bags_that_cost_nothing_are_taken() -> None:
    """The same trick is won where bags are never punished: the option decides."""
    free = rules_of("duel", bag_limit="none")
    assert card(position(free, "C37A D23 S2 H23", "2 1", (4, 1), "JC")) == "AC"


def test_the_trick_that_sets_the_opponent_is_taken() -> None:
    """With its own bid made and two tricks left, it wins the trick that the opponent's contract hangs on."""
    rules = rules_of("duel")
    table = position(rules, "HA SA", "1 10", (2, 9), "4H", seen="S3456789TJQ")
    assert card(table) == "AH"


def test_a_bag_is_refused_when_the_set_is_gone() -> None:
    """The same ending after the opponent has made its contract: the trick is left to it where that can be done."""
    table = position(rules_of("duel"), "H2A", "1 8", (2, 9), "4H", seen="S3456789TJQ")
    assert card(table) == "2H"


def test_needs_all_and_leads_its_certain_tricks() -> None:
    """In need of all the tricks left it leads a spade that cannot be beaten, not a low one."""
    assert card(position(DUEL, "S29A C3", "9 1", (5, 4), seen="SKQJ")) == "AS"
    assert card(position(DUEL, "S9QKA", "9 1", (5, 4))) in ("QS", "KS", "AS")


def test_partner_keeps_the_trick_it_is_winning() -> None:
    """Last to play, it neither overtakes nor ruffs its partner's winner."""
    assert card(position(PARTNERS, "C3A D23 S25 H23", "3 3 3 3", (2, 1, 1, 1), "4C KC 5C")) == "3C"
    assert card(position(PARTNERS, "D234 S25 H234", "3 3 3 3", (2, 1, 1, 1), "4C KC 5C"))[1] in "DH"


def test_partner_with_the_top_card_is_left_alone_in_third_seat() -> None:
    """When its partner has led the ace, third seat plays low, and does not ruff."""
    assert card(position(PARTNERS, "C3KQ D23 S25 H2", "3 3 3 3", (2, 1, 1, 1), "AC 5C")) == "3C"
    assert card(position(PARTNERS, "D234 S25 H234", "3 3 3 3", (2, 1, 1, 1), "AC 5C"))[1] in "DH"


def test_third_seat_plays_high_on_a_low_lead() -> None:
    """On its partner's low lead third seat plays a card that can hold the trick."""
    assert card(position(PARTNERS, "C3A D23 S25 H23", "3 3 3 3", (2, 1, 1, 1), "4C 5C")) == "AC"


def test_a_nil_ducks_with_its_highest_loser() -> None:
    """A seat that bid nil plays the highest card below the one that wins, and its worst card when void."""
    assert card(position(PARTNERS, "C37TA D23 H23", "nil 4 4 4", (0, 2, 2, 1), "JC QC")) == "TC"
    assert card(position(PARTNERS, "D2K H2345 S23", "nil 4 4 4", (0, 2, 2, 1), "JC QC AC")) == "KD"
    assert card(position(DUEL, "C37TA D23 H23", "nil 4", (0, 5), "JC")) == "TC"


def test_a_nil_hides_spades_under_a_higher_one() -> None:
    """Void in the suit led, under a ruff, a nil gets rid of the highest spade that still loses."""
    assert card(position(PARTNERS, "D2A H2345 S2Q", "nil 4 4 4", (0, 2, 2, 1), "JC KS 4C")) == "QS"


def test_a_nil_leads_low() -> None:
    """On lead a nil plays a card that nearly every other one beats."""
    assert card(position(PARTNERS, "C2K D8Q H9JT S3", "nil 4 4 4", (0, 2, 2, 1))) in ("2C", "3S")


def test_the_partner_of_a_nil_covers_it() -> None:
    """A nil that is winning the trick is overtaken, with the cheapest card that does, bid made or not."""
    assert card(position(PARTNERS, "C3QA D23 H23 S4", "2 3 nil 3", (3, 1, 0, 1), "4C JC 5C")) == "QC"
    assert card(position(PARTNERS, "D2345 H23 S47", "2 3 nil 3", (3, 1, 0, 1), "4C JC 5C")) == "4S"


def test_the_partner_of_a_nil_plays_high_before_it() -> None:
    """Before the nil has played, its partner plays the highest card of the suit."""
    assert card(position(PARTNERS, "C3QA D23 H23 S4", "4 3 nil 3", (1, 2, 0, 2), "4C")) == "AC"


def test_a_nil_that_wins_is_left_the_trick() -> None:
    """An opponent's nil that is winning gets the trick when this seat can lose it, its own contract being safe."""
    assert card(position(PARTNERS, "C3QA D23 H23 S4", "2 3 2 nil", (2, 1, 2, 0), "4C 5C JC")) == "3C"


def test_an_own_contract_goes_before_a_nil() -> None:
    """In need of every trick left it wins one even if that saves an opponent's nil."""
    table = position(PARTNERS, "C3A", "8 2 4 nil", (6, 1, 4, 0), "4C 5C JC", seen="S23456789TJQKA")
    table.needs[0] = 2
    assert card(table) == "AC"


def test_both_kinds_of_nil_play_alike() -> None:
    """A blind nil ducks as a nil does."""
    assert card(position(PARTNERS, "C37TA D23 H23", "blind 4 4 4", (0, 2, 2, 1), "JC QC")) == "TC"


def test_sure_winners_are_counted_from_the_top() -> None:
    """Top spades, spades beyond the others' last one, and top side cards count; a guarded king does not."""
    out = mask("CA SQJ D2345")
    assert sure_winners(mask("CK2 SAK43"), out) == 4
    assert sure_winners(mask("CK2 SAK"), out) == 2
    assert sure_winners(mask("DA SK"), out) == 2


def test_the_nil_exchange_gives_danger_away() -> None:
    """A blind caller parts with its high spades and unprotected honours first; its partner gives low cards back."""
    table = Table(Terms(PARTNERS))
    table.stage = SWAPPING
    table.kinds = [BLIND, CONTRACT, CONTRACT, CONTRACT]
    table.swaps = [(0, 2), (2, 0)]
    table.hands[0] = mask("C23Q D2345 H6 SAKQ2")
    assert policy_swap(table, 0) == mask("SAKQ")
    table.hands[2] = mask("C78A D9TJ H2JK S5689")
    table.turn = 2
    given = policy_swap(table, 2)
    assert given == mask("C78 H2")


def test_the_discard_exchange_throws_only_danger() -> None:
    """In a draft a blind caller throws an ace of spades, and keeps three twos."""
    table = Table(Terms(rules_of("draft")))
    table.stage = SWAPPING
    table.kinds = [BLIND, CONTRACT]
    table.swaps = [(0, -1)]
    table.hands[0] = mask("C234 D2345 H234 S2A7")
    thrown = policy_swap(table, 0)
    assert thrown & mask("SA")
    assert not thrown & mask("C2 D2 H2")


@pytest.mark.parametrize("preset", PRESETS)
def test_spades_are_not_broken_by_ducking(preset: str) -> None:
    """In played-out hands a seat void in the suit led that wants no trick never ruffs when it holds another card."""
    terms = Terms(RuleSet.preset_named(preset))
    rng = Rng(6)
    seen = 0
    for number in range(60):
        table = new_hand(terms, rng, number % terms.players)
        while table.stage == DRAFTING:
            draft_turn(table)
        table.kinds[0] = NIL
        start_bidding(table)
        while table.stage == BIDDING:
            bid_turn(table)
        while table.stage != DONE:
            seat = table.turn
            chosen = choose_card(table, seat)
            if seat == 0 and not table.taken[0] and table.trick and chosen >= 39 > table.trick[0]:
                seen += 1
                legal = table.legal(0)
                higher_spade = max(table.trick) > chosen
                assert higher_spade or not legal & (1 << 39) - 1
            table.play(chosen)
    assert seen >= 0


def test_choices_use_only_own_cards() -> None:
    """On a full world the policy chooses as on the seat's own cards alone: other hands are never read."""
    rng = Random(1)
    for preset in PRESETS:
        terms = Terms(RuleSet.preset_named(preset))
        stream = Rng(3)
        for number in range(12):
            table = new_hand(terms, stream, number % terms.players)
            while table.stage == DRAFTING:
                draft_turn(table)
            while table.stage == BIDDING:
                bid_turn(table)
            while table.stage != DONE:
                seat = table.turn
                blinded = table.copy()
                for other in range(terms.players):
                    if other != seat:
                        blinded.hands[other] = rng.getrandbits(52) & terms.deck
                        blinded.gone[other] = rng.getrandbits(52)
                chosen = choose_card(table, seat)
                assert choose_card(blinded, seat) == chosen
                table.play(chosen)
