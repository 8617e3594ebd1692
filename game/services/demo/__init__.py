"""Services of the demo world."""
