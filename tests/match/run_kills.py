"""A match killed at many random moments and resumed must leave the file of an unbroken one: run_kills [KILLS]."""

import sys
import tempfile
from pathlib import Path

MATCHES = (["--pairs=300", "-c1"], ["--pairs=200", "-c2", "--rules=partners"])

if __name__ == "__main__":
    # Behind everything else: an installed package comes first.
    sys.path.append(str(Path(__file__).resolve().parents[2]))
    from tests.match.killing import killed_and_resumed, unbroken

    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    with tempfile.TemporaryDirectory() as name:
        for number, words in enumerate(MATCHES):
            here = Path(name)
            whole = unbroken(here / f"whole{number}.jsonl", words)
            broken, met = killed_and_resumed(here / f"broken{number}.jsonl", words, kills // 2, 0.4, number)
            assert broken == whole, f"{words}: the files differ"
            size = len(whole)
            print(f"{' '.join(words)}: {kills // 2} kills, {met} with pairs played and to play, {size} bytes, equal")
