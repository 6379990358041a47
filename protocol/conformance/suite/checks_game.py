"""Whole games of a program against itself at tables that see one seat only: nothing else may show.

What the seat may know is worked out here from the seed, line by line; the program's own word is taken for nothing.
"""

from __future__ import annotations

import json
import random
import re

from suite.checks import Bench, best_action, check, pairs
from suite.checks_deal import PRESETS
from suite.checks_states import code_of
from suite.dealing import deck_cards, draw_from_discards, hands_of, shuffle
from suite.process import Engine, Fault, split_id

NODES = 5
_CARD = re.compile(r"(?<![A-Za-z0-9])[2-9TJQKA][CDHS](?![A-Za-z0-9])")
THIRTEEN = ",".join(["??"] * 13)


def cards_in(text: str) -> set[str]:
    """Every card that a text names."""
    return set(_CARD.findall(text))


class Watcher:
    """Follows a game at a table of one seat and knows which cards that seat has a right to know."""

    def __init__(self, rules: str, seed: str, viewer: str, is_peek_seen: bool, is_choice_public: bool) -> None:
        self.rules = rules
        self.seed = seed
        self.viewer = viewer
        self.is_peek_seen = is_peek_seen
        self.is_choice_public = is_choice_public
        self.hand = 0
        self.known: set[str] = set()
        self.is_over = True  # between hands everything may be shown
        self.deck: list[str] = []
        self.stock = 0
        self.first = ""
        self.pool: list[str] | None = None

    def read(self, line: str, command: str) -> None:
        """Fault if the line shows what the seat may not know. `command` is what the line answers."""
        rest = split_id(line)[1]
        kind = rest.split(" ", 1)[0]
        if kind == "event":
            self._event(rest)
        elif kind == "state":
            found = json.loads(rest[6:])
            found.pop("last_trick", None)  # it may be one of the hand before
            self._expect_known(json.dumps(found), line)
        elif kind != "ok":
            self._expect_known(rest, line, cards_in(command))

    def read_record(self, lines: list[str]) -> None:
        """The same for a whole record: what it tells of the hand that is being played."""
        starts = [place for place, line in enumerate(lines) if split_id(line)[1].startswith("record deal ")]
        for line in lines[starts[-1] if starts else 0 :]:
            self._expect_known(line, line)

    def _expect_known(self, text: str, line: str, also: set[str] | None = None) -> None:
        if not self.is_over:
            told = cards_in(text) - self.known - (also or set())
            if told:
                label = "hidden.2" if split_id(line)[1].startswith("info") else "hidden.3"
                raise Fault(label, f"{self.viewer} cannot know {','.join(sorted(told))}: `{line}`")

    def _expect(self, found: str, wanted: str, line: str) -> None:
        if found != wanted:
            label = "hidden.3" if "??" in wanted else "fair.1"
            raise Fault(label, f"expected {wanted}, got {found}: `{line}`")

    def _event(self, line: str) -> None:
        words = line.split(" ")[1:]
        kind = words[0]
        if kind == "deal":
            self._deal(words, line)
        elif kind == "look" and self.rules in ("partners", "duel"):
            self._hand(words[1], words[2], line)
        elif kind == "draft":
            self._draft(words, line)
        elif kind == "swap":
            self._swap(words, line)
        elif kind == "play":
            self.known.add(words[2])
        elif kind == "score":
            self.is_over = True

    def _deal(self, words: list[str], line: str) -> None:
        self.hand = int(words[1])
        self.first = words[2].partition("=")[2]
        self.deck = shuffle(self.seed, self.hand, self.rules)
        self.stock = 0
        self.pool = []
        self.is_over = False
        self.known = {"2C", "2D"} if self.rules == "duel" else set()
        for word in words[3:]:
            seat, _, cards = word[5:].partition("=")
            self._hand(seat, cards, line)

    def _hand(self, seat: str, cards: str, line: str) -> None:
        if seat == self.viewer:
            self.known |= cards_in(cards)
            self._expect(cards, ",".join(hands_of(self.deck, self.rules, self.first)[seat]), line)
        else:
            self._expect(cards, THIRTEEN, line)

    def _draft(self, words: list[str], line: str) -> None:
        _, seat, choice, card = words
        is_own = seat == self.viewer
        if choice != "draw" and not self.is_choice_public and not is_own:
            self._expect(choice, "??", line)
        is_seen = is_own and (choice != "keep" or self.is_peek_seen)
        self._expect(card, self.deck[self.stock] if is_seen else "??", line)
        self.known |= cards_in(card)
        if choice == "??":
            self.pool = None  # what was discarded cannot be followed
        elif choice != "draw" and self.pool is not None:
            self.pool.append(self.deck[self.stock] if choice == "keep" else self.deck[self.stock - 1])
        self.stock += 1

    def is_partner(self, seat: str) -> bool:
        """Whether the seat is the partner of the one that is watched for, who sees what is given to it."""
        return self.rules == "partners" and {seat, self.viewer} in ({"N", "S"}, {"E", "W"})

    def _swap(self, words: list[str], line: str) -> None:
        seat = words[1]
        if seat == self.viewer or self.is_partner(seat):
            if any("??" in word for word in words[2:]):
                raise Fault("hidden.3", f"{self.viewer} may see these cards: `{line}`")
            self.known |= cards_in(line)
        elif cards_in(line):
            raise Fault("hidden.3", f"{self.viewer} may not see these cards: `{line}`")
        if self.rules == "draft" and self.pool is not None and words[2] != "none":
            taken = draw_from_discards(self.seed, self.hand, seat, self.pool, len(words[2].split(",")))
            if seat == self.viewer:
                taken.sort(key=deck_cards(self.rules).index)
                self._expect(words[3], ",".join(taken), line)


