"""Lines to throw at an engine: whole commands by the grammar, spoilt ones, and bytes that are no lines at all.

Everything comes from one `random.Random`, so a run repeats by its seed. Commands that would end the process, fill a
disk or think for long by right are left to other tests.
"""

from __future__ import annotations

import random

RANKS = "23456789TJQKA"
SUITS = "CDHS"
CARDS = [rank + suit for suit in SUITS for rank in RANKS]
VERBS = [
    "usp", "help", "known", "ping", "stop", "get", "set", "log", "newgame", "position", "deal", "look", "draft", "swap",
    "bid", "play", "trick", "end", "undo", "state", "record", "legal", "score", "go", "perft", "solve",
]  # fmt: skip
RESETTING = ("newgame", "position", "undo")
PRESETS = ["draft", "draft300", "partners", "duel"]
OPTION_VALUES = {
    "target": ["50", "100", "500", "5000", "49", "x", ""],
    "floor": ["none", "-1", "-200", "0", "5"],
    "bag_limit": ["none", "1", "5", "20", "21"],
    "bag_penalty": ["0", "100", "1000", "-1"],
    "bag_points": ["0", "1", "2"],
    "nil": ["off", "0", "50", "1001"],
    "blind_nil": ["off", "0", "200", "none"],
    "blind_deficit": ["0", "100", "-5"],
    "exchange": ["none", "discards", "partner", "both"],
    "exchange_count": ["0", "1", "3", "4", "5"],
    "failed_nil_bags": ["yes", "no", "maybe"],
    "failed_nil_helps": ["yes", "no"],
    "peek": ["seen", "unseen"],
    "draft_choice": ["public", "hidden"],
    "first_bidder": ["first", "second"],
    "leader": ["bidder", "other"],
    "lead_spades": ["broken", "anytime"],
    "first_trick_ruff": ["yes", "no"],
    "removed": ["none", "2C,2D", "AS", "2C,2C", "ZZ"],
    "hand_cap": ["1", "2", "200", "0"],
    "min_bid": ["0", "1", "4", "5"],
    "nil_is_zero": ["yes", "no"],
}
ODD_WORDS = [
    "", "??", '"', '"AS"', '"a b"', "=", "=x", "x=", "x-foo", "x-foo=1", "#", "##", "#1", ";", "-", "-1", "+5", "1_0",
    "٣",    "999999999999999999999", "é", "none", "all", "AS,AS", ",", "AS,", "as", "a" * 200, "\\", "deck=", "S=+1",
]  # fmt: skip


