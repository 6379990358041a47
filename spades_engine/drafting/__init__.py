"""Which card to keep in the draft, and which cards to exchange after a blind nil."""
