"""The process: bytes in, commands, the table and the engine, bytes out; the only code that sees protocol and engine."""