class SeatTable:
    """A dealer=engine table of one seat, played to its end; every line goes past the watcher."""

    def __init__(self, engine: Engine, watcher: Watcher, rng: random.Random) -> None:
        self.engine = engine
        self.watcher = watcher
        self.rng = rng
        self.number = 0
        self.is_calling = True
        self.phase = "deal"
        self.turn = ""

    def ask(self, command: str) -> list[str]:
        """The lines that answer a command, each of them looked at."""
        self.number += 1
        name = f"#t{self.number}"
        lines = self.engine.ask(f"{name} {command}")
        for line in lines:
            if split_id(line)[0] != name:
                raise Fault("reply.1", f"`{command}` had the id {name}: `{line}`")
            if not split_id(line)[1].startswith(("record", "best")):
                self.watcher.read(line, command)
        if command.startswith("record"):
            self.watcher.read_record(lines)
        return [split_id(line)[1] for line in lines]

    def move(self, command: str) -> str:
        """Send a command that moves the game; it has to be accepted."""
        reply = self.ask(command)[-1]
        if not reply.startswith("ok "):
            raise Fault("go.2" if self.phase != "deal" else "play.2", f"`{command}` should be accepted: `{reply}`")
        self.phase = pairs(reply).get("phase", "")
        self.turn = pairs(reply).get("turn", "")
        return reply

    def step(self) -> None:
        """One decision, or a deal."""
        if self.phase == "deal":
            self.move("deal")
        elif self.turn == self.watcher.viewer:
            self._own_turn()
        else:
            self._unseen_turn()

    def _own_turn(self) -> None:
        self._expect_state()
        legal = [line[6:] for line in self.ask("legal")[:-1]]
        if self.phase == "blind" and self.is_calling:
            self.is_calling = False
            self.move("bid blindnil")
            return
        lines = self.ask(f"go nodes={NODES}")
        action = best_action(lines[-1])
        self.watcher.read(lines[-1], "")
        if not lines[-1].startswith("best ") or action not in legal:
            raise Fault("go.2", f"`{lines[-1]}` is not among the legal actions {legal}")
        self.move(action if self.rng.random() < 0.7 else self.rng.choice(legal))

    def _unseen_turn(self) -> None:
        self._expect_state()
        if self.phase == "play" and self.rng.random() < 0.2:
            self._expect_hidden("legal")
        if self.rng.random() < 0.2:
            self._expect_hidden("record view=all")
            self._expect_hidden(self._other_action("nothing yet"))
        lines = self.ask(f"go nodes={NODES}")
        if len(lines) > 1 and not all(line.startswith("info error ") for line in lines[:-1]):
            raise Fault("hidden.3", f"at the turn of a seat that is not seen `go` prints only errors: `{lines[0]}`")
        if not lines[-1].startswith("best ") or "=" in lines[-1]:
            raise Fault("hidden.3", f"no figures for a seat that is not seen: `{lines[-1]}`")
        action = best_action(lines[-1])
        if self.phase != "play" and not self.watcher.is_partner(self.turn):
            self.watcher.read(lines[-1], "")
        if self.rng.random() < 0.2:
            self._expect_hidden(self._other_action(action))
        again = self.ask(f"go nodes={3 * NODES}")[-1]
        if again != lines[-1]:
            raise Fault("hidden.3", f"asked again in the same position: first `{lines[-1]}`, then `{again}`")
        self.move(action)

    def _other_action(self, action: str) -> str:
        """An action of the same kind that `go` did not answer."""
        if self.phase == "play":
            cards = [card for card in deck_cards(self.watcher.rules) if f"play {card}" != action]
            return f"play {self.rng.choice(cards)}"
        choices = {
            "blind": ["look", "bid blindnil"],
            "draft": ["draft keep", "draft pass"],
            "bid": ["bid 13", "bid 12"],
            "swap": ["swap AS,KS,QS"],
        }
        return next(choice for choice in choices[self.phase] if choice != action)

    def _expect_hidden(self, command: str) -> None:
        line = self.ask(command)[-1]
        if code_of(line) != "hidden":
            raise Fault("hidden.3", f"`{command}` at the turn of {self.turn} should be refused as hidden: `{line}`")

    def _expect_state(self) -> None:
        if self.rng.random() < 0.4:
            state = json.loads(self.ask("state")[0][6:])
            if (state["phase"], state["turn"]) != (self.phase, self.turn):
                raise Fault(
                    "state.2", f"state says {state['phase']} {state['turn']}, the reply {self.phase} {self.turn}"
                )
        if self.rng.random() < 0.1:
            self.ask("record")


