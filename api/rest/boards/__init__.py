"""REST views of boards: leaderboards, points, records and ratings."""
