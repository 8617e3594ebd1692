"""Admin pages of dailies: the dungeon of each day."""
