"""The smallest useful bot: it plays one seat of a two-player game that a host deals and referees (USP, level `seat`).

It reads commands on its standard input and answers on its standard output; nothing else is needed to be a player.

    python demo.py --seat "N=python smallest_bot.py"

What it leaves out to be short: it trusts its host, judges no card and keeps no score; it takes the presets `draft`,
`draft300` and `duel` as they are and no other rules; and of the level's commands it lacks `position`, `undo`, `record`
and `state`. What it does not have it refuses by an `error` line, and goes on.
"""

import copy
import sys

RANKS = "23456789TJQKA"
OTHER = {"S": "N", "N": "S"}
MOVES = ("deal", "look", "draft", "swap", "bid", "play")
KNOWN = ("usp", "help", "known", "set", "get", "ping", "log", "quit", "stop", "newgame", *MOVES, "legal", "go")
RESULTS = ("trick", "score", "end")  # a host may tell them; they follow from the rest


class Refused(Exception):
    """What an `error` line says after the word `error`."""


class Game:
    """A game as one seat sees it: whose turn it is, for what, and what this seat holds."""

    def __init__(self, rules: str, me: str) -> None:
        self.rules, self.me = rules, me
        self.phase, self.turn = "deal", ""
        self.events: list[str] = []  # what follows from the line that was told last

    # What happens: a method for each record line (SPEC.md, section 9), called with the line's words.

    def deal(self, _number: str, *pairs: str) -> None:
        """A hand begins; in a dealt game the line brings the cards, in a drafted one they come by and by."""
        given = dict(pair.split("=") for pair in pairs)
        first = given["first"]
        self.hand = given[f"hand.{self.me}"].split(",") if self.rules == "duel" else []
        self.bidder = OTHER[first] if self.rules == "draft" else first
        self.bids: dict[str, str] = {}
        self.won = {"S": 0, "N": 0}
        self.trick: list[str] = []
        self.broken = False
        self.asked: set[str] = set()  # seats that have been asked for a blind nil
        self.swapped: set[str] = set()
        self.drafted = 0  # turns of the draft
        self.bid_next() if self.rules == "duel" else self.draw_next(first)

    def look(self, seat: str) -> None:
        """The seat declines blind nil."""
        self.asked.add(seat)
        self.draw_next(seat)

    def draft(self, seat: str, choice: str, card: str) -> None:
        """The seat draws the top card; or has kept it or passed it on, and this is the next one."""
        if choice == "draw":
            self.phase, self.drawn = "draft", card
            return
        self.hand += [self.drawn if choice == "keep" else card] if seat == self.me else []
        self.drafted += 1
        self.draw_next(OTHER[seat])

    def swap(self, seat: str, _thrown: str, _taken: str) -> None:
        """The other seat exchanges cards after a blind nil, which this bot never calls."""
        self.swapped.add(seat)
        self.bid_next()

    def bid(self, seat: str, bid: str) -> None:
        """The seat bids, or calls blind nil before its first draw."""
        self.bids[seat] = bid
        self.asked.add(seat)
        self.draw_next(seat) if self.phase == "blind" else self.bid_next()

    def play(self, seat: str, card: str) -> None:
        """The seat plays a card; after thirteen tricks the next hand is due."""
        if seat == self.me:
            self.hand.remove(card)
        self.trick.append(card)
        self.broken = self.broken or card[1] == "S"
        self.turn = OTHER[seat]
        if len(self.trick) == 2:
            self.turn = seat if beats(card, self.trick[0]) else OTHER[seat]
            self.trick = []
            self.won[self.turn] += 1
            self.events = [f"trick {self.turn}"]
            if sum(self.won.values()) == 13:
                self.phase, self.turn = "deal", ""

    def draw_next(self, seat: str) -> None:
        """The draft goes on with this seat, or is over after 26 turns."""
        blind = self.rules == "draft" and seat not in self.asked
        self.phase, self.turn = ("blind" if blind else "draw"), seat
        if self.drafted == 26:
            self.bid_next()

    def bid_next(self) -> None:
        """Exchanges come first, then the missing bids, both in bidding order; then the first bidder leads."""
        order = (self.bidder, OTHER[self.bidder])
        due = [("swap", seat) for seat in order if self.bids.get(seat) == "blindnil" and seat not in self.swapped]
        due += [("bid", seat) for seat in order if seat not in self.bids]
        self.phase, self.turn = [*due, ("play", self.bidder)][0]

    # What to do.

    def legal(self) -> list[str]:
        """Return the actions of this seat, whose turn it is."""
        if self.phase == "blind":
            return ["look", "bid blindnil"]
        if self.phase == "draft":
            return ["draft keep", "draft pass"]
        if self.phase == "bid":
            return ["bid nil", *(f"bid {number}" for number in range(1, 14))]
        follow = [card for card in self.hand if self.trick and card[1] == self.trick[0][1]]
        plain = [card for card in self.hand if card[1] != "S" and not self.trick and not self.broken]
        return [f"play {card}" for card in follow or plain or self.hand]

    def choose(self) -> str:
        """Return a fair choice: keep trumps and high cards, bid what is sure, win with the least card."""
        if self.phase == "blind":
            return "look"
        if self.phase == "draft":
            return "draft keep" if is_strong(self.drawn) else "draft pass"
        if self.phase == "bid":
            return f"bid {max(1, sum(map(is_strong, self.hand)) - 1)}"
        cards = [action[5:] for action in self.legal()]
        cards.sort(key=lambda card: (card[1] == "S", RANKS.index(card[0])))
        bid = self.bids[self.me]
        is_short = bid.isdigit() and self.won[self.me] < int(bid)
        if not self.trick:
            return f"play {cards[-1 if is_short else 0]}"
        winning = [card for card in cards if beats(card, self.trick[0])]
        losing = [card for card in cards if card not in winning]
        return f"play {(winning or losing)[0] if is_short else (losing or winning)[-1]}"


