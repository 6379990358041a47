"""The commands of level `core`: the handshake, help, options, the transcript. Nothing here needs the game."""

from __future__ import annotations

from spades_engine import __version__
from spades_engine.search.kernels import kernel_name
from spades_engine.shell.options import OPTIONS
from spades_protocol.commands import CAPABILITIES, LEVELS, Arguments, choose_version, help_lines, is_command, is_private
from spades_protocol.errors import ProtocolError
from spades_protocol.words import clip, format_pair, quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from spades_engine.shell.loop import Shell
    from spades_protocol.server import Command

NAME = "Spades Engine"
AUTHOR = "the Spades Engine contributors"
RULES = ("draft", "draft300", "partners", "duel")  # the presets, written out: the rules are not loaded for a handshake


def usp(shell: Shell, command: Command) -> list[str]:
    """The handshake."""
    version = choose_version(command.words)
    shell.server.agree(version)
    return [
        f"id name={quote(NAME)} version={__version__} author={quote(AUTHOR)} kernel={kernel_name()}",
        "rules " + " ".join(RULES),
        *[option.line() for option in OPTIONS],
        f"ok usp={version} levels={','.join(LEVELS)} capabilities={','.join(CAPABILITIES)}",
    ]


def show_help(shell: Shell, command: Command) -> list[str]:
    """Usage; never fails."""
    return [*["help " + quote(text) for text in help_lines(command.words)], "ok"]


def known(shell: Shell, command: Command) -> list[str]:
    """Whether a command exists; never fails."""
    is_known = bool(command.words) and command.words[0].is_bare and is_command(command.words[0].text)
    return [f"ok known={'yes' if is_known else 'no'}"]


def ping(shell: Shell, command: Command) -> list[str]:
    """Proof of life."""
    Arguments(command.words)
    return ["ok"]


def set_options(shell: Shell, command: Command) -> list[str]:
    """Set options, all or none."""
    arguments = Arguments(command.words, keys=None)
    if not command.words:
        raise ProtocolError("bad-syntax", "set needs an option and its value: set movetime=500")
    shell.options.set_all(list(arguments.pairs.items()))
    return ["ok"]


def get_options(shell: Shell, command: Command) -> list[str]:
    """Read options back."""
    arguments = Arguments(command.words, positional=(0, 1))
    name = arguments.word(0)
    if name is None:
        return [*["value " + format_pair(name, text) for name, text in shell.options.values.items()], "ok"]
    if is_private(name):
        return ["ok " + format_pair("ignored", clip(name, 100))]
    return ["ok " + format_pair(name, shell.options.values[shell.options.find(name).name])]


def log(shell: Shell, command: Command) -> list[str]:
    """Begin or end the transcript."""
    arguments = Arguments(command.words, positional=(1, 1))
    word = arguments.positional[0]
    if word.text == "off" and not word.quoted:
        shell.output.stop_log()
        return ["ok"]
    try:
        shell.output.start_log(word.text)
    except (OSError, ValueError) as error:
        raise ProtocolError("bad-argument", f"this file cannot be opened: {error}") from None
    return ["ok"]
