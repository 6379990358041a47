"""The oracle says what SPEC.md says, the engine agrees with the oracle, and the comparison can fail."""

import itertools
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from spades_engine.game import (
    OPTIONS,
    PRESETS,
    Action,
    Dealer,
    Event,
    RuleSet,
    Seat,
    State,
    Swap,
    TrickWon,
    advance,
    cards_of,
    game_end,
    legal_actions,
    parse_bid,
    score_side,
)
from tests.game import oracle, oracle_check, oracle_coverage
from tests.game.oracle import Game, OracleError, SideScore, Table
from tests.game.oracle_check import Disagreement, Trial
from tests.game.oracle_choices import Setup, random_setup
from tests.game.oracle_dealing import Stream, shuffled

SPEC = (Path(__file__).resolve().parents[2] / "SPEC.md").read_text(encoding="utf-8")


def scored(preset: str, changes: dict[str, str], results: list[tuple[str, int]], bags: int = 0) -> SideScore:
    """One side's score by the oracle."""
    return oracle.score_side(Table(preset, changes), results, bags)


# The oracle against the text.


def test_the_option_table_is_the_one_of_the_text() -> None:
    """The oracle's options, their order and their value in every preset are those of the table in SPEC.md section 8."""
    rows = [line.strip().strip("|").split("|") for line in SPEC.splitlines() if line.startswith("| `")]
    options = [[cell.strip().strip("`") for cell in row] for row in rows if len(row) == 7]
    assert [row[0] for row in options] == list(oracle.preset_options("draft"))
    for column, preset in enumerate(oracle.PRESET_NAMES, start=2):
        assert {row[0]: row[column] for row in options} == oracle.preset_options(preset)


def test_bid_seven_take_eight() -> None:
    """Bid 7, won 8: 70 for the contract and 1 overtrick, 71."""
    score = scored("draft", {}, [("7", 8)])
    assert (score.points, score.contract, score.overtricks, score.bags) == (71, 70, 1, 1)


def test_eleven_bags_in_three_hands() -> None:
    """Bids of 4, 3 and 4 with 7, 6 and 9 tricks: one penalty of 100, and 1 bag is carried."""
    bags, penalties = 0, []
    for bid, won in (("4", 7), ("3", 6), ("4", 9)):
        score = scored("draft", {}, [(bid, won)], bags)
        bags = score.bags_after
        penalties.append(score.penalty)
    assert (bags, penalties) == (1, [0, 0, -100])


def test_partners_add_up() -> None:
    """Bids 3 and 2 with 4 and 3 tricks: +52."""
    assert scored("partners", {}, [("3", 4), ("2", 3)]).points == 52


def test_partner_of_a_nil_makes_the_contract_alone() -> None:
    """Bids 4 and nil with 3 and 2 tricks: -40, -100, two bags worth +2, in all -138."""
    score = scored("partners", {}, [("4", 3), ("nil", 2)])
    assert (score.contract, score.nil, score.overtricks, score.bags, score.points) == (-40, -100, 2, 2, -138)


@pytest.mark.parametrize(("won", "nil"), [((0, 0), 200), ((0, 1), 0), ((2, 0), 0), ((1, 1), -200)])
def test_both_partners_nil(won: tuple[int, int], nil: int) -> None:
    """Both nil: +200, 0 or -200; both blind: twice that; never a contract."""
    score = scored("partners", {}, [("nil", won[0]), ("nil", won[1])])
    blind = scored("partners", {}, [("blindnil", won[0]), ("blindnil", won[1])])
    assert (score.nil, score.blindnil, score.contract) == (nil, 0, 0)
    assert (blind.nil, blind.blindnil, blind.contract) == (0, 2 * nil, 0)


@pytest.mark.parametrize(
    ("limit", "before", "gained", "penalties", "after"),
    [
        ("10", 9, 12, 2, 1),
        ("10", 5, 12, 1, 7),
        ("5", 4, 9, 2, 3),
        ("10", 9, 1, 1, 0),
        ("10", 9, 0, 0, 9),
        ("1", 0, 3, 3, 0),
        ("none", 9, 12, 0, 21),
    ],
)
def test_every_limit_crossed_is_paid(limit: str, before: int, gained: int, penalties: int, after: int) -> None:
    """A penalty falls due each time the running count reaches the limit, and only the rest is carried."""
    score = scored("draft", {"bag_limit": limit}, [("1", 1 + gained)], before)
    assert (score.penalty, score.bags_after) == (-100 * penalties, after)