class Lines:
    """A source of lines. `legal` holds what the engine last said was legal, so that games get somewhere."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.legal: list[str] = []

    def line(self) -> str:
        """One line: mostly a plausible command, sometimes a spoilt one."""
        pick = self.random.random()
        if self.legal and pick < 0.5:
            line = self.random.choice(self.legal)
        elif pick < 0.9:
            line = self.command()
        else:
            line = self.spoil(self.command())
        if self.random.random() < 0.05:
            line = self.spoil(line)
        return line

    def command(self) -> str:
        """A command whose words are of the right kinds."""
        choose = self.random.choice
        verb = choose(VERBS)
        if verb in RESETTING and self.random.random() < 0.8:
            verb = choose(VERBS)  # so that games get somewhere
        match verb:
            case "usp":
                return choose(["usp 1", "usp 2 1", "usp 9"])
            case "help" | "known":
                return f"{verb} {choose(VERBS)}"
            case "get":
                return choose(["get", "get movetime", "get seed", "get x"])
            case "set":
                return choose(
                    ["set multipv=2", "set movetime=1", "set seed=a", 'set opponent=""', "set chatter=no", "set a=b"]
                )
            case "log":
                return choose(["log off", 'log "/nonexistent/folder/file"', 'log ""'])
            case "newgame":
                return self.newgame()
            case "position":
                commands = [self.newgame(), "deal", *[self.command() for _ in range(self.random.randrange(4))]]
                return "position " + " ; ".join(line for line in commands if not line.startswith("position"))
            case "deal":
                return choose(["deal", "deal 1 first=S", f"deal deck={self.cards(52)}", self.hosted_deal()])
            case "look":
                return choose(["look", "look S", f"look N {self.cards(13)}", "look S " + ",".join(["??"] * 13)])
            case "draft":
                word = choose(["keep", "pass", "draw", "??"])
                return " ".join(
                    filter(None, ["draft", choose(["", "S", "N", "E"]), word, choose(["", "??", choose(CARDS)])])
                )
            case "swap":
                lists = [
                    choose(["none", self.cards(self.random.randrange(5)), "??,??"]) for _ in range(choose([1, 1, 2]))
                ]
                return " ".join(["swap", *filter(None, [choose(["", "S", "N"])]), *lists])
            case "bid":
                return " ".join(
                    filter(
                        None, ["bid", choose(["", "S", "N", "W"]), choose([*map(str, range(15)), "nil", "blindnil"])]
                    )
                )
            case "play":
                return " ".join(filter(None, ["play", choose(["", "S", "N", "W"]), choose(CARDS)]))
            case "trick":
                return f"trick {choose('SNEW')}"
            case "end":
                return choose(["end winner=S reason=target total.S=500 total.N=0", "end winner=draw reason=cap", "end"])
            case "undo":
                return choose(["undo", "undo 1", "undo 3", "undo 999", "undo 0", "undo -1"])
            case "record":
                return choose(["record", "record view=all", "record view=S", "record view=Q"])
            case "score":
                return choose(
                    [
                        "score",
                        f"score rules={choose(PRESETS)} bid={choose(range(16))} tricks={choose(range(15))}",
                        "score rules=partners bid=4,nil tricks=5,0 bags=9",
                        "score S=+10 N=+20 bags.S=0 bags.N=0 total.S=10 total.N=20",
                    ]
                )
            case "go":
                return choose(
                    ["go nodes=1", "go nodes=40", "go movetime=0", "go movetime=-5", "go clock=10 inc=1", "go infinite"]
                )
            case "perft":
                return choose(["perft 0", "perft 1", "perft 2", "perft x"])
            case "solve":
                return choose(["solve nodes=100", "solve nodes=0"])
            case _:
                return verb

    def newgame(self) -> str:
        """A `newgame`, often with options, sometimes with ones that do not fit."""
        choose = self.random.choice
        words = ["newgame", f"rules={choose(PRESETS)}"]
        if self.random.random() < 0.5:
            words.append(f"dealer={choose(['engine', 'host'])}")
        if self.random.random() < 0.4:
            words.append(f"view={choose(['all', 'S', 'N', 'E'])}")
        if self.random.random() < 0.5:
            words.append(f"first={choose('SNEW')}")
        if self.random.random() < 0.5:
            words.append(f"seed={self.random.randrange(1000)}")
        if self.random.random() < 0.2:
            words.append(choose(["total.S=100", "total.NS=-20", "bags.S=3", "total.S=9999", "bags.N=10"]))
        for name in self.random.sample(list(OPTION_VALUES), choose([0, 0, 1, 2])):
            words.append(f"{name}={choose(OPTION_VALUES[name])}")
        return " ".join(words)

    def hosted_deal(self) -> str:
        """A `deal` of a host, for two players."""
        return f"deal first={self.random.choice('SN')} hand.S={self.cards(13)} hand.N={','.join(['??'] * 13)}"

    def cards(self, count: int) -> str:
        """A list of different cards."""
        return ",".join(self.random.sample(CARDS, count)) or "none"

    def spoil(self, line: str) -> str:
        """The line with something wrong with it, or at least unusual."""
        words = line.split(" ")
        place = self.random.randrange(len(words))
        match self.random.randrange(9):
            case 0:
                del words[place]
            case 1:
                words.insert(place, words[place])
            case 2:
                words[place] = self.random.choice(ODD_WORDS)
            case 3:
                words.insert(place, self.random.choice(ODD_WORDS))
            case 4:
                words[place] = words[place].swapcase()
            case 5:
                self.random.shuffle(words)
            case 6:
                words[place] = words[place][: self.random.randrange(len(words[place]) + 1)]
            case 7:
                return self.random.choice(["\t", "  ", " \t "]).join(words) + self.random.choice(["", " ", "\t", "\r"])
            case _:
                words[place] += self.random.choice(ODD_WORDS)
        return " ".join(words)

    def data(self) -> bytes:
        """Some bytes that end in LF: a line with bytes changed, added or taken away, or plain noise."""
        if self.random.random() < 0.1:
            noise = self.random.randbytes(self.random.randrange(60))
        elif self.random.random() < 0.02:
            noise = self.random.choice([b"a", b"play ", b"\xff"]) * self.random.choice([65_535, 65_536, 70_000])
        else:
            noise = self.line().encode()
            for _ in range(self.random.randrange(4)):
                place = self.random.randrange(len(noise) + 1)
                match self.random.randrange(3):
                    case 0:
                        noise = noise[:place] + self.random.randbytes(self.random.randrange(1, 4)) + noise[place:]
                    case 1:
                        noise = noise[:place] + noise[place + 1 :]
                    case _:
                        noise = noise[:place] + bytes([self.random.randrange(256)]) + noise[place + 1 :]
        return noise + b"\n"


def is_ours_to_send(line: bytes) -> bool:
    """Whether the bytes can be sent by a fuzzer: they end no process, think for no minute, write no file."""
    words = line.replace(b"\t", b" ").split()
    if words and words[0].startswith(b"#"):
        words = words[1:]
    verb = words[0] if words else b""
    if verb in (b"quit", b"bench", b"selftest"):
        return False
    if verb == b"perft":
        return len(words) < 2 or words[1].lstrip(b"+0") in (b"", b"1", b"2") or not words[1].lstrip(b"+").isdigit()
    if verb == b"log":
        return words[1:] in ([b"off"], [b'"/nonexistent/folder/file"'], [b'""'])
    return True


def is_answered(line: bytes, first: bool = False) -> bool:
    """Whether section 10 wants an answer to the line (without its LF): written from the text, apart from the engine."""
    if first and line.startswith(b"\xef\xbb\xbf"):
        line = line[3:]
    line = line.removesuffix(b"\r")
    if len(line) > 65_535 or any((byte < 32 and byte != 9) or byte == 127 for byte in line):
        return True
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        return True
    words = text.replace("\t", " ").split(" ")
    word = next((word for word in words if word), "")
    return bool(word) and not word.startswith(";")
