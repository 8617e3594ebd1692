"""Selectors of boards: leaderboards, points, records and ratings."""
