"""Tables of what belongs to no single subject."""
