"""Transcripts: reading them, matching a printed line with an expected one, and playing one against an engine.

The format is described in FORMAT.md.
"""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass, field
from typing import Any

from suite.process import Engine, Fault, split_id

NAME = r"[a-z][a-z0-9_]*"
_VARIABLE = re.compile(r"\{(" + NAME + r")([+*]?)\}")
_CAPTURES = {"": '[^ "=]+', "+": "[^ =]+(?: [^ =]+(?= |$))*", "*": ".*"}  # one word, words that are no pairs, any text
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|\((.*?)\*([0-9]+)\)|(.))", re.DOTALL)
_SIMPLE_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\"}
_HEADERS = ("level", "covers", "requires", "timeout", "strict")
_DIRECTIVES = {"eof": 0, "exit": 1, "wait": 1, "quiet": 1, "within": 1, "after": 1, "differ": 2, "same": 2}


class TranscriptError(Exception):
    """A transcript that cannot be read; the text names the line."""


@dataclass
class Step:
    """One line of a transcript. `kind` is send, raw, expect, any-order, skip or the name of a directive."""

    kind: str
    text: str
    line: int
    label: str
    arguments: list[str] = field(default_factory=list)


@dataclass
class Transcript:
    """A conversation: `name` as the report shows it, what it needs, what it covers, its steps."""

    name: str
    title: str
    levels: list[str]
    covers: list[str]
    requires: list[str]
    timeout: float | None
    is_strict: bool
    steps: list[Step]


# Reading.


def parse_transcript(name: str, text: str, first_line: int = 1, label: str = "") -> Transcript:
    """Read a transcript; TranscriptError if it does not keep to FORMAT.md.

    `label` is what its expectations count as where the text itself names none, as in the examples of SPEC.md.
    """
    headers: dict[str, list[str]] = {}
    title = ""
    steps: list[Step] = []
    for number, line in enumerate(text.split("\n"), first_line):
        where = f"{name}:{number}"
        if line != line.rstrip():
            raise TranscriptError(f"{where}: trailing blanks")
        if not line:
            continue
        mark, rest = line[0], line[2:]
        if mark == ";":
            section = re.match(r"\[([a-z]+\.[0-9]+)\]", rest)
            header = re.match(r"([a-z-]+):(.*)", rest)
            if section:
                label = section.group(1)
            elif header and header.group(1) in _HEADERS and not steps:
                headers[header.group(1)] = header.group(2).split()
                label = (headers.get("covers") or [label])[0]
            elif not title and not steps:
                title = rest
            continue
        if len(line) > 1 and line[1] not in " \\*":
            raise TranscriptError(f"{where}: a blank is missing after `{mark}`")
        steps.append(_parse_step(where, number, label, line[:2], rest))
    for step, following in zip(steps, [*steps[1:], None]):  # noqa: B905 - `strict` is not in Python 3.9
        if step.kind == "skip" and (following is None or following.kind not in ("expect", "any-order")):
            raise TranscriptError(f"{name}:{step.line}: `< ...` needs an expected line after it")
    return Transcript(
        name=name,
        title=title,
        levels=headers.get("level", []),
        covers=headers.get("covers", []),
        requires=headers.get("requires", []),
        timeout=float(headers["timeout"][0]) if headers.get("timeout") else None,
        is_strict="strict" in headers,
        steps=steps,
    )


def _parse_step(where: str, number: int, label: str, mark: str, rest: str) -> Step:
    if mark in ("> ", ">"):
        return Step("send", rest, number, label)
    if mark == ">\\":
        unescape(rest.strip())
        return Step("raw", rest.strip(), number, label)
    if mark == "< " and rest == "...":
        return Step("skip", rest, number, label)
    if mark == "< ":
        return Step("expect", rest, number, label)
    if mark == "<*":
        return Step("any-order", rest.strip(), number, label)
    if mark == "! ":
        name, *arguments = rest.split()
        if name not in _DIRECTIVES or len(arguments) != _DIRECTIVES[name]:
            raise TranscriptError(f"{where}: unknown directive `{rest}`")
        if name not in ("differ", "same") and not all(argument.isdigit() for argument in arguments):
            raise TranscriptError(f"{where}: `{name}` takes a number")
        return Step(name, rest, number, label, arguments)
    raise TranscriptError(f"{where}: a line starts with `>`, `<`, `!` or `;`")


