"""Transcripts told from the rules: hands played by the oracle of tests/game, written down in the suite's format.

Nothing here has ever seen an engine's output. The oracle says what is legal, what follows and what it scores; this
module only puts it into the words of SPEC.md's protocol part.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.game.oracle import Game, Hand, Table, in_card_order, list_text, masked_line
from tests.game.oracle_dealing import Stream, commitment, shuffled

Policy = Callable[[Hand, random.Random], str]
RESULTS = ("trick", "score", "end")


def at_random(hand: Hand, rng: random.Random) -> str:
    """Any legal action, but no blind nil and no nil, which would end most hands the same way."""
    legal = hand.legal()
    sober = [action for action in legal if action not in ("bid nil", "bid blindnil")]
    if hand.phase == "bid":
        sober = [f"bid {number}" for number in range(2, 6)]
    return rng.choice(sober or legal)


def in_order(actions: list[str], then: Policy = at_random) -> Policy:
    """These actions first, each as soon as it is legal, and the other policy in between and afterwards."""
    left = list(actions)

    def choose(hand: Hand, rng: random.Random) -> str:
        if left and left[0] in hand.legal():
            return left.pop(0)
        return then(hand, rng)

    return choose


def bidding(bids: dict[str, str], then: Policy = at_random) -> Policy:
    """Each seat of the dictionary bids this, `blindnil` included; everything else is the other policy's."""

    def choose(hand: Hand, rng: random.Random) -> str:
        wanted = bids.get(hand.turn, "")
        if hand.phase == "bid" and wanted:
            return f"bid {wanted}"
        if hand.phase == "blind":
            return "bid blindnil" if wanted == "blindnil" else "look"
        return then(hand, rng)

    return choose


def strength_of(action: str) -> int:
    """How high the card of a `play` is, spades above all."""
    card = action.split()[1]
    return ("23456789TJQKA".index(card[0]) + (20 if card[1] == "S" else 0)) if len(card) == 2 else 0


def playing(low: str = "", high: str = "") -> Policy:
    """The seats of `low` play their lowest legal card, those of `high` their highest, the others any."""

    def choose(hand: Hand, rng: random.Random) -> str:
        if hand.phase == "play" and hand.turn in low:
            return min(hand.legal(), key=strength_of)
        if hand.phase == "play" and hand.turn in high:
            return max(hand.legal(), key=strength_of)
        return at_random(hand, rng)

    return choose


@dataclass
class Story:
    """A game as it is told: rules, first seat, and for each hand its deck and its actions."""

    table: Table
    first: str
    seed: str = "0"
    totals: dict[str, int] = field(default_factory=dict)
    bags: dict[str, int] = field(default_factory=dict)
    decks: list[list[str]] = field(default_factory=list)
    actions: list[list[str]] = field(default_factory=list)

    def game(self) -> Game:
        """The game so far, by the oracle."""
        return Game(self.table, self.first, list(self.decks), self.actions, self.seed, self.totals, self.bags)

    def play(self, deck: list[str], policy: Policy, rng: random.Random, until: str = "scored") -> Hand:
        """Play another hand, to its end or until a phase (`play:5` for the sixth card) has been reached."""
        so_far = self.game()
        assert so_far.ending is None, "the game is over"
        phase, _, cards = until.partition(":")
        actions: list[str] = []
        while True:
            hand = Hand(
                self.table, len(self.decks) + 1, so_far.next_first, dict(so_far.totals), dict(so_far.bags), deck,
                actions, self.seed, trusted=len(actions),
            )  # fmt: skip
            played = sum(len(trick) for trick in hand.tricks)
            if hand.phase == "scored" or (hand.phase == phase and played >= int(cards or 0)):
                break
            actions.append(policy(hand, rng))
        self.decks.append(deck)
        self.actions.append(actions)
        return hand

    def seeded_deck(self) -> list[str]:
        """The deck of the next hand by the seed."""
        return shuffled(self.table.cards, Stream(self.seed, f"deal.{len(self.decks) + 1}"))

    def random_deck(self, rng: random.Random) -> list[str]:
        """A deck in any order."""
        deck = list(self.table.cards)
        rng.shuffle(deck)
        return deck

    def words(self) -> str:
        """What `newgame` has to say of the rules and the score to start from."""
        changes = [f"{name}={value}" for name, value in self.table.changes.items()]
        changes += [f"total.{side}={self.totals[side]}" for side in self.table.sides if self.totals.get(side)]
        changes += [f"bags.{side}={self.bags[side]}" for side in self.table.sides if self.bags.get(side)]
        return "".join(" " + change for change in changes)


