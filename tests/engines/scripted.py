"""An engine without rules: it speaks USP's core correctly, says of everything else what it is told to, and misbehaves
on request. The conformance suite's own tests and the client's tests run against it.

    python scripted.py [--levels core,seat,…] [--script FILE] [--reply 'VERB=LINE|LINE'] [faults]

Without faults and with `--levels core` it passes the conformance suite. With more levels it knows no rules: every
command that moves the game is answered by `--moved`, `go` by `--action`, both after `--think` milliseconds where
`go` is meant. `--reply` replaces the lines that answer a command; `{id}` is not needed, every line gets the id.
`--script` replays a transcript (protocol/conformance/FORMAT.md) from the other side: when the line of its next `>`
comes in, the `<` lines below go out, `...` at their ends left out; any other line is answered by `error internal`.
`VERB` may be the name of a command, or a number: the so-manieth command.
"""

import argparse
import difflib
import os
import queue
import re
import signal
import sys
import threading
import time
from dataclasses import dataclass, field

MAX_LINE = 65535
CORE = ("usp", "help", "known", "set", "get", "ping", "log", "quit", "stop")
SEAT = (
    "newgame", "deal", "look", "draft", "swap", "bid", "play", "trick", "end", "score", "position", "undo", "state",
    "legal", "record", "go",
)  # fmt: skip
TOOLS = ("perft", "bench", "solve", "selftest")
WHILE_THINKING = ("help", "known", "ping", "quit", "stop", "get", "state", "legal", "score", "record")
WHILE_NEW = ("usp", "help", "known", "ping", "quit", "stop")
OPTIONS = {  # type, default, min, max
    "movetime": ("spin", "1000", 0, 3_600_000),
    "multipv": ("spin", "1", 1, 100),
    "chatter": ("check", "yes", 0, 0),
    "opponent": ("string", "", 0, 0),
}
ID = re.compile(r"#[A-Za-z0-9._-]{1,32}")


class Refusal(Exception):
    """A command is refused: the words of the error reply after `error`."""


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    """The behaviour that the command line asks for."""
    parser = argparse.ArgumentParser(prog="scripted.py", description=__doc__)
    behaviour = parser.add_argument_group("behaviour")
    behaviour.add_argument("--levels", default="core,seat,table,analysis,tools")
    behaviour.add_argument("--capabilities", default="scores")
    behaviour.add_argument("--name", default="Scripted")
    behaviour.add_argument("--script", metavar="FILE")
    behaviour.add_argument("--reply", metavar="VERB=LINE|LINE", action="append", default=[])
    behaviour.add_argument("--moved", metavar="LINE", default="ok phase=play turn=S")
    behaviour.add_argument("--action", metavar="TEXT", default="play AS equity=0.500 points=+1.0")
    behaviour.add_argument("--info", metavar="LINE", default="info nodes=1 worlds=1")
    behaviour.add_argument("--think", metavar="MS", type=int, default=0)
    faults = parser.add_argument_group("faults")
    for name in ("crash-on", "stall-on", "mute-on", "partial-line-on"):
        faults.add_argument(f"--{name}", metavar="VERB")
    faults.add_argument("--late", metavar="VERB:MS", help="answer this command so much later")
    faults.add_argument("--slow-start", metavar="MS", type=int, default=0)
    faults.add_argument("--exit-code", metavar="N", type=int, default=0)
    for name, what in (
        ("garbage", "a line of nonsense before each reply"),
        ("binary", "a line that is not UTF-8 before each reply"),
        ("blank-lines", "an empty line before each reply"),
        ("overlong", "a line of 70,000 bytes before each reply"),
        ("early-output", "a banner before the first command"),
        ("trailing-blank", "a blank at the end of each line"),
        ("crlf", "CR LF at the end of each line"),
        ("double-reply", "every final reply twice"),
        ("wrong-id", "ids that nobody sent"),
        ("no-id", "no ids at all"),
        ("silent", "nothing is ever printed"),
        ("no-flush", "nothing is printed before the end"),
        ("partial-line", "no LF after the last reply"),
        ("stderr-noise", "a remark on standard error for every command"),
        ("illegal", "`go` answers an action that nobody may do"),
        ("ignore-eof", "go on living after the end of input"),
        ("ignore-quit", "answer `quit` and go on living"),
        ("ignore-stop", "`stop` is answered, the search goes on"),
        ("early-best", "`go infinite` does not wait for `stop`"),
        ("best-twice", "two best lines for one go"),
        ("info-after-best", "info lines after the best line"),
        ("flood", "info lines without end while thinking"),
        ("die-on-interrupt", "SIGINT ends the process"),
        ("spin", "idle costs a whole CPU"),
        ("forgetful", "`set` is accepted and nothing is set"),
        ("die-on-nonsense", "an unknown command ends the process"),
    ):
        faults.add_argument(f"--{name}", action="store_true", help=what)
    return parser.parse_args(arguments)


