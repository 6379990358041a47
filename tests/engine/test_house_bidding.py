"""What hands are worth, and what the rule policy bids."""

from random import Random

import pytest

from spades_engine.bidding.blind import calls_blind
from spades_engine.bidding.choose import NIL_BID, choose_bid, nil_chance
from spades_engine.bidding.contract import best_contract, trick_chances
from spades_engine.bidding.hand_value import nil_danger, trick_estimate
from spades_engine.equity.model import Equity
from spades_engine.game import PRESETS, BidKind, BidMade, Phase, RuleSet, Side, card_set, legal_bids
from spades_engine.search.playout import draft_turn, play_out
from spades_engine.search.policy import others_cards
from spades_engine.search.rng import Rng
from spades_engine.search.selfplay import new_hand
from spades_engine.search.table import DRAFTING
from spades_engine.search.terms import CONTRACT, NIL, SPADES, Terms
from tests.engine.house import hand_states, house, mixed, random_rules, view_of

ACE_OF_SPADES = 1 << 51
FORMS = (0, 1, 2)


def random_hand(rng: Random) -> tuple[int, int]:
    """Thirteen cards, and some of the others as what opponents may hold."""
    cards = rng.sample(range(52), 52)
    return int(card_set(cards[:13])), int(card_set(cards[13 : 13 + rng.randint(13, 39)]))


