"""Tables of runs: one player playing one dungeon."""
