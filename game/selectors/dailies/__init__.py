"""Selectors of dailies: the dungeon of each day."""
