"""What can go wrong in a conversation with an engine. Every error carries the tail of the transcript."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class ClientError(Exception):
    """The base of the errors below.

    `transcript` holds the last lines of the conversation, oldest first, as `> sent`, `< received` and `; remark`.
    """

    def __init__(self, message: str, transcript: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.transcript = tuple(transcript)
        for line in self.transcript[-_SHOWN:]:
            self.add_note(f"    {line[:_WIDTH]}")

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[object, ...]:
        # What is raised in another process has to come back as what it was.
        return _restore, (type(self), self.args, dict(self.__dict__))


class EngineRefused(ClientError):
    """The engine answered `error`: a stable `code`, a `text` for people, and further pairs in `extra`."""

    def __init__(
        self, code: str, text: str, extra: Mapping[str, str], *, command: str = "", transcript: Sequence[str] = ()
    ) -> None:
        about = f" to {_clip(command)!r}" if command else ""
        super().__init__(f"{code}{about}: {text}", transcript)
        self.code = code
        self.text = text
        self.extra = dict(extra)
        self.command = command


class EngineTerminated(ClientError):
    """The engine's process has ended, or was ended, before it had answered.

    `exit_code` is the process's (negative: the signal that ended it), or None where it could not be learned.
    `stderr` holds the last lines it wrote to its standard error.
    """

    def __init__(self, exit_code: int | None, stderr: Sequence[str] = (), *, transcript: Sequence[str] = ()) -> None:
        message = f"the engine has ended with exit code {'unknown' if exit_code is None else exit_code}"
        if stderr:
            message += f"; its last words: {_clip(stderr[-1])}"
        super().__init__(message, transcript)
        self.exit_code = exit_code
        self.stderr = tuple(stderr)


class ProtocolViolation(ClientError):
    """The engine gave an answer that the protocol does not allow and that nothing can be made of."""


class EngineTimeout(ClientError):
    """The engine did not answer in time. The client object stays usable; a late answer will be passed over.

    `command` is what was not answered, `seconds` how long it had, `limit` the name of the limit that ran out.
    """

    def __init__(self, command: str, seconds: float, limit: str, *, transcript: Sequence[str] = ()) -> None:
        super().__init__(f"no answer to {_clip(command)!r} within {seconds:.6g} s ({limit})", transcript)
        self.command = command
        self.seconds = seconds
        self.limit = limit


class CommitmentBroken(ClientError):
    """The cards of a game are not those that the seed committed to (SPEC.md, section 20)."""


_SHOWN = 12  # lines of the transcript that a traceback shows
_WIDTH = 200


def _clip(text: str, length: int = 100) -> str:
    return text if len(text) <= length else text[: length - 3] + "..."


def _restore(kind: type[ClientError], args: tuple[object, ...], state: Mapping[str, object]) -> ClientError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error