def deck_of_hands(table: Table, first: str, hands: dict[str, list[str]]) -> list[str]:
    """A deck that deals these hands; what is left over comes last, in card order."""
    order = table.clockwise_from(first)
    dealt = [hands[order[k % len(order)]][k // len(order)] for k in range(13 * len(order))]
    return dealt + [card for card in table.cards if card not in dealt]


# Writing it down.


def is_decision(line: str, before: str) -> bool:
    """Whether a record line is what a seat decided, and not what the dealer turned up or what followed."""
    words = line.split()
    if words[0] == "look":
        return before != f"bid {words[1]} blindnil"
    return words[0] in ("swap", "bid", "play") or (words[0] == "draft" and words[2] != "draw")


def status_before(line: str, before: str) -> tuple[str, str]:
    """The phase and the seat that this record line answers; `before` is the record line before it."""
    words = line.split()
    verb, seat = words[0], words[1]
    if verb == "deal":
        return "deal", ""
    if verb == "look":
        return ("blind" if is_decision(line, before) else "look"), seat
    if verb == "draft":
        return ("draw" if words[2] == "draw" else "draft"), seat
    if verb == "bid" and words[2] == "blindnil":
        return "blind", seat
    return verb, seat


@dataclass
class Teller:
    """Writes a story as a transcript. `viewer` None sees everything."""

    story: Story
    viewer: str | None = None
    lines: list[str] = field(default_factory=list)

    def masked(self, line: str) -> str:
        """A record line as the viewer is shown it."""
        return line if self.viewer is None else masked_line(self.story.table, line, self.viewer)

    def hello(self) -> None:
        """The handshake."""
        self.lines += ["> usp 1", "< ...", "< ok usp=1 ..."]

    def _ending(self) -> tuple[str, str]:
        game = self.story.game()
        if game.ending:
            return "over", ""
        if not game.hands or game.hands[-1].phase == "scored":
            return "deal", ""
        return game.hands[-1].phase, game.hands[-1].turn

    def _record(self) -> list[str]:
        return self.story.game().lines

    def _ok(self, record: list[str], place: int) -> str:
        """The reply after the record line at `place` and all that followed from it."""
        before = ""
        for line in record[: place + 1]:
            before = before if line.split()[0] in RESULTS else line
        rest = [line for line in record[place + 1 :] if line.split()[0] not in RESULTS]
        phase, turn = status_before(rest[0], before) if rest else self._ending()
        return f"ok phase={phase} turn={turn}" if turn else f"ok phase={phase}"

    def newgame(self, dealer: str) -> None:
        """The `newgame` line and its reply."""
        story = self.story
        view = f" view={self.viewer}" if self.viewer else ""
        seed = f" seed={story.seed}" if dealer == "engine" else ""
        self.lines.append(
            f"> newgame rules={story.table.preset} dealer={dealer}{view}{seed} first={story.first}{story.words()}"
        )
        commit = f" commit={commitment(story.seed)}" if dealer == "engine" else ""
        seats = ",".join(story.table.seats)
        self.lines.append(f"< ok rules={story.table.preset} seats={seats} first={story.first} phase=deal{commit}")

    def host(self, start: int = 0) -> None:
        """The record lines from number `start` on as a host sends them, and what the program says to each."""
        record = self._record()
        for place, line in enumerate(record):
            if place < start or line.split()[0] in RESULTS:
                continue
            self.lines.append(f"> {self.masked(line)}")
            last = place
            while last + 1 < len(record) and record[last + 1].split()[0] in RESULTS:
                last += 1
                self.lines.append(f"< event {record[last]}")
            self.lines.append(f"< {self._ok(record, last)}")

    def engine(self, is_deck_told: bool = False) -> None:
        """The decisions as a client sends them to a program that deals, and every event that follows."""
        record = self._record()
        hand = 0
        before = ""
        place = 0
        while place < len(record):
            line = record[place]
            words = line.split()
            if words[0] == "deal":
                deck = f" deck={list_text(self.story.decks[hand])}" if is_deck_told else ""
                self.lines.append(f"> deal{deck}")
                hand += 1
            else:
                assert is_decision(line, before), line
                self.lines.append(f"> {words[0]} {words[2]}" if words[0] != "look" else "> look")
            while True:
                self.lines.append(f"< event {record[place]}")
                if record[place].split()[0] not in RESULTS:
                    before = record[place]
                place += 1
                if place == len(record) or record[place].startswith("deal ") or is_decision(record[place], before):
                    break
            self.lines.append(f"< {self._ok(record, place - 1)}")

    def position(self, dealer: str) -> None:
        """The whole story as one `position` line."""
        teller = Teller(self.story, self.viewer)
        teller.newgame(dealer)
        if dealer == "host":
            teller.host()
        else:
            teller.engine()
        commands = [line[2:] for line in teller.lines if line.startswith("> ")]
        self.lines += [f"> position {' ; '.join(commands)}", teller.lines[-1].replace(" seats", "")]

    def say(self, *lines: str) -> None:
        """Further lines of the transcript, as they are."""
        self.lines += lines


def transcript(title: str, levels: str, covers: str, lines: list[str], requires: str = "") -> str:
    """A whole file."""
    head = [f"; {title}", f"; level: {levels}", f"; covers: {covers}"]
    if requires:
        head.append(f"; requires: {requires}")
    return "\n".join([*head, *lines]) + "\n"


def hand_text(cards: list[str]) -> str:
    """A hand as the protocol writes it."""
    return list_text(in_card_order(cards))
