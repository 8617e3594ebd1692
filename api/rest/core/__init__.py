"""REST views of what belongs to no single subject."""
