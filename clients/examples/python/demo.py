"""A whole game of Spades between engines that talk to nobody but this program, over pipes.

One process runs the table: it shuffles, deals, referees and scores, and sees every card. Each seat is played by a
process of its own, which is told only what its seat may see, hidden cards as `??`. This program stands between them:
it carries each event from the table to the seats, each choice from a seat to the table, and shows what happens. At the
end the table reveals its seed, and the whole game is dealt again to see that the cards were those it had committed to.

    python demo.py                        a drafted game to 500
    python demo.py --rules partners --seed 7 --nodes 300
    python demo.py --seat "N=python smallest_bot.py"
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from contextlib import ExitStack

from spades_client import ClientError, Engine, Event, GameSetup, Limit, Seat, Table

ENGINE = [sys.executable, "-m", "spades_engine"]
RANKS = "23456789TJQKA"
HAND = 13  # cards
RED, BOLD, DIM, PLAIN = "\033[31m", "\033[1m", "\033[2m", "\033[0m"


class Show:
    """Shows a game as it goes: a line for each round of the draft, each hand, bid and trick, and each side's score."""

    def __init__(self, quiet: bool, coloured: bool) -> None:
        self._quiet = quiet
        self._coloured = coloured
        self._hands: dict[str, list[str]] = {}
        self._bids: dict[str, str] = {}
        self._won: dict[str, int] = {}
        self._row: list[str] = []
        self._drawn = ""

    def line(self, text: str, style: str = "") -> None:
        """Print a line now; a pipe must not keep it back."""
        print(f"{style}{text}{PLAIN}" if style and self._coloured else text, flush=True)

    def detail(self, text: str) -> None:
        """Print what only a patient reader wants to see."""
        if not self._quiet:
            self.line(f"  {text}")

    def cards(self, cards: Sequence[str]) -> str:
        """Return cards with blanks between them; on a terminal hearts and diamonds are red."""
        if not self._coloured:
            return " ".join(cards)
        return " ".join(f"{RED}{card}{PLAIN}" if card[-1] in "DH" else card for card in cards)

    def hand(self, seat: str) -> None:
        """Show the cards of a seat, spades first, high ones first."""
        suits = [[card for card in self._hands[seat] if card[-1] == suit] for suit in "SHCD"]
        ordered = [sorted(suit, key=lambda card: RANKS.index(card[0]), reverse=True) for suit in suits]
        self.detail(f"hand     {seat}  " + "  ".join(self.cards(suit) for suit in ordered if suit))

    def event(self, event: Event, table: Table) -> None:
        """Show what has happened; what belongs on one line waits until that is whole."""
        match event.words:
            case ["deal", number, *_]:
                self._hands = {seat: [] for seat in table.seats}
                self._won = dict.fromkeys(table.seats, 0)
                self._bids = {}
                self.line(f"\nHand {number}, {event.pairs.get('first')} is first", BOLD)
                for key, cards in event.pairs.items():
                    if key.startswith("hand."):
                        self._hands[key[5:]] = cards.split(",")
                        self.hand(key[5:])
            case ["look", seat, cards]:
                self._hands[seat] = cards.split(",")
                self.hand(seat)
            case ["draft", seat, choice, card]:
                self.draft(seat, choice, card, table)
            case ["swap", seat, thrown, *taken]:
                self.swap(seat, thrown.split(","), taken[0].split(",") if taken else None)
            case ["bid", seat, bid]:
                self._bids[seat] = bid
                self.detail(f"bid      {seat}  {bid}")
            case ["play", seat, card]:
                self._row.append(f"{seat} {self.cards([card])}")
            case ["trick", seat]:
                self._won[seat] += 1
                self.detail(f"trick {sum(self._won.values()):2} {'  '.join(['', *self._row])}   to {seat}")
                self._row = []
            case ["score", *_]:
                self.score(event)

    def draft(self, seat: str, choice: str, card: str, table: Table) -> None:
        """Show a round of the draft once every seat has had its turn, and the hands once it is over."""
        if choice == "draw":
            self._drawn = card
            return
        kept, gone = (self._drawn, card) if choice == "keep" else (card, self._drawn)
        self._hands[seat].append(kept)
        self._row.append(
            f"{seat}  {choice} {self.cards([self._drawn])}: {self.cards([kept])} in, {self.cards([gone])} out"
        )
        if len(self._row) == len(table.seats):
            self.detail(f"draft {len(self._hands[seat]):2}  {'     '.join(self._row)}")
            self._row = []
            if len(self._hands[seat]) == HAND:
                for holder in table.seats:
                    self.hand(holder)

    def swap(self, seat: str, thrown: list[str], taken: list[str] | None) -> None:
        """Show an exchange after a blind nil."""
        if thrown != ["none"]:
            self._hands[seat] = [card for card in self._hands[seat] if card not in thrown] + (taken or [])
        self.detail(
            f"swap     {seat}  {self.cards(thrown)}" + (f" for {self.cards(taken)}" if taken else " to the partner")
        )

    def score(self, event: Event) -> None:
        """Show what each side has made of the hand."""
        pairs = event.pairs
        for side in [key for key in pairs if "." not in key]:
            bids = " and ".join(self._bids[seat] for seat in side)
            won = " and ".join(str(self._won[seat]) for seat in side)
            total, bags = pairs[f"total.{side}"], pairs[f"bags.{side}"]
            self.line(f"  score    {side}  bid {bids}, won {won}: {pairs[side]}, total {total}, bags {bags}", BOLD)