def is_strong(card: str) -> bool:
    """Tell whether a card is likely to win a trick."""
    return card[1] == "S" or card[0] in "AK"


def beats(card: str, led: str) -> bool:
    """Tell whether a card played second wins the trick."""
    return RANKS.index(card[0]) > RANKS.index(led[0]) if card[1] == led[1] else card[1] == "S"


class Bot:
    """One conversation."""

    def __init__(self) -> None:
        self.game: Game | None = None

    def answer(self, verb: str, words: list[str]) -> list[str]:
        """Return the lines that answer a command. Raises Refused; an error changes nothing."""
        game = self.game
        if verb == "usp":
            if "1" not in words:
                raise Refused('unsupported "this bot speaks version 1" versions=1')
            return ['id name="Smallest Bot" version=1', "rules draft draft300 duel", "ok usp=1 levels=core,seat"]
        if verb == "help":
            return [f'help "{" ".join(KNOWN)}"', "ok"]
        if verb == "known":
            return [f"ok known={'yes' if words and words[0] in KNOWN else 'no'}"]
        if verb in ("ping", "stop", "quit") or (verb == "get" and not words):
            return ["ok"]  # it never thinks, so there is nothing to stop
        if verb in ("set", "get", "log"):
            raise Refused('bad-argument "this bot has no options and writes no log"')
        if verb == "newgame":
            return self.newgame(dict(word.split("=", 1) for word in words))
        if verb not in KNOWN and verb not in RESULTS:
            raise Refused('unsupported "this bot does not have that command"')
        if game is None:
            raise Refused('no-game "there is no game: newgame comes first"')
        if verb in ("legal", "go"):
            if game.turn != game.me or game.phase not in ("blind", "draft", "bid", "play"):
                raise Refused(f'wrong-phase "it is not for {game.me} to choose" phase={game.phase}')
            actions = game.legal()
            lines = [f"legal {action}" for action in actions]
            return [*lines, f"ok count={len(actions)}"] if verb == "legal" else [f"best {game.choose()}"]
        if verb in MOVES:
            game = self.tell(game, verb, words)
        events = [f"event {event}" for event in game.events]
        return [*events, f"ok phase={game.phase}" + (f" turn={game.turn}" if game.turn else "")]

    def newgame(self, said: dict[str, str]) -> list[str]:
        """Begin a game, if it is one of those this bot plays."""
        rules, seat = said.get("rules", "draft"), said.get("view", "all")
        fits = rules in ("draft", "draft300", "duel") and said.get("dealer") == "host" and seat in OTHER
        if not fits or set(said) - {"rules", "dealer", "view", "first"}:
            raise Refused(
                'unsupported "this bot plays a seat of draft, draft300 or duel as they are, with dealer=host"'
            )
        self.game = Game(rules, seat)
        return [f"ok rules={rules} seats=S,N phase=deal"]

    def tell(self, game: Game, verb: str, words: list[str]) -> Game:
        """Take a record line, on a copy that becomes the game only if all of the line makes sense."""
        fitting = {"blind": ("look", "bid"), "draw": ("draft",)}.get(game.phase, (game.phase,))
        if verb not in fitting:
            raise Refused(f'wrong-phase "the game is in phase {game.phase}" phase={game.phase}')
        self.game = copy.deepcopy(game)
        self.game.events = []
        try:
            getattr(self.game, verb)(*words)
        except Exception:
            self.game = game
            raise
        return self.game


def main() -> None:
    """Answer every line until `quit` or the end of the input."""
    bot = Bot()
    for line in sys.stdin.buffer:
        words = line.decode("utf-8", "replace").split()
        mark = [words.pop(0)] if words and words[0].startswith("#") else []
        if not words or words[0].startswith(";"):
            continue
        try:
            lines = bot.answer(words[0], words[1:])
        except Refused as refused:
            lines = [f"error {refused}"]
        except (ValueError, LookupError, TypeError, AttributeError):
            lines = ['error bad-argument "this bot cannot make sense of that"']
        for text in lines:
            print(" ".join([*mark, text]), flush=True)
        if words[0] == "quit":
            return


if __name__ == "__main__":
    main()