def parse_examples(spec: str) -> list[Transcript]:
    """The fenced `usp` examples of SPEC.md, each a transcript of its own."""
    examples = []
    lines = spec.split("\n")
    start = None
    for number, line in enumerate(lines):
        if line.strip() == "```usp":
            start = number + 1
        elif line.strip() == "```" and start is not None:
            text = "\n".join(lines[start:number])
            example = parse_transcript(f"SPEC.md:{start + 1}", text, start + 1, "example")
            example.title = "example of the specification"
            examples.append(example)
            start = None
    return examples


def unescape(text: str) -> bytes:
    r"""The bytes of a raw line: `\n`, `\r`, `\t`, `\\`, `\xHH`, and `\(text*count)` for text so many times over."""
    result = b""
    place = 0
    for match in _ESCAPE.finditer(text):
        result += text[place : match.start()].encode()
        code, repeated, count, letter = match.groups()
        if code is not None:
            result += bytes([int(code, 16)])
        elif repeated is not None:
            result += unescape(repeated) * int(count)
        elif letter in _SIMPLE_ESCAPES:
            result += _SIMPLE_ESCAPES[letter].encode()
        else:
            raise TranscriptError(f"unknown escape `{match.group()}`")
        place = match.end()
    return result + text[place:].encode()


# Matching.


def matches(pattern: str, line: str, values: dict[str, str]) -> bool:
    """Whether the line is what the pattern says; if so the values it captures are added to `values`."""
    pattern_id, pattern_rest = split_id(pattern)
    if pattern_rest.startswith("state {"):
        line_id, rest = split_id(line)
        return line_id == pattern_id and rest.startswith("state {") and _state_matches(pattern_rest[6:], rest[6:])
    expression, names = _compile(pattern, values)
    match = re.fullmatch(expression, line, re.DOTALL)
    if match is None:
        return False
    values.update({name: match.group(name) for name in names})
    return True


def _compile(pattern: str, values: dict[str, str]) -> tuple[str, list[str]]:
    parts: list[str] = []
    names: list[str] = []
    for number, word in enumerate(pattern.split(" ")):
        blank = "" if number == 0 else " "
        if word == "...":
            parts.append(f"(?:{blank}.*)?" if blank else "(?:.*)")
        else:
            parts.append(blank + _compile_word(word, values, names))
    expression = "".join(parts)
    if pattern.startswith("... "):
        expression = "(?:.* )?" + expression[len("(?:.*) ") :]
    return expression, names


def _compile_word(word: str, values: dict[str, str], names: list[str]) -> str:
    expression = ""
    place = 0
    for match in re.finditer(r"\.\.\.|" + _VARIABLE.pattern, word):
        expression += re.escape(word[place : match.start()])
        name, many = match.group(1), match.group(2)
        if name is None:
            expression += ".*"
        elif name in values:
            expression += re.escape(values[name])
        elif name in names:
            expression += f"(?P={name})"
        else:
            names.append(name)
            expression += f"(?P<{name}>{_CAPTURES[many]})"
        place = match.end()
    return expression + re.escape(word[place:])


def _state_matches(expected: str, printed: str) -> bool:
    try:
        found = json.loads(printed)
    except ValueError:
        return False
    return _value_matches(json.loads(expected), found, "")


def _value_matches(wanted: Any, found: Any, key: str) -> bool:
    if wanted == "...":
        return True
    if isinstance(wanted, dict):
        return isinstance(found, dict) and all(
            name in found and _value_matches(value, found[name], name) for name, value in wanted.items()
        )
    if key in ("legal", "blind") and isinstance(wanted, list) and isinstance(found, list):
        return sorted(map(str, wanted)) == sorted(map(str, found))
    return type(wanted) is type(found) and bool(wanted == found)


def fill_in(text: str, values: dict[str, str]) -> str:
    """A line to send with `{name}` replaced by what was captured under the name."""
    return _VARIABLE.sub(lambda match: values.get(match.group(1), match.group()), text)


# Playing.


class Failure(Exception):
    """A transcript did not go as written: the label it breaks, what was expected and its line in the transcript."""

    def __init__(self, label: str, text: str, step: Step | None) -> None:
        super().__init__(text)
        self.label = label
        self.text = text
        self.step = step


