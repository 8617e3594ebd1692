"""Services of what belongs to no single subject."""
