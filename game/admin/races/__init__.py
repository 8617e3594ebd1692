"""Admin pages of races: several players on one hidden dungeon."""
