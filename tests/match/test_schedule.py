"""Who meets whom, and with which cards."""

import pytest

from spades_match.engines import parse_engine
from spades_match.outcomes import MatchError
from spades_match.plan import Plan
from spades_match.schedule import encounters, jobs

TWO = (parse_engine("name=A a"), parse_engine("name=B b"))


def test_all_meet_all_in_a_round_robin() -> None:
    """In a round robin each two engines meet once a round."""
    assert encounters(4, "round-robin") == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]


def test_the_first_meets_the_others_in_a_gauntlet() -> None:
    """In a gauntlet the first engine meets each other one, and those never meet."""
    assert encounters(4, "gauntlet") == [(0, 1), (0, 2), (0, 3)]


def test_a_round_is_played_with_the_same_cards() -> None:
    """Every encounter of a round has the same seed, and no other round has it."""
    pairs = list(jobs(3, "round-robin", 5, "s"))
    assert [job.number for job in pairs] == list(range(15))
    assert [job.seed for job in pairs] == [f"s.{number // 3}" for number in range(15)]


def test_a_schedule_goes_on_where_it_was_left() -> None:
    """The pairs from a number on are those that the whole schedule has from there."""
    assert list(jobs(3, "round-robin", 5, "s", 7)) == list(jobs(3, "round-robin", 5, "s"))[7:]


@pytest.mark.parametrize(
    "changes",
    [
        {"engines": TWO[:1]},
        {"engines": (TWO[0], TWO[0])},
        {"rules": "bridge"},
        {"options": {"target": "20"}},
        {"options": {"aim": "500"}},
        {"mode": "tricks"},
        {"schedule": "swiss"},
        {"seed": "a b"},
        {"pairs": 0},
        {"totals": (500, 0)},
        {"bags": (10, 0)},
        {"forfeit": -1},
    ],
)
def test_what_cannot_be_played_is_refused(changes: dict[str, object]) -> None:
    """A match that makes no sense is refused before anything is played."""
    with pytest.raises(MatchError):
        Plan(**{"engines": TWO, **changes})  # type: ignore[arg-type]


def test_the_header_keeps_all_of_a_match() -> None:
    """The header of a results file comes back as the same match."""
    plan = Plan(TWO, "partners", {"target": "300"}, "games", 7, "x", "gauntlet", (10, -20), (1, 2), 50)
    assert Plan.from_header(plan.header({"A": "a 1", "B": "b 1"}, "1")) == plan
