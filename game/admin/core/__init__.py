"""Admin pages of what belongs to no single subject."""