@pytest.mark.parametrize("form", FORMS)
def test_a_higher_card_is_never_worth_less(form: int) -> None:
    """Putting a higher card of the same suit in a card's place never lowers the estimate of tricks."""
    rng = Random(form)
    for _ in range(3000):
        hand, others = random_hand(rng)
        low = rng.choice([card for card in range(52) if hand >> card & 1])
        higher = [card for card in range(low + 1, low // 13 * 13 + 13) if others >> card & 1]
        if not higher:
            continue
        high = rng.choice(higher)
        better, left = hand ^ 1 << low | 1 << high, others ^ 1 << high | 1 << low
        assert trick_estimate(better, left, form) >= trick_estimate(hand, others, form)
        assert nil_danger(better, left, form) >= nil_danger(hand, others, form)


@pytest.mark.parametrize("form", FORMS)
def test_all_spades_are_all_tricks(form: int) -> None:
    """The thirteen spades are worth thirteen tricks or nearly, and are bid so; a hand without a winner is worth few."""
    others = (1 << 52) - 1 & ~SPADES
    assert trick_estimate(SPADES, others, form) > 11500
    low = int(card_set(n + 13 * suit for suit in range(3) for n in range(4))) | 1 << 39
    assert trick_estimate(low, (1 << 52) - 1 & ~low, form) < 2500


def ended_hands(preset: str, hands: int) -> list[tuple[float, int, int, int, bool]]:
    """For every seat of many hands of the policy: estimate, kind of bid, bid, tricks won, side's contract made."""
    terms = Terms(RuleSet.preset_named(preset))
    rng = Rng(11)
    rows = []
    for number in range(hands):
        table = new_hand(terms, rng, number % terms.players)
        while table.stage == DRAFTING:
            draft_turn(table)
        seats = range(terms.players)
        estimates = [trick_estimate(table.hands[seat], others_cards(table, seat), terms.form) / 1000 for seat in seats]
        play_out(table)
        rows += [
            (estimates[seat], table.kinds[seat], table.bids[seat], table.taken[seat], table.needs[seat & 1] <= 0)
            for seat in seats
        ]
    return rows


@pytest.mark.parametrize("preset", PRESETS)
def test_bids_are_accurate(preset: str) -> None:
    """Over many hands contracts fall short of the tricks won by 0.2 to 1.2 a seat, and at least 70% are made."""
    rows = [row for row in ended_hands(preset, 300) if row[1] == CONTRACT]
    spare = sum(taken - bid for _, _, bid, taken, _ in rows) / len(rows)
    assert 0.2 < spare < 1.2
    assert sum(made for *_, made in rows) >= 0.7 * len(rows)


@pytest.mark.parametrize("preset", PRESETS)
def test_estimates_are_calibrated(preset: str) -> None:
    """The estimate is right on average within a third of a trick, among weak hands and among strong ones."""
    rows = sorted(row for row in ended_hands(preset, 400) if row[1] == CONTRACT)
    third = len(rows) // 3
    for part in (rows[:third], rows[third : 2 * third], rows[2 * third :]):
        assert abs(sum(taken - estimate for estimate, _, _, taken, _ in part)) < 0.34 * len(part)


def test_bids_nil_sometimes_and_makes_most() -> None:
    """With partners a few hands in a hundred are nils, and at least 70% of those are made."""
    rows = [row for row in ended_hands("partners", 500) if row[1] == NIL]
    assert 0.01 * 2000 < len(rows) < 0.2 * 2000
    assert sum(taken == 0 for _, _, _, taken, _ in rows) >= 0.7 * len(rows)


@pytest.mark.parametrize("form", FORMS)
def test_no_nil_with_the_ace_of_spades(form: int) -> None:
    """A hand with the ace of spades is never bid nil, however low the rest and however much a nil is worth."""
    low = int(card_set([0, 1, 2, 13, 14, 15, 26, 27, 28, 3, 16, 29]))
    hand = low | ACE_OF_SPADES
    bid = choose_bid(
        hand, (1 << 52) - 1 & ~hand, form, bag_cost=9.0, lowest=1, nil=1000, opponent_bid=None, opponent_nil=False,
        partner_nil=False, partner_gives=False,
    )  # fmt: skip
    assert bid != NIL_BID
    assert nil_chance(nil_danger(hand, (1 << 52) - 1 & ~hand, form)) < 0.001


@pytest.mark.parametrize("preset", PRESETS)
def test_bids_are_legal_under_all_options(preset: str) -> None:
    """Whatever the options, hand and earlier bids, the bid is one of the legal ones."""
    rng = Random(f"{preset} bids")
    for _ in range(25):
        rules = random_rules(rng, preset)
        for state in list(hand_states(rules, rng.randrange(10**6), mixed(rng, 0.5)))[:-1]:
            if state.phase is Phase.BID:
                action = house(state)
                assert isinstance(action, BidMade)
                assert action.bid in legal_bids(rules)


def test_nil_off_is_obeyed() -> None:
    """With `nil=off` no nil is bid on hands that were nils, and a contract of 0 only where it exists."""
    usual = RuleSet.preset_named("partners")
    rng = Random(4)
    nils = 0
    for seed in range(60):
        for state in list(hand_states(usual, seed, mixed(rng, 0.0)))[:-1]:
            if state.phase is not Phase.BID or state.blind:
                continue
            action = house(state)
            assert isinstance(action, BidMade)
            if action.bid.kind is BidKind.NIL:
                nils += 1
                view = view_of(state)
                for zero, least in (("yes", 1), ("no", 0)):
                    terms = Terms(usual.with_options({"nil": "off", "nil_is_zero": zero}))
                    bid = choose_bid(
                        int(view.hand), int(view.unseen), 1, bag_cost=terms.bag_cost, lowest=terms.lowest_contract,
                        nil=terms.nil, opponent_bid=None, opponent_nil=False, partner_nil=False, partner_gives=False,
                    )  # fmt: skip
                    assert bid >= least
    assert nils > 3


def test_bags_decide_the_contract() -> None:
    """The dearer a bag, the higher the contract on the same hand; free bags make it lower."""
    for form in FORMS:
        free = [best_contract(estimate, form, -1.0, 1) for estimate in range(0, 13001, 100)]
        usual = [best_contract(estimate, form, 9.0, 1) for estimate in range(0, 13001, 100)]
        dear = [best_contract(estimate, form, 99.0, 1) for estimate in range(0, 13001, 100)]
        assert all(a <= b <= c for a, b, c in zip(free, usual, dear, strict=True))
        assert sum(free) < sum(usual) < sum(dear)
        assert usual == sorted(usual)


def test_the_least_contract_is_kept() -> None:
    """No contract below the smallest allowed is bid on a hand without a trick."""
    for least in range(5):
        assert best_contract(0, 0, 9.0, least) >= least


def test_trick_chances_add_up() -> None:
    """The probabilities of 0 to 13 tricks sum to one, at the ends of the range too."""
    for mean in (-1.0, 0.0, 3.3, 6.5, 13.0, 14.5):
        chances = trick_chances(mean, 1.3)
        assert len(chances) == 14
        assert abs(sum(chances) - 1.0) < 1e-9
        assert min(chances) >= 0.0


@pytest.mark.parametrize("preset", PRESETS)
def test_no_blind_nil_unless_far_behind(preset: str) -> None:
    """Blind nil is never called level or ahead or a little behind, in any score; where it is called at all it is from
    far behind and within the options' deficit.
    """
    for options in ({"blind_nil": "200"}, {"blind_nil": "1000"}, {"blind_nil": "200", "blind_deficit": "300"}):
        rules = RuleSet.preset_named(preset).with_options(options)
        equity = Equity(rules)
        terms = Terms(rules)
        for own in range(-150, rules.target, 25):
            for theirs in range(-150, rules.target, 25):
                called = calls_blind(rules, equity, Side.FIRST, (own, theirs), (3, 3), 4, terms.form)
                if theirs - own < max(rules.target // 5, rules.blind_deficit):
                    assert not called


def test_blind_nil_is_called_when_desperate() -> None:
    """Partners 300 behind opponents who need 20 points call it: nothing else is left."""
    rules = RuleSet.preset_named("partners")
    assert calls_blind(rules, Equity(rules), Side.SECOND, (480, 150), (0, 0), 9, 1)
    assert not calls_blind(rules, Equity(rules), Side.FIRST, (480, 150), (0, 0), 9, 1)
