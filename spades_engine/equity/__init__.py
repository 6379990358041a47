"""The probability of winning the game from a score."""