def split_words(text: str) -> list[str]:
    """The words of a line, quotes kept off; Refusal if a quote stays open."""
    if re.search(r'(?:^|[ \t=])"(?:[^"\\]|\\.)*$', text) or text.count('"') % 2:
        raise Refusal('bad-syntax "a quote is left open"')
    return [word.replace('"', "") for word in re.findall(r'(?:[^ \t"]|"(?:[^"\\]|\\.)*")+', text)]


def suggestion(word: str, known: list[str]) -> str:
    """` suggest=…` where a known word is close, else nothing."""
    close = difflib.get_close_matches(word.lower(), known, 1)
    return f" suggest={close[0]}" if close else ""


@dataclass
class Script:
    """A transcript seen from the engine: for each `>` line the lines that answer it."""

    turns: list[tuple[str, list[str]]] = field(default_factory=list)
    place: int = 0

    @classmethod
    def read(cls, path: str) -> "Script":
        """Read a transcript file; comments, directives and `< ...` are left out."""
        script = cls()
        with open(path, encoding="utf-8") as file:
            for line in file.read().splitlines():
                if line.startswith("> "):
                    script.turns.append((line[2:], []))
                elif line.startswith("< ") and line != "< ..." and script.turns:
                    script.turns[-1][1].append(line[2:].removesuffix(" ...").replace("...", "text"))
        return script

    def answer(self, text: str) -> list[str]:
        """The lines for this command, or an error if another one is due. Ids are compared by the caller's rules."""
        if self.place < len(self.turns):
            wanted, lines = self.turns[self.place]
            if ID.sub("", wanted, count=1).strip() == text:
                self.place += 1
                return [re.sub(r"^#\S+ ", "", line) for line in lines]
            return [f'error internal "the script expects: {wanted}"']
        return ['error internal "the script has come to its end"']