def play(transcript: Transcript, engine: Engine) -> None:
    """Play a transcript against an engine just started, then end it politely; Failure if it goes wrong."""
    if transcript.timeout is not None:
        engine.timeout = transcript.timeout
    player = _Player(transcript, engine)
    step: Step | None = None
    try:
        for step in player.todo():
            player.do(step)
        step = None
        player.finish()
    except Fault as fault:
        raise Failure(fault.label, fault.text, step) from None


class _Player:
    def __init__(self, transcript: Transcript, engine: Engine) -> None:
        self.transcript = transcript
        self.engine = engine
        self.values: dict[str, str] = {}
        self.is_skipping = False
        self.open_set: list[Step] = []
        self.within: float | None = None
        self.after: float | None = None
        self.is_closed = False
        self.has_exited = False

    def todo(self) -> list[Step]:
        """The steps; those of one any-order block are held together by `do`."""
        return self.transcript.steps

    def do(self, step: Step) -> None:
        """One step."""
        if step.kind == "any-order":
            self.open_set.append(step)
            following = self.transcript.steps[self.transcript.steps.index(step) + 1 :]
            if not following or following[0].kind != "any-order":
                while self.open_set:
                    self._expect(self.open_set)
            return
        if step.kind == "expect":
            self._expect([step])
        elif step.kind == "skip":
            self.is_skipping = True
        elif step.kind in ("send", "raw"):
            self._send(step)
        else:
            self._direct(step)

    def _send(self, step: Step) -> None:
        text = fill_in(step.text, self.values)
        if step.kind == "send":
            self.engine.send(text)
        else:
            self.engine.send_bytes(unescape(text))
        if split_id(text)[1].strip() == "quit":
            self.is_closed = True

    def _direct(self, step: Step) -> None:
        engine = self.engine
        amount = int(step.arguments[0]) if step.arguments and step.arguments[0].isdigit() else 0
        if step.kind == "eof":
            engine.close_input()
            self.is_closed = True
        elif step.kind == "exit":
            self._expect_end(step)
            code = engine.wait_exit(1.0, step.label)
            if code != amount:
                raise Fault(step.label, f"exit code {code} instead of {amount}")
            self.has_exited = True
        elif step.kind == "wait":
            time.sleep(amount / 1000)
        elif step.kind == "quiet":
            engine.expect_quiet(amount / 1000, step.label, "a line where none may come")
        elif step.kind == "within":
            self.within = amount / 1000
        elif step.kind == "after":
            self.after = amount / 1000
        else:
            left, right = (fill_in(word, self.values) for word in step.arguments)
            if (left == right) != (step.kind == "same"):
                raise Fault(step.label, f"`{left}` and `{right}` should {'be the same' if left != right else 'differ'}")

    def _expect(self, steps: list[Step]) -> None:
        """One line that is one of the steps; it is taken out of the list."""
        deadline = time.monotonic() + self.engine.timeout
        label = steps[0].label
        while True:
            line = self.engine.poll(deadline - time.monotonic())
            if line is None:
                if self.engine.is_output_ended and not self.is_closed:
                    self.engine.expect_alive()
                raise Fault(label, f"expected `{steps[0].text}`, but no line came")
            for step in steps:
                if matches(step.text, line, self.values):
                    self._check_time(label)
                    self.is_skipping = False
                    steps.remove(step)
                    return
            is_info = split_id(line)[1].startswith("info ")
            if not self.is_skipping and not (is_info and not self.transcript.is_strict):
                raise Fault(label, f"expected `{steps[0].text}`, got `{line}`")

    def _check_time(self, label: str) -> None:
        passed = self.engine.line_time - self.engine.last_sent
        within, after = self.within, self.after
        self.within = self.after = None
        if within is not None and passed > within:
            raise Fault(
                label, f"the line came {passed * 1000:.0f} ms after the last input; the limit is {within * 1000:.0f}"
            )
        if after is not None and passed < after:
            raise Fault(
                label, f"the line came only {passed * 1000:.0f} ms after the last input, not {after * 1000:.0f}"
            )

    def _expect_end(self, step: Step) -> None:
        line = self.engine.poll(self.engine.timeout)
        if line is not None:
            raise Fault("reply.2", f"a line where the output should have ended: `{line}`")
        if not self.engine.is_output_ended:
            raise Fault(step.label, "the output has not ended")

    def finish(self) -> None:
        """End the conversation the way that fits it."""
        if self.has_exited:
            self.engine.expect_no_stderr()
        elif self.is_closed:
            self.engine.expect_end()
            self.engine.expect_exit(1.0, "life.1")
        else:
            self.engine.quit()
