"""REST views of dailies: the dungeon of each day."""
