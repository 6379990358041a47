"""The engine's options as it listed them, with a check of each value before it is sent (SPEC.md, section 13)."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from spades_protocol.words import format_pair

OptionValue = bool | int | str


class OptionError(ValueError):
    """An option the engine does not list, or a value it says it does not take. Nothing was sent."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its type (`check`, `spin`, `combo` or `string`) and what values it takes.

    `minimum` and `maximum` belong to a spin, `values` to a combo. `default` is text, as the engine wrote it.
    """

    name: str
    type: str = "string"
    default: str = ""
    minimum: int | None = None
    maximum: int | None = None
    values: tuple[str, ...] = ()

    def parse(self, text: str) -> OptionValue:
        """Return a value the engine printed, as a bool for a check and an int for a spin; text that is none stays."""
        if self.type == "check" and text in ("yes", "no"):
            return text == "yes"
        number = parse_integer(text) if self.type == "spin" else None
        return text if number is None else number

    def format(self, value: OptionValue) -> str:
        """Return a value as the text to send. Raises OptionError where the option does not take it."""
        text = ("yes" if value else "no") if isinstance(value, bool) else str(value)
        if self.type == "check" and text not in ("yes", "no"):
            raise OptionError(f"{self.name} is yes or no, not {text!r}")
        if self.type == "combo" and self.values and text not in self.values:
            raise OptionError(f"{self.name} is one of {', '.join(self.values)}, not {text!r}")
        if self.type == "spin":
            number = parse_integer(text)
            low, high = self.minimum, self.maximum
            if number is None or (low is not None and number < low) or (high is not None and number > high):
                raise OptionError(f"{self.name} is a number from {low} to {high}, not {text!r}")
        return text


class Options(Mapping[str, Option]):
    """The options by name, and what they are set to as far as this client has set them."""

    def __init__(self, options: Mapping[str, Option]) -> None:
        self._options = dict(options)
        self._set: dict[str, str] = {}

    def __getitem__(self, name: str) -> Option:
        return self._options[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._options)

    def __len__(self) -> int:
        return len(self._options)

    def current(self, name: str) -> OptionValue:
        """Return what the option is set to: what was last set successfully, or its default."""
        return self[name].parse(self._set.get(name, self[name].default))

    @property
    def movetime(self) -> int | None:
        """What a bare `go` takes, in milliseconds, where the engine has said."""
        value = self.current("movetime") if "movetime" in self else None
        return value if isinstance(value, int) else None

    def format(self, values: Mapping[str, OptionValue]) -> dict[str, str]:
        """Return values as text. Raises OptionError for one that the engine would refuse; `x-` names pass."""
        return {name: self._find(name).format(value) for name, value in values.items()}

    def accepted(self, values: Mapping[str, str]) -> None:
        """Take note of values that the engine has taken."""
        self._set.update(values)

    def _find(self, name: str) -> Option:
        if name in self:
            return self[name]
        if name.startswith("x-"):
            return Option(name)
        close = difflib.get_close_matches(name.lower(), self._options, 1)
        raise OptionError(f"the engine has no option {name!r}" + (f"; did you mean {close[0]!r}?" if close else ""))


def parse_option(pairs: Mapping[str, str]) -> Option:
    """Read the pairs of an `option` line; what it does not say or says wrongly is left open."""
    values = tuple(value for value in pairs.get("values", "").split(",") if value)
    return Option(
        pairs["name"],
        pairs.get("type", "string"),
        pairs.get("default", ""),
        parse_integer(pairs.get("min", "")),
        parse_integer(pairs.get("max", "")),
        values,
    )


def format_set(values: Mapping[str, str]) -> str:
    """Return the `set` command for values that are text already."""
    return " ".join(["set", *(format_pair(name, value) for name, value in values.items())])


def parse_integer(text: str) -> int | None:
    """Return a whole number as the protocol writes it, or None for anything else."""
    digits = text[1:] if text[:1] in ("-", "+") else text
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 18 else None
