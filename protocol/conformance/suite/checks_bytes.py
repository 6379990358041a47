"""Checks on bytes: what no transcript can say about lines, ids and replies."""

from __future__ import annotations

import random

from suite.checks import Bench, check
from suite.process import Fault, is_final, split_id

FUZZ_LINES = 300
VERBS = [
    "usp", "help", "known", "ping", "get", "set", "stop", "newgame", "deal", "look", "draft", "swap", "bid", "play",
    "trick", "end", "undo", "position", "state", "legal", "score", "record", "xyzzy", "x-private", "PLAY", "best", "ok",
]  # fmt: skip
PIECES = [
    "", "S", "N", "E", "keep", "pass", "draw", "none", "nil", "blindnil", "0", "3", "-1", "99", "1e3", "0x10", "٣",
    "AS", "as", "1S", "??", "AS,AS", "AS,KD", "AS,", ",", ";", "=", "==", "a=", "=a", '"', '""', '"a', "\\",
    '"\\"', "é", "🂡", "rules=draft", "rules=", "rules=duel rules=duel", "target=500", "target=0", "seed=1",
    "target=999999999999999999999", "dealer=host", "dealer=engine", "view=S", "view=Q", "first=N", "movetime=5",
    "multipv=-1", "x-secret=1", "all", "bid=3", "tricks=13", "tricks=1,2", "hand.S=AS", "total.S=10", "1", "7", "%n%s",
    "../..", "\t", "#b", "#b ping",
]  # fmt: skip


@check("silent-start", "core", "line.5 life.1")
def silent_start(bench: Bench) -> None:
    """Nothing is printed before the first command, and the end of input then ends the process."""
    engine = bench.start()
    engine.expect_quiet(0.4, "line.5", "a line before the first command")
    engine.close_input()
    engine.expect_end()
    engine.expect_exit(1.0, "life.1")


@check("byte-by-byte", "core", "line.1 line.4 reply.2")
def byte_by_byte(bench: Bench) -> None:
    """Input that arrives one byte at a time is read as if it had come in one piece."""
    text = b'usp 1\n#a ping\r\n  known\t bid \n\n; nothing\n#b known "b\xc3\xa9"\n#c ping\x01\n#d ping\n'
    whole = bench.start()
    whole.send_bytes(text)
    pieces = bench.start()
    for place in range(len(text)):
        pieces.send_bytes(text[place : place + 1])
    answers = [[reply for _ in range(6) for reply in engine.replies()] for engine in (whole, pieces)]
    if answers[0] != answers[1]:
        raise Fault("line.4", "the replies differ from those to the same bytes in one piece")
    whole.quit()
    pieces.quit()


@check("every-reply-at-once", "core", "line.4")
def every_reply_at_once(bench: Bench) -> None:
    """A reply comes without waiting for more input, for the end of input or for more output."""
    engine = bench.start_ready()
    for number in range(5):
        engine.send(f"#{number} ping")
        line = engine.poll(2.0)
        if line is None:
            raise Fault("line.4", "no reply came within 2 s; is the output flushed line by line?")
    engine.quit()


@check("many-commands-at-once", "core", "reply.1 reply.2")
def many_commands_at_once(bench: Bench) -> None:
    """A thousand commands sent in one go are answered one by one, in order, each with its id."""
    engine = bench.start_ready()
    ids = [f"#{number}" for number in range(1000)]
    engine.send_bytes("".join(f"{name} ping\n" for name in ids).encode(), "#0 ping … #999 ping")
    for name in ids:
        line = engine.read()
        if line != f"{name} ok":
            raise Fault("reply.1" if line and is_final(line) else "reply.2", f"expected `{name} ok`, got `{line}`")
    engine.quit()


@check("ids-on-every-line", "core", "reply.1")
def ids_on_every_line(bench: Bench) -> None:
    """Every line of a reply of many lines begins with the id, and with none if there was none."""
    engine = bench.start()
    for command in ("usp 1", "help", "help ping", "get", "known usp", "nonsense", "get nothing"):
        plain = engine.ask(command)
        marked = engine.ask(f"#Id.7_x- {command}")
        if [f"#Id.7_x- {line}" for line in plain] != marked:
            raise Fault("reply.1", f"`{command}`: the lines with an id differ from those without")
    engine.quit()


def fuzz_line(rng: random.Random) -> bytes:
    """One line of nonsense: bytes, or a verb with words that may or may not fit, or several verbs."""
    kind = rng.randrange(10)
    if kind == 0:
        return bytes(rng.choice([9, 32, 34, 61, 92, 200, 255, *range(33, 127)]) for _ in range(rng.randrange(1, 60)))
    words = [rng.choice(VERBS)] + [rng.choice(PIECES) for _ in range(rng.randrange(5))]
    if kind == 1:
        rng.shuffle(words)
    text = rng.choice([" ", " ", "  ", "\t", " ; "]).join(words).encode()
    if kind == 2:
        place = rng.randrange(len(text) + 1)
        text = text[:place] + bytes([rng.choice([0, 1, 27, 127, 128, 192, 255])]) + text[place:]
    return text


def is_harmless(line: bytes) -> bool:
    """Whether a line cannot end the process, write a file or think; and whether it must be answered."""
    words = line.replace(b"\t", b" ").split(b" ")
    first = [word for word in words if word][:1]
    if not first or first[0].startswith((b";", b"#")):
        return False
    return not any(verb in line.lower() for verb in (b"quit", b"log", b"go", b"perft", b"bench", b"solve", b"selftest"))


@check("nonsense", "core", "line.2 reply.1 reply.2")
def nonsense(bench: Bench) -> None:
    """Three hundred lines of nonsense get one final reply each, with their ids, and the process lives on."""
    rng = random.Random(20)
    engine = bench.start()
    for number in range(FUZZ_LINES):
        if number == FUZZ_LINES // 4:
            engine.expect_ok("usp 1")
        line = fuzz_line(rng)
        while not is_harmless(line):
            line = fuzz_line(rng)
        engine.send_bytes(f"#f{number} ".encode() + line + b"\n")
        reply = engine.replies()[-1]
        if split_id(reply)[0] != f"#f{number}":
            raise Fault("reply.1", f"the final reply is `{reply}`")
    engine.expect_ok("usp 1")
    engine.expect_ok("ping")
    engine.quit()


@check("long-lines", "core", "line.1 line.2")
def long_lines(bench: Bench) -> None:
    """Lines of every length around the limit and far above it: up to the limit they are read, above it refused."""
    engine = bench.start_ready()
    for length in (65533, 65534, 65535):
        reply = _ping_padded(engine_length=length)
        engine.send_bytes(reply + b"\n", f"ping and blanks, {length} bytes")
        if (line := engine.replies()[-1]) != "ok":
            raise Fault("line.1", f"a line of {length} bytes is within the limit; it got `{line}`")
    for length in (65536, 65537, 131072, 1_000_000):
        engine.send_bytes(_ping_padded(length) + b"\n", f"ping and blanks, {length} bytes")
        if not (line := engine.replies()[-1]).startswith("error too-long "):
            raise Fault("line.1", f"a line of {length} bytes is too long; it got `{line}`")
        engine.expect_ok("ping")
    engine.quit()


def _ping_padded(engine_length: int) -> bytes:
    return b"ping" + b" " * (engine_length - 4)