class ScriptedEngine:
    """One conversation on standard input and output."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.levels = options.levels.split(",")
        self.values = {name: spec[1] for name, spec in OPTIONS.items()}
        self.replies = dict(part.split("=", 1) for part in options.reply)
        self.script = Script.read(options.script) if options.script else None
        self.input: queue.Queue[bytes | None] = queue.Queue()
        self.held = b""
        self.count = 0
        self.is_new = True
        self.thinking: str | None = None  # the id of the search, "" for none given
        self.deadline = 0.0
        self.is_infinite = False

    # Bytes.

    def read_input(self) -> None:
        """Read standard input to its end, line by line, in a thread of its own."""
        rest = b""
        is_first = True
        while chunk := os.read(0, 65536):
            rest += chunk
            if is_first and rest.startswith(b"\xef\xbb\xbf"):
                rest = rest[3:]
            is_first = False
            *lines, rest = rest.split(b"\n")
            for line in lines:
                self.input.put(line)
        if rest:
            self.input.put(rest)
        self.input.put(None)

    def write(self, data: bytes) -> None:
        """Write to standard output; a closed one ends the process silently."""
        if self.options.silent:
            return
        if self.options.no_flush:
            self.held += data
            return
        try:
            while data:
                data = data[os.write(1, data) :]
        except OSError:
            os._exit(0)

    def print_line(self, name: str, text: str) -> None:
        """Print one line that a command with this id caused, faults included."""
        options = self.options
        if options.wrong_id and name:
            name = "#nobody"
        if options.no_id:
            name = ""
        line = f"{name} {text}" if name else text
        if options.trailing_blank:
            line += " "
        end = b"\r\n" if options.crlf else b"\n"
        if text.split(" ", 1)[0] in ("ok", "error", "best"):
            for is_wanted, extra in (
                (options.garbage, b"DEBUG value=3"),
                (options.binary, b"\xff\xfe\x80"),
                (options.blank_lines, b""),
                (options.overlong, b"info text=" + b"x" * 70_000),
            ):
                if is_wanted:
                    self.write(extra + b"\n")
            if options.double_reply:
                self.write(line.encode() + end)
        if options.partial_line or self.is_meant(options.partial_line_on, self.verb):
            end = b""
        self.write(line.encode() + end)

    # The loop.

    verb = ""

    def is_meant(self, what: str | None, verb: str) -> bool:
        """Whether a fault's VERB means the present command."""
        return what is not None and what in (verb, str(self.count))

    def run(self) -> int:
        """Answer until `quit` or the end of input; returns the exit code."""
        options = self.options
        time.sleep(options.slow_start / 1000)
        if options.early_output:
            self.write(b"Scripted engine, ready to play\n")
        threading.Thread(target=self.read_input, daemon=True).start()
        while True:
            try:
                line = self.input.get(timeout=self.wait())
            except queue.Empty:
                self.think_on()
                continue
            if line is None:
                while options.ignore_eof:
                    time.sleep(60)
                break
            if not self.receive(line):
                while options.ignore_quit:
                    time.sleep(60)
                break
        if self.held:
            os.write(1, self.held)
        return int(options.exit_code)

    def wait(self) -> float | None:
        """How long to wait for input."""
        if self.options.spin:
            return 0.0
        if self.thinking is None:
            return None
        if self.options.flood:
            return 0.0
        if self.is_infinite and not self.options.early_best:
            return 0.05
        return max(0.0, self.deadline - time.monotonic())

    def think_on(self) -> None:
        """Something to do while no input is there."""
        if self.thinking is None:
            return
        if self.options.flood:
            self.print_line(self.thinking, self.options.info)
        is_due = time.monotonic() >= self.deadline
        if is_due and (not self.is_infinite or self.options.early_best):
            self.answer_go()

    def answer_go(self) -> None:
        """The end of a search."""
        name, self.thinking = self.thinking or "", None
        options = self.options
        if self.values["chatter"] == "yes":
            self.print_line(name, options.info)
        action = "play 1Z" if options.illegal else options.action
        for _time in range(2 if options.best_twice else 1):
            self.print_line(name, f"best {action}")
        if options.info_after_best:
            self.print_line(name, options.info)

    def receive(self, line: bytes) -> bool:
        """One line of input; False if it ends the conversation."""
        line = line.removesuffix(b"\r")
        head = line[:40].decode("latin-1").strip(" \t")
        match = re.match(r"(#[A-Za-z0-9._-]{1,32})(?:[ \t]|$)", head)
        name = match.group(1) if match else ""
        try:
            text = self.readable(line)
            text = text.strip(" \t")[len(name) :].strip(" \t")
            if (not text and not name) or text.startswith(";"):
                return True
            self.count += 1
            self.verb = re.split(r"[ \t]", text)[0]
            self.misbehave()
            if self.is_meant(self.options.mute_on, self.verb):
                return True
            lines = self.answer(name, text)
        except Refusal as refusal:
            lines = [f"error {refusal}"]
        for reply in lines:
            self.print_line(name, reply)
        return not (self.verb == "quit" and lines == ["ok"])

    def readable(self, line: bytes) -> str:
        """The text of a line; Refusal if it is none."""
        if len(line) > MAX_LINE:
            raise Refusal(f'too-long "a line has at most {MAX_LINE} bytes" max={MAX_LINE}')
        try:
            text = line.decode()
        except UnicodeDecodeError:
            raise Refusal('bad-encoding "not UTF-8"') from None
        if any((byte < 32 and byte != 9) or byte == 127 for byte in line):
            raise Refusal('bad-encoding "a control character"')
        return text

    def misbehave(self) -> None:
        """The faults that come before an answer."""
        options, verb = self.options, self.verb
        if options.stderr_noise:
            sys.stderr.write(f"scripted: {verb}\n")
            sys.stderr.flush()
        if self.is_meant(options.crash_on, verb):
            os._exit(3)
        if self.is_meant(options.stall_on, verb):
            while True:
                time.sleep(60)
        if options.late and self.is_meant(options.late.split(":")[0], verb):
            time.sleep(int(options.late.split(":")[1]) / 1000)

    def answer(self, name: str, text: str) -> list[str]:
        """The lines that answer a command now; a search answers later."""
        if not text:
            raise Refusal('bad-syntax "an id and no command"')
        words = split_words(text)
        verb = words[0]
        if self.script:
            return self.script.answer(text)
        self.expect_known(verb)
        if verb in self.replies:
            return [line for line in self.replies[verb].split("|") if line]
        if verb.startswith("x-"):
            return [f"ok ignored={verb}"]
        if verb in CORE:
            return self.answer_core(verb, words[1:])
        if verb == "go":
            self.thinking = name
            self.is_infinite = "infinite" in words
            self.deadline = time.monotonic() + self.options.think / 1000
            return []
        return self.answer_game(verb, words[1:])

    def expect_known(self, verb: str) -> None:
        """Refusal unless the command is known, of a level we claim, and right for the state."""
        verbs = [*CORE, *SEAT, *TOOLS]
        if verb not in verbs and not verb.startswith("x-"):
            if self.options.die_on_nonsense:
                os._exit(1)
            raise Refusal(f'unknown-command "there is no such command"{suggestion(verb, verbs)}')
        if (verb in SEAT and "seat" not in self.levels) or (verb in TOOLS and "tools" not in self.levels):
            raise Refusal('unsupported "this program does not have the level of this command"')
        if self.is_new and verb not in WHILE_NEW and not verb.startswith("x-"):
            raise Refusal('wrong-phase "the handshake comes first: usp 1" phase=new')
        if self.thinking is not None and verb not in WHILE_THINKING:
            raise Refusal('busy "thinking"')

    # Commands.

    def answer_core(self, verb: str, words: list[str]) -> list[str]:
        """The commands that every program has."""
        if verb == "usp":
            return self.shake_hands(words)
        if verb == "help":
            return [f'help "{name}"' for name in CORE] + ["ok"]
        if verb == "known":
            return [f"ok known={'yes' if words[:1] and words[0] in (*CORE, *SEAT, *TOOLS) else 'no'}"]
        if verb == "set":
            return self.set_options(words)
        if verb == "get":
            return self.get_options(words)
        if verb == "log":
            if len(words) != 1:
                raise Refusal('bad-syntax "log takes a path or off"')
            return ["ok"] if words[0] == "off" else ['error bad-argument "no log is written here"']
        if words:
            raise Refusal(f'bad-syntax "{verb} takes no words"')
        if verb in ("stop", "quit") and self.thinking is not None and not self.options.ignore_stop:
            self.answer_go()
        return ["ok"]

    def shake_hands(self, words: list[str]) -> list[str]:
        """The handshake."""
        if not words:
            raise Refusal('bad-syntax "a version is missing"')
        if not all(word.isdigit() or word.startswith("x-") for word in words):
            raise Refusal('bad-argument "a version is a number"')
        if "1" not in words:
            raise Refusal('unsupported "this program speaks version 1" versions=1')
        self.is_new = False
        lines = [f'id name="{self.options.name}" version=1.0 author="nobody" kernel=none', "rules draft duel"]
        for name, (kind, default, low, high) in OPTIONS.items():
            line = f"option name={name} type={kind} default={default or chr(34) * 2}"
            lines.append(line + (f" min={low} max={high}" if kind == "spin" else ""))
        return [*lines, f"ok usp=1 levels={self.options.levels} capabilities={self.options.capabilities}"]

    def set_options(self, words: list[str]) -> list[str]:
        """Set all of the options named, or none."""
        if not words:
            raise Refusal('bad-syntax "an option is missing"')
        pairs = [word.partition("=") for word in words]
        names = [pair[0] for pair in pairs]
        if len(set(names)) < len(names):
            raise Refusal('bad-syntax "an option is named twice"')
        for name, equals, value in pairs:
            if name.startswith("x-"):
                continue
            if name not in OPTIONS or not equals:
                raise Refusal(f'bad-argument "there is no such option"{suggestion(name, list(OPTIONS))}')
            kind, _default, low, high = OPTIONS[name]
            if kind == "check" and value not in ("yes", "no"):
                raise Refusal(f'bad-argument "{name} is yes or no"')
            if kind == "spin" and not re.fullmatch(r"[+-]?[0-9]{1,18}", value):
                raise Refusal(f'bad-argument "{name} takes a whole number"')
            if kind == "spin" and not low <= int(value) <= high:
                raise Refusal(f'out-of-range "{name} is from {low} to {high}" min={low} max={high}')
        if not self.options.forgetful:
            for name, _equals, value in pairs:
                if name in OPTIONS:
                    self.values[name] = str(int(value)) if OPTIONS[name][0] == "spin" else value
        return ["ok"]

    def get_options(self, words: list[str]) -> list[str]:
        """Read one option, or all."""
        if len(words) > 1:
            raise Refusal('bad-syntax "one option at a time"')
        shown = {name: f'"{value}"' if " " in value or not value else value for name, value in self.values.items()}
        if not words:
            return [f"value {name}={value}" for name, value in shown.items()] + ["ok"]
        if words[0].startswith("x-"):
            return ["ok"]
        if words[0] not in shown:
            raise Refusal(f'bad-argument "there is no such option"{suggestion(words[0], list(OPTIONS))}')
        return [f"ok {words[0]}={shown[words[0]]}"]

    def answer_game(self, verb: str, words: list[str]) -> list[str]:
        """What a program without rules says about a game."""
        if verb == "newgame":
            rules = next((word[6:] for word in words if word.startswith("rules=")), "draft")
            return [f"ok rules={rules} seats={'N,E,S,W' if rules == 'partners' else 'S,N'} phase=deal"]
        if verb == "state":
            return ['state {"rules":"draft","phase":"play","turn":"S"}', "ok"]
        if verb == "legal":
            return ["legal play AS", "ok count=1"]
        if verb == "record":
            return ["record newgame rules=draft dealer=host", "ok lines=1"]
        if verb == "score":
            return ["ok total.S=0 total.N=0 bags.S=0 bags.N=0 hands=0"]
        return ["ok"] if verb in TOOLS or verb in ("trick", "end") else [self.options.moved]


def main() -> int:
    """Run on standard input and output."""
    options = parse_arguments(sys.argv[1:])
    signal.signal(signal.SIGINT, signal.SIG_DFL if options.die_on_interrupt else signal.SIG_IGN)
    return ScriptedEngine(options).run()


if __name__ == "__main__":
    code = main()
    os._exit(code)  # the reading thread may still sit in its read
