"""What a hand is worth in tricks, and what to bid on it: contract, nil, blind nil."""
