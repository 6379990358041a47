"""Faults once found in the process, each kept out by a test named after it."""

from __future__ import annotations

import os
import subprocess
import time

import pytest

from tests.engine.driving import ENGINE, PATIENCE, Driver, action_of

LONG = "q" * 65_480
POSITION = "position newgame rules=duel seed=1 first=S ; deal ; bid 3 ; bid 4"
HOSTED = "newgame rules=duel dealer=host view=S first=S"


@pytest.mark.parametrize("extra", range(2, 40, 3))
def test_an_error_text_that_quoted_a_line_of_full_length_killed_the_process(extra: int) -> None:
    """Every command with a word of the greatest length gets an error reply that fits a line, and the process lives."""
    word = "q" * (65_520 - extra)
    with Driver() as driver:
        for setup, lines in {
            POSITION: ["play", "bid", "swap", "newgame rules=", "newgame target=9", "newgame removed=", "deal deck="],
            HOSTED: ["deal", "deal 1 first=S hand.S=", "look", "score S=", "end winner=", "trick"],
        }.items():
            driver.ask(setup)
            for line in [*lines, "position newgame rules=", "set", "get", "go", 'log "', "known", "perft"]:
                text = line + ("" if line.endswith(("=", '"', "9")) else " ")
                tail = '"' if line.endswith('"') else ""
                reply = driver.final(text + word[: 65_530 - len(text) - len(tail)] + tail)
                assert reply.startswith(("error ", "ok known")), reply[:80]
                assert len(reply) < 1000
        assert driver.final("ping") == "ok"


def test_a_time_limit_of_eighteen_digits_killed_the_process() -> None:
    """The longest integers are limits like any other: the search goes on until it is stopped."""
    with Driver() as driver:
        driver.ask(POSITION)
        for limit in ("movetime=999999999999999999", "clock=999999999999999999", "movetime=9300000000000"):
            driver.send(f"#g go {limit}")
            assert driver.final("ping") == "ok"
            driver.send("stop")
            assert driver.reply()[-1].startswith("#g best ")
            assert driver.reply() == ["ok"]


@pytest.mark.parametrize("last", ["", "quit\n"])
def test_a_client_that_never_reads_kept_the_process_for_ever(last: str) -> None:
    """With the output full and nobody reading, the end of the input, or a quit, still ends the process with code 0."""
    with subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(("usp 1\n" + "help\n" * 300 + last).encode())
        process.stdin.flush()
        if not last:
            process.stdin.close()
        assert process.wait(PATIENCE) == 0
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_undo_at_a_table_with_a_view_told_hidden_cards() -> None:
    """Where the process deals and plays the other seats, nothing is taken back: that would undo what has been seen."""
    with Driver() as driver:
        driver.ask("newgame rules=duel first=S view=S seed=w0")
        driver.ask("deal")
        driver.ask("bid 3")
        before = driver.state()
        assert driver.final("undo").startswith("error hidden")
        assert driver.final("undo 9").startswith("error hidden")
        assert driver.state() == before


def test_the_time_of_an_answer_told_whether_a_hidden_seat_was_forced() -> None:
    """With a time limit a hidden seat takes as long for a forced card as for any other."""
    with Driver() as driver:
        driver.ask("newgame rules=duel first=S view=S seed=t hand_cap=1")
        driver.ask("deal")
        seen = 0
        while seen < 16:
            state = driver.state()
            if state["phase"] == "over":
                break
            if state["turn"] == "S":
                driver.ask(state["legal"][0])
                continue
            started = time.monotonic()
            best = driver.final("go movetime=60")
            assert time.monotonic() - started >= 0.049
            driver.ask(action_of(best))
            seen += 1
        assert seen > 10


def test_a_score_line_as_a_check_counted_as_a_move() -> None:
    """A score line that agrees changes nothing: undo goes back to where it would have gone without it."""
    with Driver() as driver:
        driver.ask("newgame rules=duel first=S seed=c hand_cap=3")
        driver.ask("deal")
        shown: list[str] = []
        while driver.state()["phase"] != "deal":
            shown = driver.ask(driver.state()["legal"][0])
        line = next(line for line in shown if line.startswith("event score")).removeprefix("event ")
        for _ in range(2):
            assert driver.final(line) == "ok"
        assert "why=wrong-result" in driver.final(line.replace("bags.S=", "bags.S=1"))
        assert driver.final("undo").startswith("ok phase=play")


