"""Services of moves of runs."""
