"""The parts of the USP conformance suite; `run.py` beside this folder is the program."""