def read_arguments(words: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="A whole game of Spades between engines, over pipes.")
    parser.add_argument("--rules", default="draft", help="preset: draft, draft300, partners or duel (default: draft)")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="a rule that differs from it"
    )
    parser.add_argument("--seed", help="seed of the deck (default: the table draws one and keeps it to itself)")
    parser.add_argument("--movetime", type=int, default=20, help="milliseconds for each choice (default: 20)")
    parser.add_argument("--nodes", type=int, help="nodes for each choice, in place of a time")
    parser.add_argument("--quiet", action="store_true", help="show scores only")
    parser.add_argument("--command", default=shlex.join(ENGINE), help="the engine: for the table, and for each seat")
    parser.add_argument("--seat", action="append", default=[], metavar="SEAT=COMMAND", help="another engine for a seat")
    return parser.parse_args(words)


def play(arguments: argparse.Namespace, show: Show) -> None:
    """Play one game and show it."""
    options = dict(option.split("=", 1) for option in arguments.option)
    limit = Limit(nodes=arguments.nodes) if arguments.nodes else Limit(movetime=arguments.movetime)
    commands = dict(seat.split("=", 1) for seat in arguments.seat)
    with ExitStack() as stack:
        referee = stack.enter_context(Engine.popen(arguments.command))
        table = Table(referee, GameSetup(arguments.rules, seed=arguments.seed, options=options))
        game = table.newgame()
        show.line(f"The table: {referee.identity}, rules {arguments.rules}, process {referee.pid}", BOLD)
        show.line(f"  committed to its seed by {game.commit}", DIM)
        seats: dict[str, Seat] = {}
        for name in table.seats:
            player = stack.enter_context(Engine.popen(commands.get(name, arguments.command)))
            seats[name] = Seat(player, name, table.setup)
            seats[name].newgame()
            show.line(f"{name}: {player.identity}, process {player.pid}")
        # The table asks for a choice; the seat concerned makes it from what it has been told.
        for event in table.play(lambda table: seats[table.turn or ""].choose(limit).action):
            show.event(event, table)
            for seat in seats.values():
                seat.tell(event)
    result = table.result
    if result is None:
        return
    totals = ", ".join(f"{side} {total}" for side, total in result.totals.items())
    outcome = "A draw" if result.winner == "draw" else f"{result.winner} wins"
    hands = f"{result.hands} hand{'' if result.hands == 1 else 's'}"
    show.line(f"\n{outcome} after {hands}: {totals} ({result.reason})", BOLD)
    show.line(f"seed {result.seed}")
    if result.is_fair:
        show.line(f"commitment verified: the seed is the one committed to, and {hands} dealt again from it agree")


def main(words: Sequence[str] | None = None) -> int:
    """Run the demonstration; the exit code is 0 after a whole game."""
    coloured = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    arguments = read_arguments(words)
    try:
        play(arguments, Show(arguments.quiet, coloured))
    except (ClientError, OSError) as error:
        print(f"demo: {error}", file=sys.stderr)
        for line in getattr(error, "transcript", ())[-10:]:
            print(f"    {line}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