@pytest.mark.parametrize(
    ("changes", "results", "contract", "bags"),
    [
        ({}, [("4", 3), ("nil", 2)], -40, 2),
        ({"failed_nil_bags": "no"}, [("4", 3), ("nil", 2)], -40, 0),
        ({"failed_nil_helps": "yes"}, [("4", 3), ("nil", 2)], 40, 1),
        ({"failed_nil_helps": "yes", "failed_nil_bags": "no"}, [("4", 3), ("nil", 2)], 40, 0),
        ({"failed_nil_helps": "yes"}, [("4", 1), ("nil", 2)], -40, 0),
        ({"failed_nil_helps": "yes"}, [("4", 5), ("blindnil", 2)], 40, 3),
        ({"failed_nil_helps": "yes"}, [("nil", 1), ("nil", 2)], 0, 3),
        ({"nil_is_zero": "no"}, [("0", 0), ("nil", 0)], 0, 0),
        ({"nil_is_zero": "no"}, [("0", 2), ("nil", 1)], 0, 3),
    ],
)
def test_tricks_of_a_failed_nil(
    changes: dict[str, str], results: list[tuple[str, int]], contract: int, bags: int
) -> None:
    """Each such trick helps the partner's contract, is a bag or is nothing, as the two options say."""
    score = scored("partners", changes, results)
    assert (score.contract, score.bags) == (contract, bags)


@pytest.mark.parametrize(
    ("changes", "totals", "played", "ending"),
    [
        ({}, (500, 499), 5, ("S", "target")),
        ({}, (499, 499), 5, None),
        ({}, (510, 520), 5, ("N", "target")),
        ({}, (510, 510), 5, None),
        ({"hand_cap": "5"}, (510, 510), 5, ("draw", "cap")),
        ({"hand_cap": "5"}, (20, -20), 5, ("S", "cap")),
        ({"hand_cap": "6"}, (20, -20), 5, None),
        ({"floor": "-200"}, (-200, 100), 5, ("N", "floor")),
        ({"floor": "-200"}, (-199, 100), 5, None),
        ({"floor": "-200"}, (-250, -300), 5, ("S", "floor")),
        ({"floor": "-200"}, (-250, -250), 5, None),
        ({"floor": "-200"}, (-250, 500), 5, ("N", "target")),
        ({}, (-900, 100), 5, None),
    ],
)
def test_end_of_the_game(
    changes: dict[str, str], totals: tuple[int, int], played: int, ending: tuple[str, str] | None
) -> None:
    """The target is reached at, not above it; it comes before the floor; equal totals play on until the cap."""
    assert oracle.end_of_game(Table("draft", changes), {"S": totals[0], "N": totals[1]}, played) == ending


def test_the_played_example_of_the_text() -> None:
    """In the conversation of SPEC.md section 16 2H is refused for not following, AS for leading spades too early."""
    south = oracle.text_list("3C,5C,9C,4D,TD,QD,2H,7H,KH,3S,8S,QS,AS")
    table = Table("duel")
    north = ["6D", "AH", *[card for card in table.cards if card not in (*south, "6D", "AH")][:11]]
    rest = [card for card in table.cards if card not in south and card not in north]
    deck = [card for pair in zip(south, north, strict=True) for card in pair] + rest
    actions = ["bid 4", "bid 5", "play KH", "play AH", "play 6D"]
    hand = Game(table, "S", [deck], [actions]).hands[0]
    assert (hand.winners, hand.turn) == (["N"], "S")
    assert oracle.why_not(table, hand.hands["S"], hand.tricks, "2H") == "must-follow"
    hand = Game(table, "S", [deck], [[*actions, "play TD"]]).hands[0]
    assert (hand.winners, hand.turn) == (["N", "S"], "S")
    assert oracle.why_not(table, hand.hands["S"], hand.tricks, "AS") == "spades-not-broken"


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("N:2H E:AH S:KH W:3H", "E"),
        ("N:2H E:AH S:2S W:3H", "S"),
        ("N:2H E:3S S:2S W:AH", "E"),
        ("N:2H E:AD S:AC W:KD", "N"),
        ("N:2S E:AD S:AS W:KS", "S"),
    ],
)
def test_who_wins_a_trick(trick: str, winner: str) -> None:
    """The highest spade wins, without one the highest card of the suit led; other suits never."""
    plays = [(play[0], play[2:]) for play in trick.split()]
    assert oracle.trick_winner(plays) == winner


