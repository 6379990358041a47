"""Masking, records and fair dealing on the host's side."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_client import GameSetup, Recorder, fair

DRAFT = GameSetup("draft")
CLOSED = GameSetup("draft", options={"peek": "unseen", "draft_choice": "hidden"})
PARTNERS = GameSetup("partners")
DUEL = GameSetup("duel", first="N", seed="7", options={"target": "200"}, totals={"S": 5}, bags={"N": 3})
HIDDEN = ",".join(["??"] * 13)


@pytest.mark.parametrize(
    ("setup", "line", "seen"),
    [
        (DRAFT, "deal 1 first=S", {"S": "deal 1 first=S", "N": "deal 1 first=S"}),
        (DUEL, "deal 1 first=S hand.S=2H,3H hand.N=4H", {"S": "deal 1 first=S hand.S=2H,3H hand.N=??"}),
        (PARTNERS, "look E 2H,3H", {"E": "look E 2H,3H", "W": "look E ??,??", "N": "look E ??,??"}),
        (DRAFT, "look S", {"S": "look S", "N": "look S"}),
        (DRAFT, "draft S draw KD", {"S": "draft S draw KD", "N": "draft S draw ??"}),
        (DRAFT, "draft S keep 4C", {"S": "draft S keep 4C", "N": "draft S keep ??"}),
        (DRAFT, "draft S pass 4C", {"S": "draft S pass 4C", "N": "draft S pass ??"}),
        (CLOSED, "draft S draw KD", {"S": "draft S draw KD", "N": "draft S draw ??"}),
        (CLOSED, "draft S keep 4C", {"S": "draft S keep ??", "N": "draft S ?? ??"}),
        (CLOSED, "draft S pass 4C", {"S": "draft S pass 4C", "N": "draft S ?? ??"}),
        (DRAFT, "swap S 2H,3H 4H,5H", {"S": "swap S 2H,3H 4H,5H", "N": "swap S ??,?? ??,??"}),
        (DRAFT, "swap S none none", {"S": "swap S none none", "N": "swap S none none"}),
        (PARTNERS, "swap S 2H,3H,4H", {"S": "swap S 2H,3H,4H", "N": "swap S 2H,3H,4H", "E": "swap S ??,??,??"}),
        (DRAFT, "bid S blindnil", {"N": "bid S blindnil"}),
        (DRAFT, "play S AS", {"N": "play S AS"}),
    ],
)
def test_each_line_hides_what_the_table_of_section_9_says(setup: GameSetup, line: str, seen: dict[str, str]) -> None:
    """A line is masked for each seat as the specification has it, and masking what is masked changes nothing."""
    for seat, text in seen.items():
        assert setup.mask(line, seat) == text
        assert setup.mask(text, seat) == text


@given(st.text(max_size=40), st.sampled_from("NESW"))
def test_masking_never_raises(line: str, seat: str) -> None:
    """Whatever a table says can be masked."""
    for setup in (DRAFT, CLOSED, PARTNERS):
        setup.mask(line, seat)
        setup.mask(f"swap {line}", seat)
        setup.mask(f"draft S {line}", seat)


def test_the_seed_is_told_to_the_dealer_alone() -> None:
    """`newgame` for a seat says all that the table's does but for the seed."""
    assert DUEL.newgame() == ("newgame rules=duel dealer=engine view=all first=N seed=7 total.S=5 bags.N=3 target=200")
    assert DUEL.newgame("host", "S") == "newgame rules=duel dealer=host view=S first=N total.S=5 bags.N=3 target=200"


