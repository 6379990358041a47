"""The engine's options as the protocol lists them: types, ranges, values."""

from __future__ import annotations

from spades_protocol.commands import is_private, parse_choice, parse_int, suggest
from spades_protocol.errors import ProtocolError
from spades_protocol.words import clip, format_pair


class Option:
    """One option. `kind` is `spin`, `check`, `combo` or `string`; values are text as on the wire."""

    __slots__ = ("default", "kind", "maximum", "minimum", "name", "values")

    def __init__(
        self, name: str, kind: str, default: str, minimum: int = 0, maximum: int = 0, values: tuple[str, ...] = ()
    ) -> None:
        self.name = name
        self.kind = kind
        self.default = default
        self.minimum = minimum
        self.maximum = maximum
        self.values = values

    def checked(self, text: str) -> str:
        """The value in canonical form. Raises ProtocolError with what would be allowed."""
        if self.kind == "spin":
            return str(parse_int(text, self.minimum, self.maximum))
        if self.kind in ("check", "combo"):
            return parse_choice(text, self.values, self.name)
        if len(text) > MAX_STRING:
            raise ProtocolError("out-of-range", f"{self.name} has at most {MAX_STRING} characters", {"max": MAX_STRING})
        return text

    def line(self) -> str:
        """The `option` line of the handshake."""
        words = ["option", f"name={self.name}", f"type={self.kind}", format_pair("default", self.default)]
        if self.kind == "spin":
            words += [f"min={self.minimum}", f"max={self.maximum}"]
        elif self.kind == "combo":
            words.append("values=" + ",".join(self.values))
        return " ".join(words)


MAX_STRING = 256
YES_NO = ("yes", "no")
OPTIONS = (
    Option("movetime", "spin", "1000", 0, 3_600_000),
    Option("move_overhead", "spin", "10", 0, 5000),
    Option("multipv", "spin", "1", 1, 400),
    Option("seed", "string", "0"),
    Option("chatter", "check", "yes", values=YES_NO),
    Option("skill", "spin", "20", 0, 20),
    Option("explain", "check", "no", values=YES_NO),
    Option("opponent", "string", ""),
)


class Options:
    """The current values, as text by name."""

    def __init__(self) -> None:
        self._known = {option.name: option for option in OPTIONS}
        self.values = {option.name: option.default for option in OPTIONS}

    def find(self, name: str) -> Option:
        """The option of that name. Raises ProtocolError, naming a close one."""
        option = self._known.get(name)
        if option is None:
            near = suggest(name, tuple(self._known))
            hint = (
                f"; did you mean {near}?" if near else ", these are set by newgame or not at all; get lists the options"
            )
            text = f"{clip(name)}: no such option{hint}"
            raise ProtocolError("bad-argument", text, {"suggest": near} if near else {})
        return option

    def set_all(self, pairs: list[tuple[str, str]]) -> None:
        """Set all of them or, with a ProtocolError, none. Names beginning with `x-` are ignored."""
        checked = {}
        for name, text in pairs:
            if not is_private(name):
                checked[name] = self.find(name).checked(text)
        self.values.update(checked)

    def number(self, name: str) -> int:
        """The value of a spin option."""
        return int(self.values[name])