def test_an_illegal_action_ends_the_story() -> None:
    """The oracle refuses a list of actions with an illegal one in it, and one that goes on after the end."""
    with pytest.raises(OracleError, match="may not bid 14"):
        Game(Table("duel"), "S", [None], [["bid 14"]])
    with pytest.raises(OracleError, match="cannot begin"):
        Game(Table("duel"), "S", [None, None], [["bid 1"], []])


# The engine against the oracle, where everything can be tried.


def test_engine_has_the_same_options() -> None:
    """The engine has the oracle's presets, and each option with the same value in each of them."""
    assert list(PRESETS) == oracle.PRESET_NAMES
    assert [option.name for option in OPTIONS] == list(oracle.preset_options("draft"))
    for preset in PRESETS:
        assert RuleSet.preset_named(preset).options() == oracle.preset_options(preset)


def all_scoring_options(preset: str) -> list[dict[str, str]]:
    """Every combination of the switches that scoring knows."""
    switches = {"bag_points": "0 1", "failed_nil_bags": "yes no", "bag_limit": "10 5 none", "nil_is_zero": "yes no"}
    if preset == "partners":
        switches["failed_nil_helps"] = "yes no"
    values = [[(name, value) for value in texts.split()] for name, texts in switches.items()]
    return [dict(combination) for combination in itertools.product(*values)]


def compare_scores(preset: str, changes: dict[str, str], results: list[tuple[str, int]], bags: int) -> None:
    """Score one side twice."""
    rules = RuleSet.preset_named(preset).with_options(changes)
    engine = score_side(rules, [parse_bid(bid, rules) for bid, _ in results], [won for _, won in results], bags)
    expected = scored(preset, changes, results, bags)
    for part in ("contract", "overtricks", "nil", "blindnil", "penalty", "bags", "bags_after", "points"):
        assert getattr(engine, part) == getattr(expected, part), (part, preset, changes, results, bags)


def bids_of(changes: dict[str, str]) -> list[str]:
    """Every bid there is with these options."""
    return ["nil", "blindnil", *(str(n) for n in range(changes["nil_is_zero"] == "yes", 14))]


@pytest.mark.parametrize("changes", all_scoring_options("draft"), ids=lambda changes: ",".join(changes.values()))
def test_scores_of_one_seat(changes: dict[str, str]) -> None:
    """With two players the engine scores every bid, number of tricks and running count as the oracle does."""
    for bid, won, bags in itertools.product(bids_of(changes), range(14), (0, 1, 4, 5, 9)):
        if changes["bag_limit"] != "5" or bags < 5:
            compare_scores("draft", {**changes, "blind_nil": "150"}, [(bid, won)], bags)


@pytest.mark.parametrize("changes", all_scoring_options("partners"), ids=lambda changes: ",".join(changes.values()))
def test_scores_of_partners(changes: dict[str, str]) -> None:
    """The same for a sample of the pairs of bids and tricks of two partners."""
    rng = Random(",".join(changes.values()))
    bids = bids_of(changes)
    for _ in range(400):
        won = rng.randrange(14)
        other = rng.randrange(14 - won)
        results = [(rng.choice([*bids[:2], *bids]), won), (rng.choice([*bids[:2], *bids]), other)]
        compare_scores("partners", changes, results, rng.randrange(5))


def test_ends_of_games() -> None:
    """Around the target, the floor and the cap the engine ends games as the oracle does."""
    points = (-201, -200, -199, 0, 499, 500, 501)
    for floor, played, one, two in itertools.product(("none", "-200"), (4, 5), points, points):
        changes = {"floor": floor, "hand_cap": "5"}
        rules = RuleSet.preset_named("draft").with_options(changes)
        ended, winner, reason = game_end(rules, (one, two), played)
        expected = oracle.end_of_game(Table("draft", changes), {"S": one, "N": two}, played)
        assert ended == (expected is not None), (floor, played, one, two)
        if expected is not None:
            found = "draw" if winner is None else rules.format_side(winner)
            assert (found, reason) == expected, (floor, played, one, two)


