"""REST views of runs: one player playing one dungeon."""