def replay(bench: Bench, lines: list[str], label: str) -> Engine:
    """A fresh process that has been told a record, line by line."""
    engine = bench.start_ready()
    for line in lines:
        if not line.startswith(";"):
            reply = engine.ask(line)[-1]
            if code_of(reply) != "ok":
                raise Fault(label, f"the record's line `{line}` is refused: `{reply}`")
    return engine


def story(engine: Engine, keys: tuple[str, ...]) -> dict[str, object]:
    """Some keys of `state`."""
    found = json.loads(engine.expect_ok("state")[0][6:])
    return {key: found.get(key) for key in keys}


KEPT = (
    "rules", "options", "view", "seats", "hand", "hands_played", "phase", "turn", "first", "hands", "draw", "discards",
    "bids", "blind", "tricks", "trick", "last_trick", "broken", "totals", "bags", "last_score", "legal", "winner",
    "reason",
)  # fmt: skip


def play_game(
    bench: Bench, rules: str, viewer: str, options: str, is_seen: bool = True, is_public: bool = True
) -> None:
    """A game of at most two hands at the table of one seat, then its record once more in fresh processes."""
    seed = f"{rules}-{viewer}"
    rng = random.Random(seed)
    engine = bench.start_ready()
    start = f"newgame rules={rules} dealer=engine view={viewer} seed={seed} first=S hand_cap=2 {options}".strip()
    engine.expect_ok(start)
    table = SeatTable(engine, Watcher(rules, seed, viewer, is_seen, is_public), rng)
    halfway = rng.randrange(30, 50)
    for number in range(1000):
        if table.phase == "over":
            break
        table.step()
        if number == halfway and table.phase not in ("deal", "over"):
            record = [line[7:] for line in table.ask("record")[:-1]]
            other = replay(bench, record, "record.1")
            _expect_same_story(engine, other)
            other.kill()
    record = [line[7:] for line in engine.expect_ok("record view=all")[:-1]]
    other = replay(bench, record, "record.1")
    keys = ("phase", "totals", "bags", "hands_played", "winner", "reason", "last_score", "last_trick")
    if story(engine, keys) != story(other, keys):
        raise Fault("record.1", "the record of the whole game leads to another end")
    other.quit()
    engine.quit()


def _expect_same_story(one: Engine, two: Engine) -> None:
    left, right = story(one, KEPT), story(two, KEPT)
    for key in KEPT:
        if left[key] != right[key]:
            raise Fault("record.1", f"`{key}` of the state is {left[key]}, after replaying the record {right[key]}")


def _enter(rules: str, viewer: str, options: str = "", is_seen: bool = True, is_public: bool = True) -> None:
    def work(bench: Bench) -> None:
        play_game(bench, rules, viewer, options, is_seen, is_public)

    what = f"{rules}{' with ' + options if options else ''}"
    work.__doc__ = f"A whole game of {what} at the table of {viewer} shows nothing that {viewer} may not see."
    name = f"game-{rules}-{viewer}" + ("-hidden" if options else "")
    check(name, "core seat table", "hidden.2 hidden.3 go.1 go.2 fair.1 record.1")(work)


for preset in PRESETS:
    _enter(preset, "S")
_enter("draft", "N")
_enter("partners", "E")
_enter("draft", "S", "peek=unseen draft_choice=hidden", is_seen=False, is_public=False)
