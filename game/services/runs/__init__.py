"""Services of runs: one player playing one dungeon."""
