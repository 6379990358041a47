"""What `help` says about each command: its usage in one line, then what it does, in plain ASCII."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

HELP: Final[dict[str, tuple[str, ...]]] = {
    "usp": (
        "usp <version>...",
        "Shakes hands: you list the versions that you speak, and the answer names the one to use, presets and options.",
        "It has to come before everything but help, known, ping, stop and quit.",
    ),
    "help": (
        "help [<command>]",
        "Explains a command, or lists all of them.",
    ),
    "known": (
        "known <command>",
        "Tells whether there is such a command: ok known=yes or ok known=no.",
    ),
    "ping": (
        "ping",
        "Is answered by ok at once, also during a search.",
    ),
    "quit": (
        "quit",
        "Ends a search if there is one, then the program.",
    ),
    "stop": (
        "stop",
        "Ends the search or tool that is running; its final reply comes first, then the ok of stop.",
        "Does nothing when nothing is running.",
    ),
    "get": (
        "get [<option>]",
        "Tells the value of an option, or of all of them.",
    ),
    "set": (
        "set <option>=<value>...",
        "Sets options: all that are named or, if one of them is refused, none.",
    ),
    "log": (
        'log "<path>" | log off',
        "Appends every line from here on, in both directions, to a file, or ends that.",
    ),
    "newgame": (
        (
            "newgame [rules=<preset>] [dealer=engine|host] [view=all|<seat>] [first=<seat>] [seed=<seed>]"
            " [total.<side>=<n>] [bags.<side>=<n>] [<rule option>=<value>...]"
        ),
        "Begins a new game and forgets the old one. Presets: draft, draft300, partners, duel.",
        "dealer=engine: this program shuffles, deals and referees. dealer=host: you do, and tell it what happened.",
        "view: whose cards you may see (dealer=engine) or will tell it (dealer=host).",
        "first: who is first in the first hand; else the seed decides, or the first deal line.",
        "seed: 1 to 64 letters, digits, dots, underscores or hyphens; else a fresh one is taken from the system.",
        "total.<side>, bags.<side>: what the sides start with. Any rule option changes the preset: target=250 nil=50.",
    ),
    "position": (
        "position <command> ; <command> ; ...",
        "Sets up a game from one line: the commands of a game from newgame on, joined by ' ; '. No events are printed.",
        "If one of them is refused the game stays as it was, and line= counts, from 1, to the one that was.",
    ),
    "deal": (
        "deal [deck=<cards>] | deal [<n>] [first=<seat>] [hand.<seat>=<cards>...]",
        "Begins the next hand. With dealer=engine the cards come from the seed, or from deck=, the top card first.",
        "With dealer=host it tells number, first seat and, in dealt games, the hands; ?? is a hidden card.",
    ),
    "look": (
        "look [<seat>] [<cards>]",
        "Declines blind nil and takes up the cards. With dealer=host it names them in a dealt game.",
    ),
    "draft": (
        "draft [<seat>] keep|pass [<card>] | draft [<seat>] draw <card>",
        "Keeps the drawn card, or passes it for the next one. With dealer=engine no card is named.",
        "With dealer=host draw tells which card was turned up, and keep and pass name the second card.",
    ),
    "swap": (
        "swap [<seat>] <cards>|none [<cards>|none]",
        "Exchanges cards after a blind nil: those thrown, or those given to the partner; none for no exchange.",
        "With dealer=host an exchange with the discards also names the cards taken: swap S AS,KD ??,??",
    ),
    "bid": (
        "bid [<seat>] <bid>",
        "Bids a number of tricks, nil, or blindnil where a seat is asked before it has seen a card.",
    ),
    "play": (
        "play [<seat>] <card>",
        "Plays a card, rank then suit: play QS",
    ),
    "trick": (
        "trick <seat>",
        "Checks who won the trick just completed. With dealer=host only; it changes nothing.",
    ),
    "end": (
        "end winner=<side>|draw reason=target|floor|cap total.<side>=<n>...",
        "Checks how the game ended. With dealer=host only; it changes nothing.",
    ),
    "undo": (
        "undo [<n>]",
        "Takes back the last n commands that moved the game, 1 if not said, with all that followed from them.",
    ),
    "state": (
        "state",
        "Prints all that you may know of the game, as one line of JSON.",
    ),
    "record": (
        "record [view=all|<seat>]",
        "Prints the game so far as the commands that set it up again at a table with dealer=host.",
        "With a view the cards that this seat may not see are masked.",
    ),
    "legal": (
        "legal",
        "Prints what the seat to act may do, one action a line, and how many there are.",
    ),
    "score": (
        (
            "score | score rules=<preset> bid=<bid>[,<bid>] tricks=<n>[,<n>] [bags=<n>] [total=<n>]"
            " [<rule option>=<value>...] | score <side>=<points>... bags.<side>=<n>... total.<side>=<n>..."
        ),
        "Alone it tells totals, bags and hands scored.",
        "With bid= and tricks= it scores one side without a game: score rules=draft bid=7 tricks=8 bags=3",
        "With the keys of a score line it checks the hand just scored; it changes nothing.",
    ),
    "go": (
        "go [movetime=<ms>] [nodes=<n>] [clock=<ms> [inc=<ms>]] [infinite]",
        "Asks for the best action of the seat to act: info lines, then best and the action. The game stays as it is.",
        "The first limit reached ends the search; without one the option movetime holds.",
        "infinite thinks until stop. With nodes alone the same answer comes every time.",
    ),
    "perft": (
        "perft <depth>",
        "Counts the sequences of so many decisions from here, for each first action and in all.",
        "It needs a table that knows every card still to come.",
    ),
    "bench": (
        "bench",
        "Searches a fixed set of positions and tells nodes, time and speed. The nodes are the same everywhere.",
    ),
    "solve": (
        "solve [nodes=<n>]",
        "Tells how many tricks each side wins if all play to win as many as they can, seeing every card.",
        "It needs a table that knows every hand, and phase play.",
    ),
    "selftest": (
        "selftest",
        "Checks the installation.",
    ),
}
"""By command: the usage, then the lines that explain it."""
