"""Admin pages of boards: leaderboards, points, records and ratings."""
