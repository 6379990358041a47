"""What cards played tell of cards held."""

from __future__ import annotations

from collections import defaultdict

import pytest

from spades_engine.game import Phase, RuleSet, parse_card
from spades_engine.search.evidence import CELLS, EVEN, SIGNS, odds_of, signs
from spades_engine.search.odds import ODDS
from spades_engine.search.terms import CONTRACT, NIL
from tests.engine.house import hand_states, view_of
from tests.strength.run_beliefs import PHASES, losses, phase_of

ME, THEY = 0, 1


def cards(text: str) -> int:
    """A set of cards."""
    return sum(1 << int(parse_card(word)) for word in text.split())


def told(*plays: str, bid: int = 4, kind: int = CONTRACT) -> dict[str, tuple[int, bool]]:
    """The signs of the last play, by name: the cards, and whether the seat wanted tricks. `S` is mine, `N` theirs."""
    found = [(ME if text[0] == "S" else THEY, int(parse_card(text[2:]))) for text in plays]
    earlier = len(list(signs(found[:-1], THEY, kind, bid)))
    last = list(signs(found, THEY, kind, bid))[earlier:]
    return {SIGNS[cell // 4]: (mask, bool(cell & 2)) for cell, mask in last}


def test_a_lead_is_a_sign_about_its_suit() -> None:
    """A lead tells of higher and lower cards of its suit, and of no other."""
    found = told("N 9H")
    assert found == {
        "led, a higher card of the suit": (cards("TH JH QH KH AH"), True),
        "led, a lower one": (cards("2H 3H 4H 5H 6H 7H 8H"), True),
    }


def test_a_dear_win_is_a_sign_about_cheaper_winners() -> None:
    """Who beats the ten with the king tells of jack and queen, of the ace, and of cards below the ten."""
    found = told("S TD", "N KD")
    assert found["won, a cheaper winner"] == (cards("JD QD"), True)
    assert found["won, a higher winner"] == (cards("AD"), True)
    assert found["won, a loser"][0] == cards("2D 3D 4D 5D 6D 7D 8D 9D")


def test_a_loss_is_a_sign_about_winners() -> None:
    """Who plays the five under the ten tells of what would have won, of other losers above, and of lower cards."""
    found = told("S TD", "N 5D")
    assert found["lost, a winner"] == (cards("JD QD KD AD"), True)
    assert found["lost, a higher loser"][0] == cards("6D 7D 8D 9D")
    assert found["lost, a lower card"][0] == cards("2D 3D 4D")


def test_a_void_is_a_sign_about_spades() -> None:
    """Who ruffs tells of lower and higher spades; who throws off, of all spades and of the suit thrown."""
    assert told("S TD", "N 4S")["ruffed, a lower spade"][0] == cards("2S 3S")
    found = told("S TD", "N 5C")
    assert found["did not ruff, a spade"][0] == cards("2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS")
    assert found["threw off, a lower one"][0] == cards("2C 3C 4C")


def test_what_a_seat_wants_counts_at_the_time_of_the_play() -> None:
    """A seat wants tricks until its contract is made, and never with a nil."""
    assert told("S TD", "N KD", bid=1)["won, a higher winner"][1]
    assert not told("S TD", "N KD", "N 9H", bid=1)["led, a lower one"][1]
    assert told("S TD", "N KD", "N 9H", bid=2)["led, a lower one"][1]
    assert not told("S TD", "N 5D", kind=NIL, bid=0)["lost, a winner"][1]


def test_no_sign_is_about_a_card_played_or_about_my_own_plays() -> None:
    """The card played is none of those that it tells of, and what I play tells nothing of the other's hand."""
    for play in ("KD", "2D", "4S", "5C"):
        for mask, _ in told("S TD", f"N {play}").values():
            assert not mask & cards(play)
    assert list(signs([(ME, 3)], THEY, CONTRACT, 3)) == []
    assert odds_of([(ME, 3)], THEY, CONTRACT, 3) == [EVEN] * 52


def test_the_fitted_odds_say_what_a_player_would() -> None:
    """Wanting tricks, a cheaper winner left unused and a winner withheld are unlikely; a lower loser is too."""
    assert len(ODDS) == CELLS
    wanted = {sign: ODDS[4 * number + 2] for number, sign in enumerate(SIGNS)}
    assert wanted["won, a cheaper winner"] < EVEN // 2
    assert wanted["lost, a winner"] < EVEN // 2
    assert wanted["lost, a lower card"] < EVEN // 2


@pytest.mark.parametrize("preset", ["draft", "duel"])
def test_worlds_know_more_in_every_phase(preset: str) -> None:
    """Against the rule policy, to which nothing was fitted, worlds are nearer to the truth than even ones in every
    phase but the bids of dealt hands, of which nothing is known; and cards played add to what the draft tells.
    """
    rules = RuleSet.preset_named(preset)
    rows = defaultdict(list)
    for seed in range(16):
        for state in hand_states(rules, seed):
            phase = phase_of(state) if state.phase in (Phase.DRAFT, Phase.BID, Phase.PLAY) else None
            found = losses(state, 24) if phase and view_of(state).number else []
            if phase and found:
                rows[phase].append(found)
    assert set(rows) <= set(PHASES)
    for phase, row in rows.items():
        even, draft, whole = (sum(column) / len(row) for column in zip(*row, strict=True))
        if (preset, phase) != ("duel", "bid"):
            assert whole < even, phase
        if phase in PHASES[3:]:
            assert whole < draft, phase