def test_a_recorder_keeps_a_script(tmp_path: Path) -> None:
    """Record lines are kept and masked for the recorder's view, result lines are not; the file can be read again."""
    recorder = Recorder(DRAFT, view="N")
    recorder.extend(
        ["deal 1 first=S", "look S", "draft S draw KD", "trick S", "score S=+1", "end winner=S", "nonsense"]
    )
    script = ["newgame rules=draft dealer=host view=N", "deal 1 first=S", "look S", "draft S draw ??"]
    assert recorder.script() == script
    assert recorder.position() == "position " + " ; ".join(script)
    assert (len(recorder), tuple(recorder)) == (3, recorder.lines)
    recorder.comments.append("seed=7")
    recorder.save(tmp_path / "game.usp")
    assert (tmp_path / "game.usp").read_text().splitlines() == [*script, "; seed=7"]
    assert Recorder.load(tmp_path / "game.usp", DRAFT, "N").lines == recorder.lines
    recorder.truncate(1)
    assert recorder.lines == ("deal 1 first=S",)


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    """The commitment of seed 7, computed with another program (`printf USP1:commit:7 | sha256sum`)."""
    assert fair.commitment("7") == "29257b23c74220618cf4a675c374b714e646d800b3c033188a514c668877e4c2"


@given(st.text("abc019._-", min_size=1, max_size=8), st.integers(1, 20))
def test_a_shuffle_keeps_every_card(seed: str, hand: int) -> None:
    """A shuffled deck holds each card once, and dealing gives everyone thirteen of them."""
    deck = fair.shuffled(seed, hand)
    assert sorted(deck) == sorted(fair.DECK)
    hands = fair.dealt(deck, "E", fair.FOUR_SEATS)
    assert sorted(card for cards in hands.values() for card in cards) == sorted(fair.DECK)
    assert deck[0] in hands["E"]
    assert deck[1] in hands["S"]
    assert set(fair.taken(seed, hand, "S", deck[:26], 3)) <= set(deck[:26])


def drafted(seed: str) -> list[str]:
    """Return the record of a drafted hand whose seats keep and pass in turn, with an exchange."""
    deck = fair.shuffled(seed, 1)
    lines = ["newgame rules=draft dealer=host view=all first=S", "deal 1 first=S", "bid S blindnil", "look N"]
    pool = []
    for turn in range(26):
        seat, choice = "SN"[turn % 2], ("keep", "pass")[turn // 2 % 2]
        lines += [f"draft {seat} draw {deck[2 * turn]}", f"draft {seat} {choice} {deck[2 * turn + 1]}"]
        pool.append(deck[2 * turn + (choice == "keep")])
    return [*lines, f"swap S 2C,3C {','.join(fair.taken(seed, 1, 'S', pool, 2))}", "bid N 4"]


def test_a_game_dealt_from_its_seed_has_no_faults() -> None:
    """A record whose cards are those of the seed is fair, also one that is cut short."""
    lines = drafted("abc")
    assert fair.faults_of_deal(lines, "abc", fair.TWO_SEATS) == []
    assert fair.faults_of_deal(lines[:20], "abc", fair.TWO_SEATS) == []
    removed = ("2C", "2D")
    deck = fair.shuffled("abc", 1, [card for card in fair.DECK if card not in removed])
    hands = {seat: ",".join(cards) for seat, cards in fair.dealt(deck, "N", fair.TWO_SEATS).items()}
    dealt = [f"deal 1 first=N hand.S={hands['S']}", f"look N {hands['N']}"]
    assert fair.faults_of_deal(dealt, "abc", fair.TWO_SEATS, removed) == []
    assert len(fair.faults_of_deal([dealt[0], f"look N {hands['S']}"], "abc", fair.TWO_SEATS, removed)) == 1
    assert len(fair.faults_of_deal(dealt, "abc", fair.TWO_SEATS)) == 2


@pytest.mark.parametrize("line", [4, 5, 30, 56])
def test_one_card_that_is_another_is_found(line: int) -> None:
    """A draw, a second card or an exchange that the seed does not give is a fault, and the fault names its hand."""
    lines = drafted("abc")
    words = lines[line].split()
    words[-1] = ",".join(reversed(words[-1].split(","))) if "," in words[-1] else "AS" if words[-1] != "AS" else "KS"
    if words[0] == "swap":
        words[-1] = words[-1].split(",")[0] + ",AS"
    lines[line] = " ".join(words)
    faults = fair.faults_of_deal(lines, "abc", fair.TWO_SEATS)
    assert faults
    assert faults[0].startswith("hand 1: ")
    assert fair.faults_of_deal(drafted("abc"), "abd", fair.TWO_SEATS)