# Whole games.


def test_random_games() -> None:
    """In a sample of random games, with random rules, engine and oracle agree at every step.

    Even so few meet most of what the full run, `run_oracle.py`, must meet.
    """
    seen: Counter[str] = Counter()
    for game in range(50):
        rng = Random(f"sample/{game}")
        Trial(random_setup(rng), rng, seen, max_hands=3).run()
    met = [name for name in oracle_coverage.REQUIRED if seen[name]]
    assert len(met) > 0.6 * len(oracle_coverage.REQUIRED)
    assert not set(seen) - set(oracle_coverage.REQUIRED), "counted under a name that nobody asks for"


# The comparison can fail. Each mutant is one wrong rule, put into the oracle; the engine must be seen to disagree.


def first_player_wins(trick: list[tuple[str, str]]) -> str:
    """A wrong rule: whoever led wins."""
    return trick[0][0]


def high_card_wins(trick: list[tuple[str, str]]) -> str:
    """A wrong rule: the highest rank wins, of whatever suit."""
    return max(trick, key=lambda play: oracle.RANKS.index(play[1][0]))[0]


def never_broken(tricks: list[list[tuple[str, str]]]) -> bool:
    """A wrong rule: spades are never counted as broken."""
    return False


def anything_goes(table: Table, hand: list[str], tricks: list[list[tuple[str, str]]]) -> list[str]:
    """A wrong rule: nobody has to follow."""
    return list(hand)


RIGHT_SCORE = oracle.score_side
RIGHT_END = oracle.end_of_game
RIGHT_MASK = oracle.masked_line


def one_penalty_at_most(table: Table, results: list[tuple[str, int]], bags_before: int) -> SideScore:
    """A wrong rule: a hand costs one bag penalty at most."""
    score = RIGHT_SCORE(table, results, bags_before)
    score.penalty = max(score.penalty, -table.amount("bag_penalty"))
    return score


def bags_never_kept(table: Table, results: list[tuple[str, int]], bags_before: int) -> SideScore:
    """A wrong rule: a penalty wipes out all the bags."""
    score = RIGHT_SCORE(table, results, bags_before)
    if score.penalties:
        score.bags_after = 0
    return score


def tie_to_the_first(table: Table, totals: dict[str, int], hands_played: int) -> tuple[str, str] | None:
    """A wrong rule: equal totals at the target are a win of the first side."""
    if min(totals.values()) >= table.amount("target"):
        return table.sides[0], "target"
    return RIGHT_END(table, totals, hands_played)


def above_the_target(table: Table, totals: dict[str, int], hands_played: int) -> tuple[str, str] | None:
    """A wrong rule: the target must be exceeded."""
    higher = Table(table.preset, {**table.changes, "target": str(table.amount("target") + 1)})
    return RIGHT_END(higher, totals, hands_played)


def draws_shown(table: Table, line: str, viewer: str) -> str:
    """A wrong rule: drawn cards are shown to everybody."""
    return line if " draw " in line else RIGHT_MASK(table, line, viewer)


def given_cards_shown(table: Table, line: str, viewer: str) -> str:
    """A wrong rule: opponents see the cards that partners give each other."""
    return line if line.startswith("swap") and not table.is_drafted else RIGHT_MASK(table, line, viewer)


def any_rule(rng: Random) -> Setup:
    """Rules that keep games short."""
    return random_setup(rng)


def small_target(rng: Random) -> Setup:
    """A duel at 30 all, to 50, in which totals are multiples of ten: the target is met exactly and together."""
    changes = {"target": "50", "bag_points": "0", "bag_limit": "none", "nil": "off"}
    return Setup("duel", changes, "S", str(rng.random()), {"S": 30, "N": 30})


def many_bags(rng: Random) -> Setup:
    """A duel with two bags to a penalty."""
    return Setup("duel", {"bag_limit": "2", "target": "5000"}, "S", str(rng.random()))


def drafted(rng: Random) -> Setup:
    """A drafted game."""
    return Setup("draft", {}, "S", str(rng.random()))


def exchanged(rng: Random) -> Setup:
    """A partnership game with exchanges."""
    return Setup("partners", {}, "S", str(rng.random()))


def play_many(setup: Callable[[Random], Setup]) -> None:
    """Play up to a hundred games."""
    for game in range(100):
        rng = Random(f"mutant {game}")
        Trial(setup(rng), rng, Counter(), max_hands=10).run()


