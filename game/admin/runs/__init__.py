"""Admin pages of runs: one player playing one dungeon."""
