"""The match runner: plays many games between programs that speak USP, and measures them.

    spades-match run --engine "spades-engine nodes=2000" --engine "python3 bot.py" --pairs 200 --out match.jsonl
    spades-match show match.jsonl
    spades-match replay match.jsonl -- spades-engine
    spades-match check -- python3 bot.py

Every deal is played twice with the engines' seats exchanged; such a pair is the unit of schedule, results and
statistics. The referee is the rules package, an engine is any program with level `seat`, and every seat is a process of
its own that is told what its seat may see.
"""
