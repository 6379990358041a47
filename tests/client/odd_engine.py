"""An engine without rules whose process, or whose output as a whole, is odd. Modes, as arguments.

children        leaves a child behind that holds its output open; the `id` line names it
exit-after-usp  ends with code 5 once the handshake is done
stubborn        ignores the end of its input and the signal to terminate
deaf            reads nothing after the handshake
mute            closes its output after the handshake and lives on
stderr-flood    writes a megabyte to standard error before each answer
noise=<seed>    prints nonsense before, in and after every answer, and writes in pieces of any size
"""

import os
import signal
import sys
import time

modes = sys.argv[1:]
seed = next((mode[6:] for mode in modes if mode.startswith("noise=")), None)
if seed:
    import random  # here and below only where it is needed: this program starts many times over

    chance = random.Random(seed)  # without a seed nothing asks for it


def write(data: bytes) -> None:
    """Write to standard output, in pieces where noise is wanted."""
    while data:
        size = chance.randrange(1, len(data) + 1) if seed else len(data)
        data = data[os.write(1, data[:size]) :]


def noise(name: str, is_done: bool) -> bytes:
    """Return some lines that mean nothing to whoever waits for the answer to the command of this id."""
    lines = [
        b"", b"   ", b"\t", b"ok", b"best play AS", b"error", b"error internal", b"#", b"# ok", b"#99999 ok phase=over",
        b"#0 best play 2C", b"event play S AS", b"\xff\xfe\x00", b"\x00", b"DEBUG search started", b'ok "',
        b"info \xc3\x28", b"x" * 70_000, bytes(chance.randrange(11, 256) for _ in range(20)),
    ]  # fmt: skip
    lines += [f"#{name}{text}".encode() for text in ("", " thinking about it", "\x07", " help nobody", " perft x")]
    if is_done:
        late = ("ok", "best play 2C", "error internal", "ok phase=over", "state {")
        lines += [f"#{name} {text}".encode() for text in late]
    return b"".join(line.replace(b"\n", b"") + b"\n" for line in chance.sample(lines, chance.randrange(5)))


def answer(verb: str, words: list[str]) -> list[str]:
    """Return the lines that answer a command."""
    if verb == "usp":
        mark = ""
        if "children" in modes:
            import subprocess

            mark = f" child={subprocess.Popen(['sleep', '600']).pid}"
        return [
            f"id name=Odd version=1{mark}",
            "option name=movetime type=spin default=10 min=0 max=99",
            "ok usp=1 levels=core",
        ]
    if verb == "legal":
        return ["legal play AS", "legal play 2C", "ok count=2"]
    if verb == "state":
        return ['state {"turn":"S","filler":"' + "x" * 65_000 + '"}', "ok"]
    if verb == "record":
        return [*(f"record play S {number}" for number in range(3000)), "ok lines=3000"]
    if verb == "go":
        return ["info nodes=1", "info nodes=2", f"best play {words[0][6:] if words else 'AS'} nodes=2"]
    return ["ok phase=play turn=S"]


if "stubborn" in modes:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
for line in sys.stdin:
    name, verb, *words = line.split()
    if "stderr-flood" in modes:
        sys.stderr.write("an error, and another one\n" * 40_000)
        sys.stderr.flush()
    for reply in answer(verb, words):
        write((noise(name[1:], False) if seed else b"") + f"{name} {reply}\n".encode())
    if seed:
        write(noise(name[1:], True))
    if verb == "quit":
        break
    if "exit-after-usp" in modes:
        sys.exit(5)
    if "mute" in modes:
        os.close(1)
    while "deaf" in modes or "mute" in modes:
        time.sleep(600)
while "stubborn" in modes:
    time.sleep(600)