def test_the_wrong_seat_was_accepted_at_a_table_with_a_view() -> None:
    """Also where the program plays the seat to act, another seat is wrong-seat and another phase wrong-phase."""
    with Driver() as driver:
        driver.ask("newgame rules=duel seed=1 first=N view=S")
        driver.ask("deal")
        assert driver.final("bid S 3").startswith("error wrong-seat")
        bid = action_of(driver.final("go nodes=50"))
        assert driver.final(bid.replace("bid", "bid S")).startswith("error wrong-seat")
        assert driver.final(bid).startswith("ok")
        driver.ask("newgame rules=draft seed=1 first=N view=S")
        driver.ask("deal")
        assert driver.final("bid 3").startswith("error wrong-phase")
        assert driver.final("look S").startswith("error wrong-seat")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_standard_streams_crashed_the_start(closed: str) -> None:
    """Started with a closed stream the process ends quietly with code 0, or works where only stderr is missing."""
    command = " ".join(f"'{word}'" for word in ENGINE)
    done = subprocess.run(
        ["sh", "-c", f"printf 'usp 1\\nquit\\n' | {command} {closed}"], capture_output=True, timeout=60
    )
    assert done.returncode == 0
    assert done.stderr == b""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are POSIX")
def test_a_log_to_a_pipe_without_a_reader_hung(tmp_path: object) -> None:
    """A transcript goes to a plain file; anything else is refused at once."""
    path = f"{tmp_path}/pipe"
    os.mkfifo(path)
    with Driver() as driver:
        assert driver.final(f'log "{path}"').startswith("error bad-argument")
        assert driver.final(f'log "{tmp_path}"').startswith("error bad-argument")
        assert driver.final("ping") == "ok"


def test_a_closed_output_was_not_noticed_while_thinking_silently() -> None:
    """A search that prints nothing ends all the same when the reader has gone, though the input stays open."""
    # No reading thread here: one that sits in a read would keep the pipe open.
    with subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"usp 1\n{POSITION}\nset chatter=no\ngo infinite\n#p ping\n".encode())
        seen = b""
        while b"#p ok\n" not in seen:
            seen += process.stdout.read(4096)
        process.stdout.close()
        assert process.wait(PATIENCE) == 0


def test_the_calculator_took_bids_that_do_not_exist() -> None:
    """The calculator scores only bids that could be made with the options it is given."""
    with Driver() as driver:
        for text, code in {
            "rules=draft bid=14 tricks=1": "out-of-range",
            "rules=draft bid=-1 tricks=1": "out-of-range",
            "rules=draft bid=2 tricks=3 min_bid=4": "bad-argument",
            "rules=draft bid=0 tricks=3 nil=off": "bad-argument",
            "rules=draft300 bid=blindnil tricks=3": "bad-argument",
            "rules=draft bid=² tricks=1": "bad-argument",
            "rules=partners bid=3 tricks=1": "bad-argument",
            "rules=draft bid=3": "bad-syntax",
        }.items():
            assert driver.final("score " + text).startswith(f"error {code} "), text
        assert driver.final("score rules=draft bid=blindnil tricks=0").startswith("ok points=+200")


def test_rule_options_took_other_integers_than_the_rest() -> None:
    """An optional sign and leading zeros are integers everywhere."""
    with Driver() as driver:
        for text in ("target=+300", "target=0300", "total.S=+30 total.N=007", "floor=-0100"):
            assert driver.final("newgame " + text).startswith("ok"), text


def test_unicode_blanks_split_words() -> None:
    """Only space and TAB separate words, and what an error quotes back is plain ASCII."""
    with Driver() as driver:
        driver.ask("position newgame rules=duel seed=1 first=S ; deal")
        for blank in ("\u00a0", "\u2003", "\u0085", "\u2028"):
            reply = driver.final(f"bid S{blank}3")
            assert reply.startswith("error "), reply
            assert reply.isascii()


def test_private_names_were_not_ignored_everywhere() -> None:
    """Names that start with x- are passed over in get, in usp and inside position too."""
    with Driver() as driver:
        for command, reply in {
            "get x-foo": "ok ignored=x-foo",
            "usp 1 x-foo": "ok usp=1",
            "position newgame x-a=2 first=S ; x-foo 3 ; deal": "ok phase=",
        }.items():
            driver.send(command)
            assert driver.reply()[-1].startswith(reply)


def test_words_of_result_lines_were_not_checked_where_the_process_deals() -> None:
    """What does not fit a trick or an end line is told as that, before the phase is looked at."""
    with Driver() as driver:
        driver.ask(POSITION)
        assert driver.final("trick").startswith("error bad-syntax")
        assert driver.final("trick Q Q Q").startswith("error bad-syntax")
        assert driver.final("end foo").startswith("error bad-syntax")
        assert driver.final("trick S").startswith("error wrong-phase")
