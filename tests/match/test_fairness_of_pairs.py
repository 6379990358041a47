"""A pair is fair: the same cards, exchanged seats, and nothing that depends on timing."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from spades_engine.game import PRESETS
from spades_match.engines import parse_engine
from spades_match.plan import Plan
from spades_match.replay import check_pair
from tests.match.playing import HOUSE, difference, instant, play

OTHER_RULES = [
    ("draft", {"peek": "unseen", "draft_choice": "hidden", "first_trick_ruff": "no", "hand_cap": "2"}),
    ("partners", {"failed_nil_helps": "yes", "min_bid": "1", "exchange_count": "2", "hand_cap": "2"}),
    ("duel", {"removed": "2C,2D,2H,2S", "blind_nil": "200", "leader": "other", "hand_cap": "2"}),
]


@pytest.mark.parametrize("mode", ["hands", "games"])
@pytest.mark.parametrize(("rules", "options"), [*((name, {"hand_cap": "2"}) for name in PRESETS), *OTHER_RULES])
def test_identical_engines_give_exactly_zero(tmp_path: Path, rules: str, options: dict[str, str], mode: str) -> None:
    """Two engines that do the same come out even on every pair, in every preset and with other options."""
    plan = Plan((instant("A"), instant("B")), rules, options, mode, pairs=3, seed="z")
    _, pairs = play(plan, tmp_path / "m.jsonl")
    assert [difference(pair) for pair in pairs] == [0, 0, 0]
    for pair in pairs:
        first, second = pair["boards"]
        assert first["record"] == second["record"]
        assert {first["winner"], second["winner"]} in ({None}, {"draw"}, {"A", "B"})
        assert not check_pair(plan, pair)


@pytest.mark.parametrize("rules", PRESETS)
def test_the_house_player_against_itself_gives_exactly_zero(tmp_path: Path, rules: str) -> None:
    """The house player, limited by nodes, comes out even against itself on every pair."""
    engines = (parse_engine(f"name=A {HOUSE} nodes=60"), parse_engine(f"name=B {HOUSE} nodes=60"))
    _, pairs = play(Plan(engines, rules, pairs=1, seed="h"), tmp_path / "m.jsonl")
    assert [difference(pair) for pair in pairs] == [0]
    assert {board["outcome"] for pair in pairs for board in pair["boards"]} == {"normal"}


def test_both_boards_have_the_same_cards(tmp_path: Path) -> None:
    """With engines that differ, both boards of a pair are still dealt from one seed, with the seats exchanged."""
    plan = Plan((instant("A"), instant("B", "--style=1")), "partners", pairs=3, seed="c")
    _, pairs = play(plan, tmp_path / "m.jsonl")
    assert any(difference(pair) for pair in pairs)
    for pair in pairs:
        assert not check_pair(plan, pair)
        first, second = (board["hands_detail"][0]["by"] for board in pair["boards"])
        assert first == {"N": "A", "S": "A", "E": "B", "W": "B"}
        assert second == {"N": "B", "S": "B", "E": "A", "W": "A"}


@pytest.mark.parametrize("rules", ["draft", "partners"])
def test_records_do_not_depend_on_concurrency(tmp_path: Path, rules: str) -> None:
    """One pair at a time and two at a time write the same bytes."""
    plan = Plan((instant("A"), instant("B", "--style=1"), instant("C", "--style=2")), rules, pairs=3, seed="k")
    play(plan, tmp_path / "one.jsonl")
    play(plan, tmp_path / "two.jsonl", concurrency=2)
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()


def test_a_hand_starts_from_the_score_that_is_asked_for(tmp_path: Path) -> None:
    """With totals and bags to start from, each board is one hand from that score, by side whoever sits there."""
    plan = Plan((instant("A"), instant("B")), "draft", pairs=2, totals=(450, -30), bags=(9, 3))
    _, pairs = play(plan, tmp_path / "m.jsonl")
    for pair in pairs:
        assert pair["start"] == {"totals": [450, -30], "bags": [9, 3]}
        for board in pair["boards"]:
            assert "total.S=450 total.N=-30 bags.S=9 bags.N=3" in board["record"][0]
            assert board["hands"] == 1
    assert [difference(pair) for pair in pairs] == [0, 0]


def test_figures_and_times_stay_out_of_the_records(tmp_path: Path) -> None:
    """What engines foretell and how long they take is in the timing file alone."""
    plan = Plan((instant("A", "--figures"), instant("B")), "draft", pairs=2)
    play(plan, tmp_path / "m.jsonl")
    assert "equity" not in (tmp_path / "m.jsonl").read_text("utf-8")
    timing = (tmp_path / "m.timing.jsonl").read_text("utf-8").splitlines()
    assert len(timing) == 2
    assert '"make":0.64' in timing[0]
    assert '"times":{"A":[' in timing[0]


def test_fresh_processes_play_the_same(tmp_path: Path) -> None:
    """An engine started anew for every board plays as one that is kept, if it remembers nothing."""
    kept = Plan((instant("A"), instant("B", "--style=1")), "duel", pairs=2)
    fresh = dataclasses.replace(kept, engines=tuple(dataclasses.replace(spec, fresh=True) for spec in kept.engines))
    assert play(kept, tmp_path / "kept.jsonl")[1] == play(fresh, tmp_path / "fresh.jsonl")[1]