@pytest.mark.parametrize(
    ("name", "mutant", "setup"),
    [
        ("trick_winner", first_player_wins, any_rule),
        ("trick_winner", high_card_wins, any_rule),
        ("is_broken", never_broken, any_rule),
        ("playable", anything_goes, any_rule),
        ("score_side", one_penalty_at_most, many_bags),
        ("score_side", bags_never_kept, many_bags),
        ("end_of_game", tie_to_the_first, small_target),
        ("end_of_game", above_the_target, small_target),
        ("masked_line", draws_shown, drafted),
        ("masked_line", given_cards_shown, exchanged),
    ],
)
def test_a_wrong_rule_is_found(
    monkeypatch: pytest.MonkeyPatch, name: str, mutant: Callable[..., Any], setup: Callable[[Random], Setup]
) -> None:
    """With one rule made wrong in the oracle, random games soon end in a disagreement."""
    for module in (oracle, oracle_check, oracle_coverage):
        if hasattr(module, name):
            monkeypatch.setattr(module, name, mutant)
    with pytest.raises(Disagreement):
        play_many(setup)


Told = tuple[State, tuple[Event, ...]]


def wrong_winner(dealer: Dealer, state: State, action: Action) -> Told:
    """A fault: the engine names another winner than it lets lead."""
    after, events = advance(dealer, state, action)
    return after, tuple(
        TrickWon(state.rules.next_seat(event.seat)) if isinstance(event, TrickWon) else event for event in events
    )


def wrong_card(dealer: Dealer, state: State, action: Action) -> Told:
    """A fault: the exchange takes other cards than those of the stream."""
    cards = dealer.complete(state, action)
    if isinstance(cards, Swap) and cards.taken:
        pool = [card for card in cards_of(state.discard_pool) if card not in cards.taken]
        cards = Swap(cards.seat, cards.thrown, (*cards.taken[1:], pool[0]))
    return advance(dealer, state, cards)


def one_too_few(state: State) -> tuple[Action, ...]:
    """A fault: one legal action is not listed."""
    return legal_actions(state)[:-1]


def unmasked(event: Event, rules: RuleSet, viewer: Seat) -> Event:
    """A fault: everybody is shown everything."""
    return event


@pytest.mark.parametrize(
    ("name", "fault", "found"),
    [
        ("advance", wrong_winner, "answer to trick"),
        ("advance", wrong_card, "lines"),
        ("legal_actions", one_too_few, "legal actions"),
        ("mask_event", unmasked, "sees it"),
    ],
)
def test_a_fault_of_the_engine_is_found(
    monkeypatch: pytest.MonkeyPatch, name: str, fault: Callable[..., Any], found: str
) -> None:
    """With one fault put into what the engine answers, random games soon end in a disagreement about just that."""
    monkeypatch.setattr(oracle_check, name, fault)
    with pytest.raises(Disagreement, match=found):
        play_many(drafted)


def test_a_state_that_hides_nothing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """With masking left out of the state, though not of the events, the views are seen to know too much."""
    monkeypatch.setattr(State, "masked", lambda self, viewer: self)
    monkeypatch.setattr(State, "__eq__", lambda self, other: True)  # or the comparison of states would find it first
    with pytest.raises(Disagreement, match="cannot know"):
        play_many(drafted)


def test_a_disagreement_tells_how_to_see_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the rules, the seed, the decks and the actions that lead to the difference."""
    monkeypatch.setattr(oracle, "trick_winner", first_player_wins)
    with pytest.raises(Disagreement) as caught:
        Trial(Setup("duel", {}, "S", "77"), Random(3), Counter(), max_hands=2).run()
    for part in ("engine:", "oracle:", "preset='duel'", "seed='77'", "decks:", "play "):
        assert part in str(caught.value)


def test_the_dealing_of_the_oracle_is_the_one_it_describes() -> None:
    """A hand without a named deck is dealt from the stream `deal.1` of its seed."""
    table = Table("duel")
    deck = shuffled(table.cards, Stream("5", "deal.1"))
    by_seed = Game(table, "N", [None], [[]], "5").hands[0]
    by_deck = Game(table, "N", [deck], [[]], "6").hands[0]
    assert by_seed.lines == by_deck.lines
