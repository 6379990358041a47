"""The Universal Spades Protocol, version 1: lines, words, commands, replies, and a state machine for either role.

Sans-IO: nothing here reads, writes, waits or starts anything; bytes and lines come in, bytes and lines go out. Only the
standard library is used, and what an engine needs for its handshake imports next to nothing, so that it starts at once.

* `lines`: bytes to lines and back; `words`: a line to words and back;
* `errors`, `commands`: the tables of the specification, and what checks a command's words against them;
* `server`: the engine's side of a conversation; `replies`, `client`: the other side.
"""
